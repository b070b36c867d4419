/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/histogram.h"

#include <math.h>
#include <stdlib.h>

struct histogram *histogram_new(void)
{
	return calloc(1, sizeof(struct histogram));
}

int64_t histogram_low(unsigned int bucket)
{
	unsigned int shift = bucket >> HISTOGRAM_SUB_BITS;

	/* The first two powers of two share shift 0. */
	shift = shift ? shift - 1 : 0;
	return ((int64_t)bucket - ((int64_t)shift << HISTOGRAM_SUB_BITS)) << shift;
}

int64_t histogram_high(unsigned int bucket)
{
	return histogram_low(bucket + 1) - 1;
}

bool histogram_supports(uint64_t n, double q)
{
	return (double)n >= log(0.05) / log(q < 0.5 ? 1 - q : q);
}

enum quantile_state histogram_quantile(const struct histogram *h, uint64_t above, double q,
				       int64_t *value)
{
	uint64_t total = h->n + above;
	/* A hair less, so that 0.95 * 100 is rank 95 in spite of binary fractions. */
	uint64_t rank = (uint64_t)ceil(q * (double)total * (1 - 1e-14));
	uint64_t seen = h->underflow;

	if (!total || !histogram_supports(total, q))
		return QUANTILE_TOO_FEW;
	if (rank < 1)
		rank = 1;
	if (rank > h->n)
		return QUANTILE_MISSED;
	if (rank <= seen) {
		*value = h->min;
		return QUANTILE_KNOWN;
	}
	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
		seen += h->count[bucket];
		if (seen >= rank) {
			int64_t high = histogram_high(bucket);

			*value = high < h->max ? high : h->max;
			return QUANTILE_KNOWN;
		}
	}
	*value = h->max;
	return QUANTILE_KNOWN;
}

bool histogram_consistent(const struct histogram *h)
{
	uint64_t sum = h->underflow + h->overflow;

	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++)
		sum += h->count[bucket];
	return sum == h->n;
}
