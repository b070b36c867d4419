/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making directories that may have been removed. */
#ifndef LT_UTIL_DIRECTORY_H
#define LT_UTIL_DIRECTORY_H

/* Makes the directory and those above it, where they are missing. 0 or a negative errno. */
int directory_make(const char *path);

/* The same for all that lies above a file of that name. */
int directory_make_above(const char *path);

#endif
