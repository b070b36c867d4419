/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring thread needs from the machine: a real-time policy, a CPU, locked memory. */
#ifndef LT_SYSTEM_RIGHTS_H
#define LT_SYSTEM_RIGHTS_H

#include <stddef.h>

#include "util/fault.h"

/*
 * Gives the calling thread the policy (SCHED_FIFO, SCHED_RR or SCHED_OTHER, with
 * SCHED_RESET_ON_FORK) and priority. 0 or a negative errno; fault then names the call, the errno,
 * the likely cause (RLIMIT_RTPRIO, a cgroup without real-time budget, missing CAP_SYS_NICE) and
 * its cure.
 */
int rights_set_policy(int policy, int priority, struct fault *fault);

struct rights_reason {
	char cause[320];
	char cure[200];
};

/*
 * Why SCHED_FIFO or SCHED_RR of that priority is refused with EPERM to the calling thread, by
 * what can be read of limits, capabilities, control group and filters.
 */
void rights_why_refused(int priority, struct rights_reason *why);

/*
 * Pins the calling thread to one CPU. 0 or a negative errno with the reason (offline, not
 * allowed).
 */
int rights_pin(int cpu, struct fault *fault);

/*
 * Locks the code and data that the measuring loop touches: the loaded segments of the program
 * itself, of the C library and of the library whose file name begins with `library` (NULL: none),
 * not of the others beside them, so that it fits in an RLIMIT_MEMLOCK of 8 MiB. 0 or a negative
 * errno with the limit and the cure in fault. *locked_bytes is increased by what was locked.
 */
int rights_lock_program(const char *library, size_t *locked_bytes, struct fault *fault);

/* Locks one range, with the same words for a failure. */
int rights_lock(void *start, size_t bytes, const char *what, size_t *locked_bytes,
		struct fault *fault);

/* How many more bytes this process may lock now: SIZE_MAX where it is not limited. */
size_t rights_lockable(void);

/*
 * Asks the kernel to keep exit latencies of idle states at or below us (0: none but polling) for
 * as long as the returned descriptor is open. The descriptor, or a negative errno with the reason
 * in fault.
 */
int rights_hold_dma_latency(int us, struct fault *fault);

#endif
