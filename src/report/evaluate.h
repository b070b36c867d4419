/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a sample file to metrics. */
#ifndef LT_REPORT_EVALUATE_H
#define LT_REPORT_EVALUATE_H

#include "report/metrics.h"
#include "report/timeline.h"
#include "util/fault.h"

struct evaluation {
	struct metrics metrics;
	struct timeline *timeline;
	bool has_end;             /* the recording was ended in order; else it was cut short */
	struct sample_end end;
	uint64_t lost;            /* cycles that never reached the file */
	uint64_t write_blocked;   /* events of that kind, and their time */
	int64_t write_blocked_ns;
	uint64_t bytes;           /* size of the file */
	bool damaged;             /* the file is cut or damaged; damage tells where */
	struct fault damage;
};

/*
 * Reads the file up to its end or its first damage (which is no error: see damaged). rate_hz,
 * wakeups, lateness and slope_ns of params are taken from the file. 0, or a negative errno with the
 * reason in fault. End with evaluation_free().
 */
int evaluate_samples(const char *path, const struct metrics_params *params,
		     struct evaluation *evaluation, struct fault *fault);

void evaluation_free(struct evaluation *evaluation);

/*
 * The invariants of a whole recording: cycles + missed = expected, where expected comes from the
 * elapsed time (exact grids) or the ticks (others); the loop's own counts; the histograms' sums.
 * True when they hold, else the reason in fault. *expected is set in either case; 0 where nothing
 * was recorded.
 */
bool evaluation_consistent(const struct evaluation *evaluation, uint64_t *expected,
			   struct fault *fault);

#endif
