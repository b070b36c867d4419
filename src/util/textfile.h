/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small text files as /proc and /sys have them; root_path() says where those of the system are. */
#ifndef LT_UTIL_TEXTFILE_H
#define LT_UTIL_TEXTFILE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads at most size - 1 bytes of the file, ends them with a NUL and takes white space off the
 * end. Returns the length of the text or a negative errno (buf is then "").
 */
int text_read(const char *path, char *buf, size_t size);

/* Reads a file that holds one decimal number. 0, or a negative errno (-EINVAL: no such number). */
int text_read_i64(const char *path, int64_t *value);

/*
 * Reads a whole file of any length (as /proc/interrupts) into memory of its own, ended with a NUL.
 * The caller frees it. NULL with errno set where it cannot be read.
 */
char *text_read_all(const char *path);

#endif
