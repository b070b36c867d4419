/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/root.h"

#include <stdio.h>
#include <string.h>

static const char *root = "";

void root_set(const char *directory)
{
	root = directory ? directory : "";
}

bool root_is_real(void)
{
	return !root[0];
}

static bool is_of_system(const char *path)
{
	static const char *const tops[] = { "/proc", "/sys", "/dev", "/etc" };

	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		size_t length = strlen(tops[i]);

		if (!strncmp(path, tops[i], length) && (path[length] == '/' || !path[length]))
			return true;
	}
	return false;
}

const char *root_path(char *buf, size_t size, const char *path)
{
	if (!root[0] || !is_of_system(path))
		return path;
	if (snprintf(buf, size, "%s%s", root, path) >= (int)size)
		buf[0] = '\0';
	return buf;
}
