/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making directories that may have been removed. */
#ifndef LT_UTIL_DIRECTORY_H
#define LT_UTIL_DIRECTORY_H

#include <sys/types.h>

/*
 * Makes the directory and those above it, where they are missing. One that is there by now has to
 * belong to owner (whom files are given to that this process makes on that file system): -EPERM;
 * a link to one is refused: -ELOOP. 0 or a negative errno.
 */
int directory_make(const char *path, uid_t owner);

/* The same for all that lies above a file of that name. */
int directory_make_above(const char *path, uid_t owner);

#endif
