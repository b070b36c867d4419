/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What block.c and block_fs.c ask of each other. */
#ifndef LT_SYSTEM_BLOCK_PARTS_H
#define LT_SYSTEM_BLOCK_PARTS_H

#include "system/block.h"

/* The directory in /sys (PATH_MAX) of the block device or partition of a number. 0 or -ENODEV. */
int block_dir(dev_t number, char *dir, struct fault *fault);

/*
 * The directory in /sys of the block device or partition that the file system of path lies on.
 * *elsewhere tells that there is none on this machine: it lies in memory or on another one. 0 or a
 * negative errno with the reason and the way round in fault.
 */
int block_dir_of_path(const char *path, char *dir, bool *elsewhere, struct fault *fault);

#endif
