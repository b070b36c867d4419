/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stressor's process and its parent share. For the files of loads/ only. */
#ifndef LT_LOADS_LOAD_CHILD_H
#define LT_LOADS_LOAD_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "loads/load.h"

/* Atomics that hide a lock would not work between two processes. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2,
	       "latencytest needs lock-free 64-bit atomics");

/* Progress as of the stressor's last report. */
struct load_report {
	_Atomic int64_t window_start_ns; /* the window these figures are about; 0: none open */
	_Atomic int64_t last_ns;         /* when progress was last made */
	_Atomic int64_t longest_stall_ns;
	_Atomic int64_t stalled_ns;
	_Atomic uint64_t units;
};

/*
 * In memory shared by both processes. Reports are written by the child in turn into two places,
 * and `reports` counts those that are complete: the newest is reports[count % 2]. A reader that
 * finds the count unchanged has a consistent one, and it never waits for a child that was stopped
 * in the middle of writing, as it would with a lock or a sequence counter.
 */
struct load_shared {
	_Atomic int64_t window_start_ns; /* written by the parent */
	_Atomic unsigned int count;
	struct load_report reports[2];
	_Atomic int state;               /* enum load_state; set after reason */
	char reason[480];
};

struct load_child {
	struct load_shared *shared;
	const struct stressor *stressor;
	const struct load_params *params;
	const void *cpuset; /* NULL: keep the affinity of the parent */
	size_t cpuset_size;
	pid_t parent;
};

/* The life of the stressor's process, entered right after fork() with all signals blocked. */
_Noreturn void load_child_main(const struct load_child *child);

/*
 * True once the stressor was asked to end: prepare() and step() look here in whatever may take
 * longer than a second, clean up, and return -EINTR.
 */
bool load_stopping(void);

#endif
