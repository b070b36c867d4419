/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from outside on its way to a terminal. */
#ifndef LT_UTIL_PRINTABLE_H
#define LT_UTIL_PRINTABLE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Makes every control character, also those of C1 in UTF-8, a '?', and line breaks and tabs blanks,
 * in place: no name of a file and no text of others may steer a terminal or look like a line of
 * ours. Whether there were any.
 */
bool printable(char *text);

/* Prints the text, made printable, as one line. */
void print_line(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void print_line_v(FILE *out, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

#endif
