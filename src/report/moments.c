/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/moments.h"

#include <math.h>

void moments_add(struct moments *moments, const double *values, size_t n)
{
	double sum = 0, m2 = 0, rest = 0, mean, delta, total;

	if (!n)
		return;
	/* Distances from the first value are small numbers, whatever the values are. */
	for (size_t i = 0; i < n; i++)
		sum += values[i] - values[0];
	mean = values[0] + sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double distance = values[i] - mean;

		m2 += distance * distance;
		rest += distance;
	}
	/* The mean was rounded; what the distances sum to corrects for it. */
	m2 -= rest * rest / (double)n;
	total = (double)moments->n + (double)n;
	delta = mean - moments->mean;
	moments->mean += delta * (double)n / total;
	moments->m2 += m2 + delta * delta * (double)moments->n * (double)n / total;
	moments->n += n;
}

double moments_stddev(const struct moments *moments)
{
	return moments->n > 1 ? sqrt(moments->m2 / (double)(moments->n - 1)) : NAN;
}
