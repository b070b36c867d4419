/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/directory.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/*
 * What stands there now was put there by somebody else: where it is not a directory of our own,
 * or only leads to one, our files are not written into it.
 */
static int check_own(const char *path, uid_t owner)
{
	struct stat st;

	if (lstat(path, &st))
		return -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return st.st_uid == owner ? 0 : -EPERM;
}

int directory_make(const char *path, uid_t owner)
{
	char part[PATH_MAX];
	size_t length = strlen(path);
	bool made = false;
	struct stat st;

	/* A link is one also with a slash behind it. */
	while (length > 1 && path[length - 1] == '/')
		length--;
	if (!length)
		return 0;
	if (length >= sizeof(part))
		return -ENAMETOOLONG;
	memcpy(part, path, length);
	part[length] = '\0';
	for (size_t i = 1; i <= length; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		part[i] = '\0';
		made = !mkdir(part, 0777);
		/* EROFS, EACCES: also of one that is there. */
		if (!made && errno != EEXIST && (stat(part, &st) || !S_ISDIR(st.st_mode)))
			return -errno;
		if (i < length)
			part[i] = '/';
	}
	return made ? 0 : check_own(part, owner);
}

int directory_make_above(const char *path, uid_t owner)
{
	const char *slash = strrchr(path, '/');
	char above[PATH_MAX];

	if (!slash || slash == path)
		return 0;
	if ((size_t)(slash - path) >= sizeof(above))
		return -ENAMETOOLONG;
	memcpy(above, path, (size_t)(slash - path));
	above[slash - path] = '\0';
	return directory_make(above, owner);
}
