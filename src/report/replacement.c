/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int replacement_open(struct replacement *r, const char *dir, const char *name,
			    const char *suffix, struct fault *fault)
{
	int fd;

	if (snprintf(r->path, sizeof(r->path), "%s/%s%s", dir, name, suffix) >= PATH_MAX ||
	    snprintf(r->temporary, sizeof(r->temporary), "%s/.%s%s.new", dir, name, suffix) >=
		    PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s/%s: name too long", dir, name);
	/* One left by a killed process is ours to replace; a link in its place is not followed. */
	unlink(r->temporary);
	fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	r->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!r->file) {
		int err = -errno;

		if (fd >= 0)
			close(fd);
		return fault_set(fault, err, "%s: %s", r->temporary, strerror(-err));
	}
	return 0;
}

int replacement_finish(struct replacement *r, int err, struct fault *fault)
{
	if (!err && (fflush(r->file) || ferror(r->file) || fsync(fileno(r->file))))
		err = errno ? -errno : -EIO;
	if (fclose(r->file) && !err)
		err = -errno;
	if (!err && rename(r->temporary, r->path))
		err = -errno;
	if (err) {
		unlink(r->temporary);
		return fault_set(fault, err, "%s: %s", r->path, strerror(-err));
	}
	return 0;
}
