/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block devices and mounts of a made-up machine. */
#ifndef LT_TESTS_BLOCK_TREE_H
#define LT_TESTS_BLOCK_TREE_H

#include "tree.h"

#define TREE_NAME 512 /* longest name of that machine */

/* The real name of a path of that machine; the directories above it are made. */
static inline const char *tree_path(const char *path)
{
	static char names[4][PATH_MAX];
	static unsigned int next;
	char *name = names[next++ % 4];

	tree_make_directories(path);
	tree_name(name, path);
	return name;
}

/* A link at path to target, both as that machine names them; the target need not be there. */
static inline void tree_link_within(const char *path, const char *target)
{
	tree_link(path, tree_path(target));
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
	tree_link_within(path, device);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	tree_link_within(path, device);
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
	tree_link_within(path, target);
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
