/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A phase over time in constant memory: least and greatest diff and burn of each of up to
 * TIMELINE_BINS equal stretches. When they are used up, pairs are merged and the stretches double,
 * so no spike is ever lost and the length of the phase need not be known before.
 */
#ifndef LT_REPORT_TIMELINE_H
#define LT_REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "measure/cycle.h"

#define TIMELINE_BINS 4096

struct timeline_bin {
	uint64_t n;             /* cycles; 0: the other fields mean nothing but missed */
	int64_t min_diff_ns, max_diff_ns;
	int64_t min_burn_ns, max_burn_ns;
	uint64_t missed;        /* cycles missed just before those of the bin */
};

struct timeline {
	int64_t start_ns;       /* wake-up of the origin */
	int64_t end_ns;         /* last wake-up */
	int64_t bin_ns;         /* length of one stretch */
	size_t n;               /* stretches in use */
	uint32_t wakeups;
	int have_origin;
	int64_t last_wake_ns;
	uint64_t last_index;
	struct timeline_bin bins[TIMELINE_BINS];
};

/* Readies an empty timeline whose stretches are one period long at first. */
void timeline_init(struct timeline *timeline, double period_ns, uint32_t wakeups);

/*
 * Takes cycles in the order of the file; the very first is the origin. A diff over lost cycles is
 * left out.
 */
void timeline_add(struct timeline *timeline, const struct cycle *cycles, size_t n);

/*
 * Least and greatest of all that lies in from_ns <= time < to_ns after start_ns, by whole
 * stretches; bin.n is 0 where there is nothing.
 */
struct timeline_bin timeline_range(const struct timeline *timeline, int64_t from_ns, int64_t to_ns);

#endif
