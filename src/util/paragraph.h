/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in lines of a given width. */
#ifndef LT_UTIL_PARAGRAPH_H
#define LT_UTIL_PARAGRAPH_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Writes words, broken at blanks, and a newline. The first line begins at a column (what stands
 * before it is the caller's), the others are indented. A word longer than a line is cut up.
 */
void paragraph_put(FILE *out, const char *words, size_t column, size_t indent, size_t columns);

/* The same of what printf would make of it. */
void paragraph_vprintf(FILE *out, size_t column, size_t indent, size_t columns, const char *fmt,
		       va_list args) __attribute__((format(printf, 5, 0)));

/* Width of the terminal on stdout (80 where there is none), between 20 and most. */
size_t paragraph_terminal_columns(size_t most);

#endif
