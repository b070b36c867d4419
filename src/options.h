/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Option values of all subcommands: parsed whole, checked, refused in one line with exit 64. */
#ifndef LT_OPTIONS_H
#define LT_OPTIONS_H

#include <stdint.h>

#define EXIT_DONE 0
#define EXIT_ERROR 1
#define EXIT_LIMIT 2
#define EXIT_USAGE 64

/* Prints `latencytest: ...` on stderr and ends the program with exit 64. */
_Noreturn void usage_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Each returns the value of `option` (with its dashes, for the message), or ends the program naming
 * option, value and valid range.
 */
int64_t option_i64(const char *option, const char *text, int64_t min, int64_t max);
double option_double(const char *option, const char *text, double min, double max);
uint64_t option_size(const char *option, const char *text, uint64_t min, uint64_t max);

#endif
