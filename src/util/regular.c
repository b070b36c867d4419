/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *regular_open(const char *path, int *err, struct fault *fault)
{
	/* O_NONBLOCK: a pipe without a writer is not waited for; of no effect on files. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status = { .st_mode = 0 };
	FILE *file = NULL;

	*err = fd < 0 || fstat(fd, &status) ? -errno : 0;
	if (!*err && S_ISDIR(status.st_mode))
		*err = -EISDIR;
	if (!*err && !S_ISREG(status.st_mode)) {
		*err = fault_set(fault, -EINVAL, "%s: not a regular file", path);
		close(fd);
		return NULL;
	}
	if (!*err && !(file = fdopen(fd, "rb")))
		*err = -errno;
	if (*err) {
		fault_set(fault, *err, "%s: %s", path, strerror(-*err));
		if (fd >= 0)
			close(fd);
	}
	return file;
}
