/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of a phase share: phase.c starts and ends it, phase_watch.c looks after it. */
#ifndef LT_MEASURE_PHASE_PARTS_H
#define LT_MEASURE_PHASE_PARTS_H

#include "measure/phase.h"
#include "measure/sample.h"

/* All that has to be undone at the end, in the order in which it is made. */
struct phase {
	const struct phase_params *params;
	const struct phase_hooks *hooks;
	struct phase_result *result;
	struct load *load;
	struct rt_thread *thread;
	struct loop *loop;
	void *source;            /* state; NULL until open() was called */
	bool ticking;
	struct sample_writer *writer;
	struct recorder *recorder;
	bool window_open;
	/* For the watch on a silent source: the last change of these two, and when that was. */
	uint64_t seen_cycles;
	bool seen_recording;
	int64_t seen_ns, looked_ns;
	int64_t stop_ns;         /* when the loop was asked to end; 0: not yet */
	bool broke_off;          /* its burn was broken off because it did not end when asked */
};

/* Of one cycle, nominal. */
int64_t phase_period_ns(const struct phase_params *params);

/* Shows how far it is. */
void phase_show(struct phase *phase);

/* Sleeps; notes the user's wish, and returns it. */
enum phase_wish phase_pause(struct phase *phase, int timeout_ms);

/* Opens the window over which stressor and interrupts are counted. */
void phase_open_window(struct phase *phase);

/*
 * Looks after the measuring thread until it has ended, and ends it where it has to. 0, or a
 * negative errno with the reason in result->error.
 */
int phase_watch(struct phase *phase);

/* Why the loop was broken off where nobody asked for it: result->error and -ETIME; else 0. */
int phase_runaway(struct phase *phase, int64_t limit_ns);

#endif
