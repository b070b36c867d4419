/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of cyclictest's outputs share. */
#ifndef LT_REPORT_IMPORT_CYCLICTEST_H
#define LT_REPORT_IMPORT_CYCLICTEST_H

#include "report/import_parts.h"

#define CYCLICTEST_THREADS 1024

/* The conditions that every run of cyclictest has; "" is unknown. */
void import_cyclictest_conditions(json_t *run, const char *command, const char *policy);

/* ---- histograms as text (import_histogram.c) ---- */

enum histogram_state {
	HISTOGRAM_NONE,
	HISTOGRAM_ROWS,  /* being read */
	HISTOGRAM_FEET,  /* the lines of totals below the rows */
	HISTOGRAM_WHOLE, /* all that is needed was there */
};

struct import_histogram {
	enum histogram_state state;
	unsigned long line;          /* of its heading */
	size_t columns;              /* of a row; with -H one more than threads */
	size_t threads;              /* 0: not known yet */
	int64_t last;                /* value of the last row */
	struct import_cell *cells;
	size_t n_cells, room;
	unsigned int have;           /* which feet were read */
	uint64_t sum[CYCLICTEST_THREADS + 1];
	uint64_t total[CYCLICTEST_THREADS + 1];
	uint64_t min[CYCLICTEST_THREADS + 1];
	uint64_t avg[CYCLICTEST_THREADS + 1];
	uint64_t max[CYCLICTEST_THREADS + 1];
	uint64_t overflow[CYCLICTEST_THREADS + 1];
};

enum histogram_taken { HISTOGRAM_OTHER, HISTOGRAM_TAKEN, HISTOGRAM_DAMAGED };

void import_histogram_clear(struct import_histogram *histogram);
void import_histogram_begin(struct import_histogram *histogram, unsigned long line);

/* A line after the heading; damage has been told. */
enum histogram_taken import_histogram_line(struct import *im, struct import_histogram *histogram,
					   const struct import_line *line);

/*
 * Puts the figures of a whole histogram into the threads of the phase, which are made where they
 * are missing. 0 or a negative errno.
 */
int import_histogram_put(const struct import_histogram *histogram, json_t *phase, double unit_us);

#endif
