/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading files of a directory that somebody else made. */
#ifndef LT_UTIL_REGULAR_H
#define LT_UTIL_REGULAR_H

#include <stdio.h>

#include "util/fault.h"

/*
 * Opens a regular file for reading; where there is a pipe or a device in its place it neither waits
 * nor reads for ever, but refuses. The caller closes it. NULL with the reason in fault and *err the
 * negative errno.
 */
FILE *regular_open(const char *path, int *err, struct fault *fault);

#endif
