/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where /proc, /sys, /dev and /etc are. In the program that is installed always at "/"; a program
 * built for tests puts the files of another machine in their place.
 */
#ifndef LT_UTIL_ROOT_H
#define LT_UTIL_ROOT_H

#include <stdbool.h>
#include <stddef.h>

/* A directory in place of "/", not copied; NULL or "" is "/" again. For tests only. */
void root_set(const char *directory);

/*
 * Whether the files are those of this machine. What cannot be read but only asked or tried (limits,
 * a policy, memory) says nothing of another one.
 */
bool root_is_real(void);

/*
 * The name by which to open a file of the system: path itself, or with another root its name
 * below that (written to buf). Names outside of /proc, /sys, /dev and /etc, as users give them,
 * stay as they are. A name that has not enough room in buf becomes "", which nothing opens.
 */
const char *root_path(char *buf, size_t size, const char *path);

#endif
