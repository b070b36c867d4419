/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One phase: a stressor, a source and the measuring thread, from start to a closed sample file. */
#ifndef LT_MEASURE_PHASE_H
#define LT_MEASURE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "loads/load.h"
#include "measure/loop.h"
#include "measure/recorder.h"
#include "measure/rt_thread.h"
#include "measure/source.h"
#include "system/cpu_mask.h"
#include "system/interrupts.h"

struct phase_params {
	const struct source_ops *ops;
	struct source_params source;
	struct loop_params loop; /* ops, wakeups, loops, warmup_cycles, cycles, overrun_ns */
	struct rt_attributes attributes;
	const struct stressor *stressor;
	struct load_params load;
	const struct cpu_mask *load_cpus; /* where the stressor may run */
	uint64_t ring_slots;             /* wanted; fewer where the lock limit does not allow it */
	const char *samples_path;
	const char *conditions;          /* JSON text for the head of the sample file */
};

/* What a phase looks like while it goes on. */
struct phase_live {
	bool preparing;                  /* the stressor prepares itself, or the warm-up goes on */
	uint64_t cycles, missed, overruns;
	int64_t max_diff_ns;
	int64_t burn_mean_ns;
	struct load_progress load;
	int64_t write_blocked_ns;        /* the write of samples hangs since then; 0: it does not */
};

/*
 * How a phase keeps in touch with the command: pause() sleeps and tells how urgently the user
 * wants an end; live() shows. Both run on the calling thread.
 */
enum phase_wish { PHASE_GO_ON, PHASE_END, PHASE_END_AT_ONCE };

struct phase_hooks {
	void *argument;
	enum phase_wish (*pause)(void *argument, int timeout_ms);
	void (*live)(void *argument, const struct phase_live *live);
};

struct phase_result {
	bool measured;                   /* cycles were recorded: there is a sample file */
	bool skipped;                    /* the stressor cannot run here; reason tells */
	bool interrupted;
	struct fault error;              /* what made the phase invalid; "" where nothing did */
	struct fault skip_reason;
	bool samples_copied;             /* their file was removed meanwhile, and made anew */
	struct fault samples_lost;       /* why that could not be done; "" where nothing is lost */
	unsigned int stops;              /* how often the process was stopped (the caller knows) */
	int64_t stopped_ns;              /* and for how long at most */
	int64_t suspended_ns;            /* how long the machine was suspended (the caller knows) */
	uint64_t overruns;               /* counted by the loop itself, written or not */
	int64_t max_diff_ns;             /* likewise */
	struct loop_result loop;
	struct recorder_result recorder;
	uint64_t lost;                   /* cycles that the full ring could not take */
	uint64_t ring_slots;
	struct load_progress load;
	size_t locked_bytes;
	long timer_slack_ns;
	struct interrupts *before, *after;  /* NULL where not read */
};

/*
 * Runs the phase. Whatever happens, the source is stopped, the stressor is gone and the sample
 * file closed when it returns. 0 or a negative errno (then also result->error); result is filled in
 * either case and is to be ended with phase_result_free().
 */
int phase_run(const struct phase_params *params, const struct phase_hooks *hooks,
	      struct phase_result *result);

void phase_result_free(struct phase_result *result);

/*
 * Runs body once on a thread with the attributes of the measurement (as the calibration needs). 0
 * or a negative errno with the reason in fault.
 */
int phase_on_rt_thread(const struct rt_attributes *attributes, void (*body)(void *argument),
		       void *argument, struct fault *fault);

#endif
