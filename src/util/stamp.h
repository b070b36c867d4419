/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of day, for records and for names of directories. */
#ifndef LT_UTIL_STAMP_H
#define LT_UTIL_STAMP_H

#include <stddef.h>

#define STAMP_SIZE 40

/* Now, as "2024-01-31T12:00:00Z"; returns buf. */
const char *stamp_utc(char buf[STAMP_SIZE]);

/*
 * A name for a directory of results: "PREFIX-KERNEL-20240131-120000", in local time. Returns its
 * length, which is size or more where it has not enough room, like snprintf().
 */
int stamp_directory(char *buf, size_t size, const char *prefix);

#endif
