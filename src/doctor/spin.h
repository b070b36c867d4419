/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spin test: a thread reads the clock without pause for a second and more. Where two readings
 * are far apart it was not running, and what was counted meanwhile tells why.
 */
#ifndef LT_DOCTOR_SPIN_H
#define LT_DOCTOR_SPIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doctor/doctor.h"
#include "util/fault.h"

#define SPIN_GAP_NS 20000
#define SPIN_BUDGETS 3

struct spin_gap {
	int64_t at_ns; /* since the start */
	int64_t ns;
};

/* A rule by which the kernel makes real-time tasks pause, and thus the gap to be expected. */
struct spin_budget {
	const char *name;
	int64_t runtime_ns, period_ns;
};

struct spin {
	int priority;          /* of SCHED_FIFO; 0: an ordinary policy, FIFO could not be had */
	int cpu;
	int64_t elapsed_ns;
	/* What the kernel counted meanwhile, of thread and CPU; -1 where it is not told. */
	int64_t waited_ns;     /* ready to run, but the CPU ran something else, or nothing */
	int64_t steal_ns;
	int64_t interrupts;
	char most[120];        /* the most frequent of them */
	int64_t smi_before, smi_after; /* MSR 0x34 of Intel */
	/* Gaps that are throttling are no noise. */
	uint64_t gaps;
	int64_t longest_ns, lost_ns;
	uint64_t throttlings;
	struct spin_gap throttling;    /* the first: at_ns is how long the thread could run */
	int64_t throttled_ns;
	struct spin_budget rule;       /* that explains it */
};

/*
 * Runs it on the CPU of params (where that is not pinned: on the one that this thread is on), with
 * the priority of params, or under an ordinary policy where SCHED_FIFO is refused. Takes 1 to 2 s.
 * 0, or a negative errno with the reason in fault.
 */
int spin_run(const struct doctor_params *params, struct spin *spin, struct fault *fault);

/*
 * Adds n gaps to what spin tells, those apart that one of the budgets explains: of period -
 * runtime, within 10 % or a tick, after a burn of at least half of the runtime and at most two
 * periods. The kernel's own period may have begun before the burn: then the first gap may also be
 * shorter, down to a tenth if it comes when the runtime is used up, down to half after four fifths
 * of it (other real-time tasks may have had the rest). Only under SCHED_FIFO.
 */
void spin_sort(struct spin *spin, const struct spin_gap *gap, size_t n,
	       const struct spin_budget *budget, size_t n_budgets);

/* The rules in force; those that let real-time tasks run all the time are left out. */
size_t spin_budgets(const struct doctor_params *params, struct spin_budget budget[SPIN_BUDGETS]);

#endif
