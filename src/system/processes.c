/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/processes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

static DIR *open_directory(const char *path)
{
	char name[PATH_MAX];

	return opendir(root_path(name, sizeof(name), path));
}

/* The next entry that is a number above 0; 0 at the end. */
static int next_number(DIR *dir)
{
	struct dirent *entry;
	int64_t number;

	while ((entry = readdir(dir)))
		if (!number_i64(entry->d_name, 1, INT32_MAX, &number))
			return (int)number;
	return 0;
}

int process_find(const char *comm)
{
	DIR *dir = open_directory("/proc");
	char path[64], name[64];
	int pid;

	if (!dir)
		return -errno;
	while ((pid = next_number(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		/* The kernel cuts names at 15 letters. */
		if (text_read(path, name, sizeof(name)) > 0 && !strncmp(name, comm, 15))
			break;
	}
	closedir(dir);
	return pid;
}

/* 1: it has the file open, 0: it has not, -1: it cannot be asked. */
static int holds(int pid, const char *file)
{
	char path[PATH_MAX + 64], target[PATH_MAX];
	struct dirent *entry;
	ssize_t bytes;
	int held = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = open_directory(path);
	if (!dir)
		return errno == ENOENT ? 0 : -1;
	while (!held && (entry = readdir(dir))) {
		bytes = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
		if (bytes < 0)
			continue;
		target[bytes] = '\0';
		held = !strcmp(target, file);
	}
	closedir(dir);
	return held;
}

bool process_holders(const char *path, char *list, size_t size)
{
	DIR *dir = open_directory("/proc");
	char file[64], name[64];
	bool all = dir;
	int pid, held;

	list[0] = '\0';
	while (dir && (pid = next_number(dir))) {
		size_t used = strlen(list);

		held = pid == getpid() && root_is_real() ? 0 : holds(pid, path);
		all = all && held >= 0 && (!held || used + 96 <= size);
		if (held <= 0 || used + 96 > size)
			continue;
		snprintf(file, sizeof(file), "/proc/%d/comm", pid);
		if (text_read(file, name, sizeof(name)) <= 0)
			snprintf(name, sizeof(name), "a process that has ended");
		snprintf(list + used, size - used, "%s%s (process %d)", used ? ", " : "", name,
			 pid);
	}
	if (dir)
		closedir(dir);
	return all;
}
