/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures for people to read. */
#ifndef LT_UTIL_UNITS_H
#define LT_UTIL_UNITS_H

#include <stddef.h>

/* A rate with a decimal prefix: "1.23 GB/s" where the unit is "bytes", else "4.2k files/s". */
const char *units_rate(char *buf, size_t size, double per_second, const char *unit);

#endif
