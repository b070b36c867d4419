/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/import_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/histogram.h"
#include "util/jx.h"

static const struct {
	const char *key;
	double q;
} quantiles[] = {
	{ "lateness_median_us", 0.5 },     { "lateness_p90_us", 0.9 },
	{ "lateness_p99_us", 0.99 },       { "lateness_p99_9_us", 0.999 },
	{ "lateness_p99_99_us", 0.9999 },  { "lateness_p99_999_us", 0.99999 },
};

#define N_QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

/* How far a column has been walked through. */
struct progress {
	uint64_t seen;
	size_t next; /* the quantile that is looked for */
};

/* The rank as report/histogram.c has it. */
static uint64_t rank_of(double q, uint64_t total)
{
	uint64_t rank = (uint64_t)ceil(q * (double)total * (1 - 1e-14));

	return rank ? rank : 1;
}

/* Those that are reached at this value; what too few cycles or an overflow hide is null. */
static void put_reached(json_t *thread, struct progress *progress, uint64_t total, double value_us)
{
	for (; progress->next < N_QUANTILES; progress->next++) {
		double q = quantiles[progress->next].q;

		if (!histogram_supports(total, q)) {
			jx_put(thread, quantiles[progress->next].key, json_null());
			continue;
		}
		if (rank_of(q, total) > progress->seen)
			return;
		jx_put_real(thread, quantiles[progress->next].key, value_us);
	}
}

int import_put_quantiles(json_t *const *threads, size_t columns, const struct import_cell *cells,
			 size_t n_cells, const uint64_t *n, const uint64_t *above, double unit_us)
{
	struct progress *progress = calloc(columns + 1, sizeof(*progress));

	if (!progress)
		return -ENOMEM;
	for (size_t i = 0; i < n_cells; i++) {
		size_t column = cells[i].column;

		if (column >= columns)
			continue; /* of all threads together */
		progress[column].seen += cells[i].count;
		put_reached(threads[column], &progress[column], n[column] + above[column],
			    cells[i].value * unit_us);
	}
	for (size_t column = 0; column < columns; column++)
		for (size_t j = progress[column].next; n[column] && j < N_QUANTILES; j++)
			jx_put(threads[column], quantiles[j].key, json_null());
	free(progress);
	return 0;
}
