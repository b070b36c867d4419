/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers from text: parsed whole, range-checked, never half-read. */
#ifndef LT_UTIL_NUMBER_H
#define LT_UTIL_NUMBER_H

#include <stdint.h>

/*
 * Each returns 0, -EINVAL where the text is not wholly a number (blanks, a sign without digits,
 * trailing letters, nan and inf), or -ERANGE where it lies outside min..max. *value is written
 * only on success.
 */
int number_i64(const char *text, int64_t min, int64_t max, int64_t *value);
int number_double(const char *text, double min, double max, double *value);

/*
 * A size in bytes with an optional K, M or G (powers of 1024, as dd and stress-ng read them);
 * "1000000000" is the classic file size.
 */
int number_size(const char *text, uint64_t min, uint64_t max, uint64_t *value);

#endif
