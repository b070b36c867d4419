/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/directory.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

int directory_make(const char *path)
{
	char part[PATH_MAX];
	size_t length = strlen(path);
	struct stat st;

	if (!length)
		return 0;
	if (length >= sizeof(part))
		return -ENAMETOOLONG;
	if (!stat(path, &st))
		return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
	memcpy(part, path, length + 1);
	for (size_t i = 1; i <= length; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		part[i] = '\0';
		if (mkdir(part, 0777) && errno != EEXIST &&
		    (stat(part, &st) || !S_ISDIR(st.st_mode)))
			return -errno;
		if (i < length)
			part[i] = '/';
	}
	return stat(path, &st) ? -errno : 0;
}

int directory_make_above(const char *path)
{
	const char *slash = strrchr(path, '/');
	char above[PATH_MAX];

	if (!slash || slash == path)
		return 0;
	if ((size_t)(slash - path) >= sizeof(above))
		return -ENAMETOOLONG;
	memcpy(above, path, (size_t)(slash - path));
	above[slash - path] = '\0';
	return directory_make(above);
}
