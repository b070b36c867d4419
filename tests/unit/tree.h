/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Another machine's /proc, /sys and /dev, made in the scratch directory. Include after unit.h; name
 * tree_make and tree_remove as set-up and tear-down of each test.
 */
#ifndef LT_TESTS_TREE_H
#define LT_TESTS_TREE_H

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "util/root.h"

#define TREE_NAME 512 /* longest name of that machine */

static char tree_root[600];

static inline int tree_make(void **state)
{
	(void)state;
	snprintf(tree_root, sizeof(tree_root), "%s/root", unit_dir);
	root_set(tree_root);
	return mkdir(tree_root, 0777);
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static inline int tree_remove(void **state)
{
	(void)state;
	root_set(NULL);
	return nftw(tree_root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The real name of a path of that machine, with the directories above it. */
static inline const char *tree_path(const char *path)
{
	static char names[4][PATH_MAX];
	static unsigned int next;
	char *name = names[next++ % 4];

	snprintf(name, PATH_MAX, "%s%s", tree_root, path);
	for (char *p = name + strlen(tree_root) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(name, 0777);
	}
	return name;
}

static inline void tree_put(const char *path, const char *text)
{
	FILE *file = fopen(tree_path(path), "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A link at path to target, both as that machine names them; the target need not be there. */
static inline void tree_link(const char *path, const char *target)
{
	assert_int_equal(symlink(tree_path(target), tree_path(path)), 0);
}

/* A block device or partition at dir (below /sys/devices), with links to it. */
static inline void tree_block(const char *dir, int major_number, int minor_number)
{
	const char *name = strrchr(dir, '/') + 1;
	char path[TREE_NAME + 32], device[TREE_NAME], number[32];

	snprintf(device, sizeof(device), "/sys/devices/%s", dir);
	snprintf(number, sizeof(number), "%d:%d", major_number, minor_number);
	snprintf(path, sizeof(path), "%s/dev", device);
	tree_put(path, number);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", number);
	tree_link(path, device);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	tree_link(path, device);
}

static inline void tree_partition(const char *dir, int major_number, int minor_number)
{
	char path[TREE_NAME + 32];

	tree_block(dir, major_number, minor_number);
	snprintf(path, sizeof(path), "/sys/devices/%s/partition", dir);
	tree_put(path, "1\n");
}

/* upper is made of lower, both below /sys/devices. */
static inline void tree_slave(const char *upper, const char *lower)
{
	char path[TREE_NAME + 32], target[TREE_NAME];

	snprintf(path, sizeof(path), "/sys/devices/%s/slaves/%s", upper, strrchr(lower, '/') + 1);
	snprintf(target, sizeof(target), "/sys/devices/%s", lower);
	tree_link(path, target);
}

static inline void tree_elevator(const char *dir, const char *text)
{
	char path[TREE_NAME + 32];

	snprintf(path, sizeof(path), "/sys/devices/%s/queue/scheduler", dir);
	tree_put(path, text);
}

/* Whatever is opened lies on a mount of that type and source. */
static inline void tree_mount(const char *type, const char *source)
{
	char text[512], path[64];

	snprintf(text, sizeof(text), "7 1 0:99 / /data rw,relatime shared:1 - %s %s rw\n", type,
		 source);
	tree_put("/proc/self/mountinfo", text);
	for (int fd = 0; fd < 32; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
		tree_put(path, "pos:\t0\nflags:\t012100000\nmnt_id:\t7\n");
	}
}

#endif
