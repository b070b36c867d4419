/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>

#define ALIKE (1 + 1e-7) /* probabilities that differ by rounding only are the same */

/*
 * Probabilities fall on both sides of the mode. The first outcome above `from` (which lies at or
 * above the mode) that is no likelier than limit; n + 1 where there is none.
 */
static double first_above(double from, double n, double share, double limit)
{
	double low = ceil(from), high = n + 1;

	while (low < high) {
		double middle = floor((low + high) / 2);

		if (dbinom(middle, n, share, 0) <= limit)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Likewise the last outcome up to `to`, at or below the mode; -1 where there is none. */
static double last_below(double to, double n, double share, double limit)
{
	double low = -1, high = floor(to);

	while (low < high) {
		double middle = floor((low + high + 1) / 2);

		if (dbinom(middle, n, share, 0) <= limit)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

double stats_binomial_test(double hits, double n, double share)
{
	double mean = n * share, limit = dbinom(hits, n, share, 0) * ALIKE, p;

	if (!(n > 0) || hits == mean)
		return 1;
	if (hits < mean)
		p = pbinom(hits, n, share, 1, 0) +
		    pbinom(first_above(mean, n, share, limit) - 1, n, share, 0, 0);
	else
		p = pbinom(hits - 1, n, share, 0, 0) +
		    pbinom(last_below(mean, n, share, limit), n, share, 1, 0);
	return fmin(p, 1);
}

/* The share tx r / (tx r + ty) as the ratio of rates r. */
static double ratio_of(double share, double tx, double ty)
{
	return share < 1 ? share / (1 - share) * ty / tx : INFINITY;
}

struct stats_rates stats_rate_ratio(double x, double tx, double y, double ty, double confidence)
{
	struct stats_interval share = stats_clopper_pearson(x, x + y, confidence);

	return (struct stats_rates){
		.ratio = x / tx / (y / ty),
		.interval = { ratio_of(share.low, tx, ty), ratio_of(share.high, tx, ty),
			      share.confidence },
		.p = stats_binomial_test(x, x + y, tx / (tx + ty)),
	};
}
