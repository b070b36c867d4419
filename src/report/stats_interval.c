/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>

static const struct stats_interval anything = { 0, 1, 1 };

struct stats_interval stats_wilson(double hits, double n, double confidence)
{
	double z = qnorm(1 - (1 - confidence) / 2, 0, 1, 1, 0), share = hits / n;
	double middle, half, whole = 1 + z * z / n;

	if (!(n > 0))
		return anything;
	middle = (share + z * z / (2 * n)) / whole;
	half = z / whole * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	return (struct stats_interval){
		.low = hits > 0 ? fmax(middle - half, 0) : 0,
		.high = hits < n ? fmin(middle + half, 1) : 1,
		.confidence = confidence,
	};
}

struct stats_interval stats_clopper_pearson(double hits, double n, double confidence)
{
	double tail = (1 - confidence) / 2;

	if (!(n > 0))
		return anything;
	return (struct stats_interval){
		.low = hits > 0 ? qbeta(tail, hits, n - hits + 1, 1, 0) : 0,
		.high = hits < n ? qbeta(1 - tail, hits + 1, n - hits, 1, 0) : 1,
		.confidence = confidence,
	};
}

struct stats_interval stats_garwood(double seen, double confidence)
{
	double tail = (1 - confidence) / 2;

	return (struct stats_interval){
		.low = seen > 0 ? qchisq(tail, 2 * seen, 1, 0) / 2 : 0,
		.high = qchisq(1 - tail, 2 * seen + 2, 1, 0) / 2,
		.confidence = confidence,
	};
}
