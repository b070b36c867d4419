/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block devices that a directory lies on, from its file system down to the disks. */
#ifndef LT_SYSTEM_BLOCK_H
#define LT_SYSTEM_BLOCK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "util/fault.h"

#define BLOCK_MAX_DEVICES 32
#define BLOCK_MAX_LEVELS 8

struct block_device {
	char name[NAME_MAX + 1]; /* of the whole device: "vda", also for vda1; "dm-0" */
	char part[NAME_MAX + 1]; /* the partition that is used: "vda1"; else the same as name */
	char dir[PATH_MAX];      /* its directory in /sys, as it is opened */
	int parent;              /* index of the device that it was found below; -1: the first */
	int level;               /* 0: what the file system lies on; 1: what lies below that ... */
	bool lowest;             /* nothing lies below: a disk */
};

struct block_stack {
	struct block_device devices[BLOCK_MAX_DEVICES]; /* each once, from the top down */
	size_t n;
};

/*
 * The stack of a block device: a partition becomes its whole disk; device-mapper, md, bcache and
 * loop devices and NVMe multipath heads are followed to what lies below them. 0, or a negative
 * errno with the reason in fault: -ENODEV (no such device), -E2BIG (too many devices, or stacked
 * too deeply), -ENOTSUP (a loop device's file lies where block_of_directory() cannot follow). What
 * was found until then is in the stack. A loop device whose file lies in memory or on another
 * machine is a lowest one.
 */
int block_of_number(dev_t number, struct block_stack *stack, struct fault *fault);

/*
 * The stack below a directory (or a file). Errors as above, and -ENOTSUP with the way round in
 * fault where the file system cannot be followed to one block device: btrfs over several, overlay,
 * memory, network.
 */
int block_of_directory(const char *dir, struct block_stack *stack, struct fault *fault);

#endif
