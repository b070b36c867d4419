/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log-linear histogram of times in ns: every power of two is cut into 1024 equal buckets, so a
 * value is known to 1 part in 1024 (3 significant digits) and small ones exactly. What lies
 * outside is counted, never dropped, and the true least and greatest are kept beside it.
 */
#ifndef LT_REPORT_HISTOGRAM_H
#define LT_REPORT_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_SUB_BITS 10
#define HISTOGRAM_MAX_BITS 43 /* values up to 2^43 - 1 ns, 2.4 hours; beyond is overflow */
#define HISTOGRAM_BUCKETS ((HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

struct histogram {
	uint64_t n;         /* all values, underflow and overflow included */
	uint64_t underflow; /* values below 0 */
	uint64_t overflow;
	int64_t min, max;   /* true ones; meaningless while n is 0 */
	uint64_t count[HISTOGRAM_BUCKETS];
};

/* A new empty histogram (free() it), or NULL without memory. */
struct histogram *histogram_new(void);

static inline unsigned int histogram_bucket(int64_t value)
{
	unsigned int shift = 0;

	if (value >> (HISTOGRAM_SUB_BITS + 1))
		shift = 63 - HISTOGRAM_SUB_BITS - (unsigned int)__builtin_clzll((uint64_t)value);
	return (shift << HISTOGRAM_SUB_BITS) + (unsigned int)(value >> shift);
}

static inline void histogram_add(struct histogram *h, int64_t value)
{
	if (!h->n || value < h->min)
		h->min = value;
	if (!h->n || value > h->max)
		h->max = value;
	h->n++;
	if (value < 0)
		h->underflow++;
	else if (value >> HISTOGRAM_MAX_BITS)
		h->overflow++;
	else
		h->count[histogram_bucket(value)]++;
}

/* Least and greatest value that fall into a bucket. */
int64_t histogram_low(unsigned int bucket);
int64_t histogram_high(unsigned int bucket);

/*
 * Whether n independent values support the quantile q (0 < q < 1) with 95 % confidence: n >= ln
 * 0.05 / ln q for the upper half (2,995 for p99.9), with 1 - q for the lower: so many are needed
 * for at least one of them to lie beyond it.
 */
bool histogram_supports(uint64_t n, double q);

enum quantile_state {
	QUANTILE_KNOWN,
	QUANTILE_TOO_FEW, /* n does not support it: n/a */
	QUANTILE_MISSED,  /* it falls among the `above` values that have no number */
};

/*
 * The q quantile (value of rank ceil(q * total)) of the n values in h and `above` more that rank
 * higher than all of them. *value is the greatest value of its bucket, but never beyond the true
 * maximum.
 */
enum quantile_state histogram_quantile(const struct histogram *h, uint64_t above, double q,
				       int64_t *value);

/* Whether the counts add up to n: a check made before a result is written. */
bool histogram_consistent(const struct histogram *h);

#endif
