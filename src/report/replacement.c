/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/stream.h"

int replacement_open_in(struct replacement *r, int dir_fd, const char *dir, const char *name,
			const char *suffix, struct fault *fault)
{
	int fd, err;

	r->dir = dir_fd;
	r->own_dir = false;
	r->file = NULL;
	if (snprintf(r->path, sizeof(r->path), "%s/%s%s", dir, name, suffix) >= PATH_MAX ||
	    snprintf(r->name, sizeof(r->name), "%s%s", name, suffix) > NAME_MAX ||
	    snprintf(r->temporary, sizeof(r->temporary), ".%s%s.new", name, suffix) > NAME_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s/%s: name too long", dir, name);
	/* One left by a killed process is ours to replace; a link in its place is not followed. */
	unlinkat(dir_fd, r->temporary, 0);
	fd = openat(dir_fd, r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0666);
	if (fd >= 0)
		r->file = fdopen(fd, "w");
	if (r->file)
		return 0;
	err = -errno;
	if (fd >= 0) {
		close(fd);
		unlinkat(dir_fd, r->temporary, 0);
	}
	return fault_set(fault, err, "%s/%s: %s", dir, r->temporary, strerror(-err));
}

int replacement_open(struct replacement *r, const char *dir, const char *name, const char *suffix,
		     struct fault *fault)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (fd < 0)
		return fault_set(fault, -errno, "%s: %s", dir, strerror(errno));
	err = replacement_open_in(r, fd, dir, name, suffix, fault);
	r->own_dir = !err;
	if (err)
		close(fd);
	return err;
}

int replacement_finish(struct replacement *r, int err, struct fault *fault)
{
	err = stream_finish(r->file, err);
	if (!err && fsync(fileno(r->file)))
		err = -errno;
	if (fclose(r->file) && !err)
		err = -errno;
	if (!err && renameat(r->dir, r->temporary, r->dir, r->name))
		err = -errno;
	if (err) {
		unlinkat(r->dir, r->temporary, 0);
		fault_set(fault, err, "%s: %s", r->path, strerror(-err));
	}
	if (r->own_dir)
		close(r->dir);
	return err;
}
