/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#include <errno.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>

#define RUNS_MAX 1000

struct ordered {
	double p;
	size_t index;
};

static int by_p(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

int stats_holm(const double *p, size_t n, size_t family, double *adjusted)
{
	struct ordered *order = calloc(n + 1, sizeof(order[0]));
	double least = 0;
	size_t known = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		adjusted[i] = NAN;
		if (!isnan(p[i]))
			order[known++] = (struct ordered){ p[i], i };
	}
	qsort(order, known, sizeof(order[0]), by_p);
	for (size_t i = 0; i < known; i++) {
		double factor = family > i ? (double)(family - i) : 1;

		least = fmin(fmax(least, order[i].p * factor), 1);
		adjusted[order[i].index] = least;
	}
	free(order);
	return 0;
}

double stats_least_p(size_t nx, size_t ny)
{
	return fmin(2 / choose((double)(nx + ny), (double)nx), 1);
}

size_t stats_runs_needed(size_t family, double alpha)
{
	size_t n = 1;

	while (n < RUNS_MAX && !(stats_least_p(n, n) * (double)family < alpha))
		n++;
	return n;
}
