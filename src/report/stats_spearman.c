/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#include <errno.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>

#define EXACT_MAX 9    /* 9! orders are counted in some milliseconds */
#define VALUES_MAX 100000

struct item {
	double value;
	size_t index;
};

/* Twice the midranks of two samples, so that they are whole numbers. */
struct ranks {
	int64_t *x, *y;
	size_t n;
	double log_alike; /* of the ways in which equal values can change places, on one side */
};

static int by_value(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Returns the logarithm of in how many ways equal values can change places; 0: none are equal. */
static double rank(const double *values, size_t n, struct item *items, int64_t *rank2)
{
	double log_alike = 0;

	for (size_t i = 0; i < n; i++)
		items[i] = (struct item){ values[i], i };
	qsort(items, n, sizeof(items[0]), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && items[end].value == items[i].value; end++)
			;
		log_alike += end - i > 1 ? lgamma((double)(end - i) + 1) : 0;
		for (size_t j = i; j < end; j++)
			rank2[items[j].index] = (int64_t)(i + 1 + end);
	}
	return log_alike;
}

/* n times the sum of products less what it is on the average: zero for no correlation. */
static int64_t off(const struct ranks *ranks)
{
	int64_t products = 0, x = 0, y = 0, n = (int64_t)ranks->n;

	for (size_t i = 0; i < ranks->n; i++) {
		products += ranks->x[i] * ranks->y[i];
		x += ranks->x[i];
		y += ranks->y[i];
	}
	return n * products - x * y;
}

/* The pearson correlation of the ranks; NaN where a side does not vary. */
static double correlation(const struct ranks *ranks)
{
	double n = (double)ranks->n, mean = n + 1, xx = 0, yy = 0;

	for (size_t i = 0; i < ranks->n; i++) {
		double x = (double)ranks->x[i] - mean, y = (double)ranks->y[i] - mean;

		xx += x * x;
		yy += y * y;
	}
	return xx > 0 && yy > 0 ? (double)off(ranks) / n / sqrt(xx * yy) : NAN;
}

struct count {
	struct ranks *ranks;
	int64_t limit;
	double extreme, all;
};

/* All orders of the first `left` of y (Heap 1963). */
static void permute(struct count *count, size_t left)
{
	int64_t *y = count->ranks->y;

	if (left <= 1) {
		count->all++;
		count->extreme += llabs(off(count->ranks)) >= count->limit;
		return;
	}
	for (size_t i = 0; i < left; i++) {
		size_t other = left % 2 ? 0 : i;
		int64_t swap;

		permute(count, left - 1);
		swap = y[other];
		y[other] = y[left - 1];
		y[left - 1] = swap;
	}
}

static double exact_p(struct ranks *ranks)
{
	struct count count = { ranks, llabs(off(ranks)), 0, 0 };

	permute(&count, ranks->n);
	return count.extreme / count.all;
}

static double approximate_p(double rho, double freedom)
{
	double t = fabs(rho) * sqrt(freedom / (1 - rho * rho));

	if (!isfinite(t))
		return 0;
	return fmin(2 * pt(t, freedom, 0, 0), 1);
}

double stats_spearman_least_p(size_t n)
{
	return n < 2 ? 1 : fmin(2 * exp(-lgamma((double)n + 1)), 1);
}

/*
 * What was seen is one of n! orders, and as many of them are the same as equal values can change
 * places in: no p is less than their share. Without ties the reverse order counts as well.
 */
static double least_p(const struct ranks *ranks)
{
	if (!(ranks->log_alike > 0))
		return stats_spearman_least_p(ranks->n);
	return fmin(exp(ranks->log_alike - lgamma((double)ranks->n + 1)), 1);
}

int stats_spearman(const double *x, const double *y, size_t n, size_t fitted,
		   struct stats_spearman *test)
{
	struct item *items = calloc(n + 1, sizeof(items[0]));
	struct ranks ranks = { .x = calloc(n + 1, sizeof(ranks.x[0])),
			       .y = calloc(n + 1, sizeof(ranks.y[0])), .n = n };
	int err = items && ranks.x && ranks.y ? 0 : -ENOMEM;

	*test = (struct stats_spearman){ .rho = NAN, .p = NAN };
	if (!err && (n < 3 + fitted || n > VALUES_MAX))
		err = -EINVAL;
	for (size_t i = 0; !err && i < n; i++)
		if (isnan(x[i]) || isnan(y[i]))
			err = -EINVAL;
	if (!err) {
		ranks.log_alike = fmax(rank(x, n, items, ranks.x), rank(y, n, items, ranks.y));
		test->ties = ranks.log_alike > 0;
		test->rho = correlation(&ranks);
		test->exact = n <= EXACT_MAX && !fitted;
	}
	if (!err && !isnan(test->rho))
		test->p = fmax(test->exact ? exact_p(&ranks) :
					     approximate_p(test->rho, (double)(n - fitted) - 2),
			       least_p(&ranks));
	free(items);
	free(ranks.x);
	free(ranks.y);
	return err;
}
