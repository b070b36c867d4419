/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of a phase, in one pass over its cycles and in constant memory. */
#ifndef LT_REPORT_METRICS_H
#define LT_REPORT_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/sample.h"
#include "report/histogram.h"
#include "report/moments.h"

#define METRICS_MAX_CPUS 1024

struct metrics_params {
	uint32_t rate_hz;
	uint32_t wakeups;
	enum lateness_kind lateness;
	int64_t slope_ns;       /* LATENESS_FITTED */
	double period_ns;       /* P = wakeups / rate */
	double deadline;        /* in periods: overrun above deadline * P */
	double burn_ns;         /* nominal burn, load * P; 0 where nothing is burned */
	double throttle_gap_ns; /* what real-time throttling would take each second; 0: it is off */
	double throttle_period_ns;
};

/* P in ns. */
double metrics_period_ns(uint32_t rate_hz, uint32_t wakeups);

struct metrics {
	struct metrics_params params;

	uint64_t cycles;          /* = diffs, but for those after a loss */
	uint64_t diffs;
	uint64_t missed;
	uint64_t overruns;
	uint64_t within_1ms, within_2ms;
	double within_1ms_ns, within_2ms_ns; /* sum of those diffs */
	double diff_sum_ns;
	struct moments diff_moments; /* in ns; complete after metrics_add() */
	double off_sum_ns;        /* sum of |diff - P| */
	double off_square_sum_ns2;
	uint64_t burn_within_100us, burn_within_200us;
	double burn_sum_ns;
	uint64_t late_finishes;
	uint64_t unstamped; /* cycles whose lateness and finish are not known: no time stamp */
	uint64_t xruns;
	uint64_t migrations;      /* changes of CPU between successive cycles */
	uint64_t throttle_stalls; /* stalls as long as real-time throttling takes */
	uint64_t throttle_gaps;   /* of these, the first and those a throttling period apart */
	uint64_t cycles_on_cpu[METRICS_MAX_CPUS];
	struct histogram *diff, *burn, *lateness, *finish; /* the last two empty where unknown */

	/* What the walks over the cycles carry along. */
	bool have_origin, have_lateness_origin;
	int64_t origin_wake_ns;
	uint64_t origin_ticks, last_ticks;
	int64_t last_wake_ns;
	uint64_t last_index;
	uint32_t last_cpu;
	int64_t last_stall_ns;    /* when the last stall began; -1: none yet */
	int64_t phase_ns;         /* of a fitted grid */
};

/* Readies metrics; 0 or -ENOMEM. End with metrics_free(). */
int metrics_init(struct metrics *metrics, const struct metrics_params *params);
void metrics_free(struct metrics *metrics);

/* Sets the phase of a fitted grid: the least of wake - ticks * slope over all cycles. */
void metrics_set_phase(struct metrics *metrics, int64_t phase_ns);

/*
 * Takes the cycles in the order of the file; the very first is the origin, not a cycle. The two
 * halves (diffs and burns; lateness and finish) touch different members, so that two threads may
 * take one each.
 */
void metrics_add_diffs(struct metrics *metrics, const struct cycle *cycles, size_t n);
void metrics_add_lateness(struct metrics *metrics, const struct cycle *cycles, size_t n);

/* Both. */
void metrics_add(struct metrics *metrics, const struct cycle *cycles, size_t n);

/* Due time of a cycle in ns after tick 0. */
int64_t metrics_due_ns(const struct metrics *metrics, const struct cycle *cycle);

/* Mean of |diff - P| in ns (the classic deviation) and the root mean square beside it. */
double metrics_deviation_ns(const struct metrics *metrics);
double metrics_rms_ns(const struct metrics *metrics);

/* The work: 5th percentile of burn; false where there are too few cycles. */
bool metrics_burn_p5_ns(const struct metrics *metrics, int64_t *value);

/*
 * How far the source's own rate lies from nominal, in parts per million: positive where its periods
 * are longer. NaN for fewer than two cycles. The first and the last wake-up may each be late, which
 * over n periods amounts to lateness / (n * P).
 */
double metrics_drift_ppm(const struct metrics *metrics);

/*
 * Whether the gaps bear the signature of real-time throttling: several, most of them a period
 * apart.
 */
bool metrics_throttled(const struct metrics *metrics);

#endif
