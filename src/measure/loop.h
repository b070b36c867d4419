/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The real-time loop: wait, burn, record. */
#ifndef LT_MEASURE_LOOP_H
#define LT_MEASURE_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/ring.h"
#include "measure/runaway.h"
#include "measure/source.h"
#include "measure/turn.h"

struct loop_params {
	const struct source_ops *ops;
	uint32_t wakeups;        /* ticks per cycle */
	uint64_t loops;          /* iterations of the burn */
	uint64_t warmup_cycles;  /* not recorded; the last of them gives the first diff, so >= 1 */
	uint64_t cycles;         /* due times to record */
	int64_t overrun_ns;      /* a diff greater than this is an overrun (for the live line) */
};

/* What other threads may read, and the one thing they may write, while the loop runs. */
struct loop_status {
	_Atomic bool stop;        /* set from outside: end after this cycle */
	_Atomic bool recording;
	_Atomic uint64_t cycles;  /* recorded */
	_Atomic uint64_t missed;
	_Atomic uint64_t overruns;
	_Atomic int64_t max_diff_ns;
	_Atomic int64_t burn_sum_ns;
};

/* What the thread cost and suffered while it recorded, from the kernel's own books. */
struct loop_usage {
	int64_t minor_faults, major_faults;
	int64_t voluntary_switches, involuntary_switches;
	int64_t cpu_ns;
};

struct loop_result {
	int error;              /* 0, or the negative errno with which the source ended the loop */
	uint64_t cycles;        /* taken while recording (those lost by the ring included) */
	uint64_t missed;
	uint64_t waits;
	uint64_t first_index;   /* index of the origin: the last cycle that was not recorded */
	uint64_t last_index;
	uint64_t ticks;         /* all ticks from tick 0 to the last wake-up */
	int64_t last_wake_ns;   /* after tick 0 */
	bool broken;            /* ended by SIGXCPU (see runaway.h) */
	int64_t unfinished_burn_ns; /* how long the burn that was left had lasted; 0: none was */
	struct loop_usage usage;
};

/*
 * All that the measuring thread touches, in one piece of locked memory (see thread.h). The source's
 * state and the ring lie behind it.
 */
struct loop {
	struct loop_params params;
	int64_t t0_ns;
	void *source;
	struct ring *ring;
	struct turn turn;
	struct cycle last;      /* the cycle recorded last */
	int64_t woke_ns;        /* CLOCK_MONOTONIC of the wake-up of the one that goes on */
	int64_t ended_ns;       /* CLOCK_MONOTONIC of the end of the last burn; 0: none yet */
	struct runaway runaway;
	struct loop_status status;
	struct loop_result result;
};

/*
 * Runs warm-up and recording on the calling thread; the source has been started. The origin of
 * the first diff goes into the ring as a cycle of its own, before the first recorded one. Returns
 * the error of result (0 where it ended by itself or by status.stop).
 */
int loop_run(struct loop *loop);

#endif
