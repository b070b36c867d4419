/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The histograms that cyclictest prints with -h and -H: a row per us, a column per thread. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/import_cyclictest.h"
#include "util/jx.h"

#define CELLS_MAX ((size_t)1 << 20) /* that are not 0 */

enum { FOOT_TOTAL = 1, FOOT_MIN = 2, FOOT_AVG = 4, FOOT_MAX = 8, FOOT_OVERFLOW = 16 };
#define FEET_NEEDED (FOOT_TOTAL | FOOT_MIN | FOOT_AVG | FOOT_MAX)

void import_histogram_clear(struct import_histogram *histogram)
{
	histogram->state = HISTOGRAM_NONE;
	histogram->n_cells = 0;
}

void import_histogram_begin(struct import_histogram *histogram, unsigned long line)
{
	histogram->state = HISTOGRAM_ROWS;
	histogram->line = line;
	histogram->columns = histogram->threads = 0;
	histogram->last = -1;
	histogram->n_cells = 0;
	histogram->have = 0;
	memset(histogram->sum, 0, sizeof(histogram->sum));
	memset(histogram->overflow, 0, sizeof(histogram->overflow));
}

static enum histogram_taken damaged(struct import *im, unsigned long line, const char *why)
{
	import_damage(im, line, "%s", why);
	return HISTOGRAM_DAMAGED;
}

static int add_cell(struct import_histogram *histogram, uint32_t value, size_t column,
		    uint64_t count)
{
	if (histogram->n_cells == histogram->room) {
		size_t room = histogram->room ? 2 * histogram->room : 4096;
		struct import_cell *cells = realloc(histogram->cells, room * sizeof(*cells));

		if (!cells)
			return -ENOMEM;
		histogram->cells = cells;
		histogram->room = room;
	}
	histogram->cells[histogram->n_cells++] =
		(struct import_cell){ .value = value, .column = (uint32_t)column, .count = count };
	return 0;
}

/* "000012 000010	000000" */
static enum histogram_taken take_row(struct import *im, struct import_histogram *histogram,
				     const struct import_line *line)
{
	uint64_t counts[CYCLICTEST_THREADS + 2];
	int n = import_counts(line->text, counts, CYCLICTEST_THREADS + 2);

	if (n < 2 || (histogram->columns && (size_t)n - 1 != histogram->columns))
		return damaged(im, line->number, "this row of the histogram cannot be read");
	if ((int64_t)counts[0] <= histogram->last || counts[0] > UINT32_MAX)
		return damaged(im, line->number, "the rows of the histogram are out of order");
	histogram->columns = (size_t)n - 1;
	histogram->last = (int64_t)counts[0];
	for (size_t column = 0; column < histogram->columns; column++) {
		uint64_t count = counts[column + 1];

		if (!count)
			continue;
		histogram->sum[column] += count;
		if (histogram->n_cells == CELLS_MAX)
			return damaged(im, line->number, "the histogram is too large");
		if (add_cell(histogram, (uint32_t)counts[0], column, count))
			im->err = -ENOMEM;
	}
	return HISTOGRAM_TAKEN;
}

/* Whether rows and totals agree, once all is there. */
static enum histogram_taken check(struct import *im, struct import_histogram *histogram)
{
	if ((histogram->have & FEET_NEEDED) != FEET_NEEDED)
		return HISTOGRAM_TAKEN;
	if (histogram->columns != histogram->threads &&
	    histogram->columns != histogram->threads + 1)
		return damaged(im, histogram->line,
			       "the rows of the histogram have other threads");
	for (size_t i = 0; i < histogram->threads; i++)
		if (histogram->sum[i] != histogram->total[i])
			return damaged(im, histogram->line,
				       "the rows of the histogram do not add up to its total");
	histogram->state = HISTOGRAM_WHOLE;
	return HISTOGRAM_TAKEN;
}

/* "# Min Latencies: 00012 00013"; with -H some have one more, of all threads together. */
static enum histogram_taken take_foot(struct import *im, struct import_histogram *histogram,
				      const struct import_line *line)
{
	const struct {
		const char *words;
		unsigned int foot;
		uint64_t *counts;
	} feet[] = {
		{ "# Total:", FOOT_TOTAL, histogram->total },
		{ "# Min Latencies:", FOOT_MIN, histogram->min },
		{ "# Avg Latencies:", FOOT_AVG, histogram->avg },
		{ "# Max Latencies:", FOOT_MAX, histogram->max },
		{ "# Histogram Overflows:", FOOT_OVERFLOW, histogram->overflow },
	};

	for (size_t i = 0; i < sizeof(feet) / sizeof(feet[0]); i++) {
		size_t length = strlen(feet[i].words);
		int n;

		if (strncmp(line->text, feet[i].words, length))
			continue;
		n = import_counts(line->text + length, feet[i].counts, CYCLICTEST_THREADS + 1);
		if (n < 1 || (histogram->have & feet[i].foot) ||
		    (feet[i].foot == FOOT_AVG && (size_t)n != histogram->threads) ||
		    (histogram->threads && (size_t)n < histogram->threads))
			return damaged(im, line->number,
				       "this line of the histogram cannot be read");
		if (feet[i].foot == FOOT_MIN)
			histogram->threads = (size_t)n;
		histogram->have |= feet[i].foot;
		if (histogram->state == HISTOGRAM_ROWS)
			histogram->state = HISTOGRAM_FEET;
		return check(im, histogram);
	}
	return HISTOGRAM_OTHER;
}

enum histogram_taken import_histogram_line(struct import *im, struct import_histogram *histogram,
					   const struct import_line *line)
{
	if (isdigit((unsigned char)line->text[0]) && histogram->state == HISTOGRAM_ROWS)
		return take_row(im, histogram, line);
	return take_foot(im, histogram, line);
}

int import_histogram_put(const struct import_histogram *histogram, json_t *phase, double unit_us)
{
	json_t *threads = json_object_get(phase, "threads"), *objects[CYCLICTEST_THREADS + 1];

	for (size_t i = 0; i < histogram->threads; i++) {
		json_t *thread = json_array_get(threads, i);

		if (!thread)
			thread = import_thread(phase, (unsigned int)i);
		jx_put_count(thread, "cycles", histogram->total[i] + histogram->overflow[i]);
		if (histogram->total[i] + histogram->overflow[i]) {
			jx_put_text(thread, "lateness_kind", "exact");
			jx_put_real(thread, "lateness_min_us", (double)histogram->min[i] * unit_us);
			jx_put_real(thread, "lateness_mean_us",
				    (double)histogram->avg[i] * unit_us);
			jx_put_real(thread, "lateness_max_us", (double)histogram->max[i] * unit_us);
		}
		jx_put_count(thread, "lateness_overflow_count", histogram->overflow[i]);
		objects[i] = thread;
	}
	return import_put_quantiles(objects, histogram->threads, histogram->cells,
				    histogram->n_cells, histogram->total, histogram->overflow,
				    unit_us);
}
