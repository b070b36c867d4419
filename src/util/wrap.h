/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums and products of times that come from a file. Measured ones never overflow; made-up ones may,
 * and must then wrap around rather than be undefined.
 */
#ifndef LT_UTIL_WRAP_H
#define LT_UTIL_WRAP_H

#include <stdint.h>

static inline int64_t wrap_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrap_sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t wrap_mul(uint64_t a, int64_t b)
{
	return (int64_t)(a * (uint64_t)b);
}

#endif
