/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#include <errno.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>

#define EXACT_MAX 50  /* values a side */
#define SIDE_MAX 30000

struct item {
	double value;
	bool first;          /* of x */
	unsigned int rank2;  /* twice its midrank */
};

static int by_value(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool any_nan(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(values[i]))
			return true;
	return false;
}

static int check(const double *x, size_t nx, const double *y, size_t ny)
{
	if (!nx || !ny || any_nan(x, nx) || any_nan(y, ny))
		return -EINVAL;
	return nx > SIDE_MAX || ny > SIDE_MAX ? -E2BIG : 0;
}

/* Sorts and ranks; returns the sum of t^3 - t over groups of t equal values. */
static double rank_items(struct item *items, size_t n)
{
	double ties = 0;

	qsort(items, n, sizeof(items[0]), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && items[end].value == items[i].value; end++)
			;
		for (size_t j = i; j < end; j++)
			items[j].rank2 = (unsigned int)(i + 1 + end);
		t = (double)(end - i);
		ties += t * t * t - t;
	}
	return ties;
}

static double choose_p(enum stats_side side, double below, double above)
{
	switch (side) {
	case STATS_GREATER:
		return fmin(above, 1);
	case STATS_LESS:
		return fmin(below, 1);
	case STATS_TWO_SIDED:
		break;
	}
	return fmin(2 * fmin(below, above), 1);
}

/*
 * ways[k * (sum_max + 1) + s] becomes the number of ways to take k items whose rank2 sum to s: the
 * items are put in one after the other. Then the tails of sum2 among the ways to take n.
 */
static int count_tails(const struct item *items, size_t total, size_t n, size_t sum2,
		       double *below, double *above)
{
	size_t sum_max = total * (total + 1), row = sum_max + 1, seen = 0;
	double *ways = calloc((n + 1) * row, sizeof(ways[0])), all = 0, low = 0, high = 0;

	if (!ways)
		return -ENOMEM;
	ways[0] = 1;
	for (size_t i = 0; i < total; i++) {
		size_t rank = items[i].rank2;

		seen += rank;
		for (size_t k = i + 1 < n ? i + 1 : n; k > 0; k--) {
			double *to = ways + k * row;
			const double *from = ways + (k - 1) * row;

			for (size_t s = rank; s <= seen; s++)
				to[s] += from[s - rank];
		}
	}
	for (size_t s = 0; s <= sum_max; s++) {
		double here = ways[n * row + s];

		all += here;
		low += s <= sum2 ? here : 0;
		high += s >= sum2 ? here : 0;
	}
	free(ways);
	*below = low / all;
	*above = high / all;
	return 0;
}

/* The tails of the normal approximation, with correction for continuity. */
static void normal_tails(double w, double nx, double ny, double ties, double *below, double *above)
{
	double n = nx + ny, mean = nx * ny / 2;
	double sigma = sqrt(nx * ny / 12 * (n + 1 - ties / (n * (n - 1))));

	if (!(sigma > 0)) {
		*below = *above = 1;
		return;
	}
	*below = pnorm((w - mean + 0.5) / sigma, 0, 1, 1, 0);
	*above = pnorm((w - mean - 0.5) / sigma, 0, 1, 0, 0);
}

static int tails(const struct item *items, size_t nx, size_t ny, size_t sum2, double ties,
		 struct stats_rank_test *test, double *below, double *above)
{
	test->exact = nx <= EXACT_MAX && ny <= EXACT_MAX;
	if (!test->exact) {
		normal_tails(test->w, (double)nx, (double)ny, ties, below, above);
		return 0;
	}
	if (test->ties)
		return count_tails(items, nx + ny, nx, sum2, below, above);
	*below = pwilcox(test->w, (double)nx, (double)ny, 1, 0);
	*above = pwilcox(test->w - 1, (double)nx, (double)ny, 0, 0);
	return 0;
}

int stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny,
		       enum stats_side side, struct stats_rank_test *test)
{
	double below = 1, above = 1, ties;
	size_t sum2 = 0, n = nx + ny;
	struct item *items;
	int err = check(x, nx, y, ny);

	if (err)
		return err;
	items = calloc(n, sizeof(items[0]));
	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		items[i] = (struct item){ i < nx ? x[i] : y[i - nx], i < nx, 0 };
	ties = rank_items(items, n);
	for (size_t i = 0; i < n; i++)
		sum2 += items[i].first ? items[i].rank2 : 0;
	test->ties = ties > 0;
	test->w = (double)sum2 / 2 - (double)nx * (double)(nx + 1) / 2;
	err = tails(items, nx, ny, sum2, ties, test, &below, &above);
	test->p = choose_p(side, below, above);
	free(items);
	return err;
}

double stats_median(double *values, size_t n)
{
	double low, high;

	if (!n)
		return NAN;
	qsort(values, n, sizeof(values[0]), by_number);
	low = values[(n - 1) / 2];
	high = values[n / 2];
	/* Half-way between -inf and anything is -inf, where the arithmetic would give NaN. */
	return low == high || isinf(low) ? low : low + (high - low) / 2;
}

/* The rank (from 1) of the difference at the lower end, and what the interval is worth. */
static double lower_rank(double nx, double ny, double confidence, double *achieved)
{
	double tail = (1 - confidence) / 2, k;

	if (nx <= EXACT_MAX && ny <= EXACT_MAX) {
		k = fmax(qwilcox(tail, nx, ny, 1, 0), 1);
		*achieved = 1 - 2 * pwilcox(k - 1, nx, ny, 1, 0);
		return k;
	}
	k = nx * ny / 2 + qnorm(tail, 0, 1, 1, 0) * sqrt(nx * ny * (nx + ny + 1) / 12);
	*achieved = confidence;
	return fmax(floor(k), 1);
}

int stats_hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double confidence,
			 double *shift, struct stats_interval *interval)
{
	size_t n = nx * ny, k;
	double *differences;
	int err = check(x, nx, y, ny);

	if (err)
		return err;
	differences = malloc(n * sizeof(differences[0]));
	if (!differences)
		return -ENOMEM;
	for (size_t i = 0; i < nx; i++)
		for (size_t j = 0; j < ny; j++)
			differences[i * ny + j] = x[i] == y[j] ? 0 : x[i] - y[j];
	*shift = stats_median(differences, n); /* and sorts them */
	k = (size_t)lower_rank((double)nx, (double)ny, confidence, &interval->confidence);
	interval->low = differences[k - 1];
	interval->high = differences[n - k];
	free(differences);
	return 0;
}

struct stats_interval stats_median_ranks(size_t n, double confidence)
{
	double tail = (1 - confidence) / 2, size = (double)n, k = 1;

	while (k < size / 2 && pbinom(k, size, 0.5, 1, 0) <= tail)
		k++;
	return (struct stats_interval){
		.low = k,
		.high = size + 1 - k,
		.confidence = n ? fmax(1 - 2 * pbinom(k - 1, size, 0.5, 1, 0), 0) : 0,
	};
}
