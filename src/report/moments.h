/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mean and standard deviation of a stream, without loss of digits. */
#ifndef LT_REPORT_MOMENTS_H
#define LT_REPORT_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

struct moments {
	uint64_t n;
	double mean;
	double m2; /* sum of squared distances from the mean */
};

/*
 * Takes a block of values: two passes over the block, then the blocks are joined by the update of
 * Chan, Golub and LeVeque (1979). As exact as Welford's method, with one division per block.
 */
void moments_add(struct moments *moments, const double *values, size_t n);

/* Sample standard deviation (divisor n - 1); NaN for fewer than two values. */
double moments_stddev(const struct moments *moments);

#endif
