/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that may not be delayed: its stack and all it touches lie in one locked piece of
 * memory that is not copied to forked children (a copy would make its next write fault).
 */
#ifndef LT_MEASURE_RT_THREAD_H
#define LT_MEASURE_RT_THREAD_H

#include <stddef.h>

#include "util/fault.h"

struct rt_attributes {
	int policy;   /* SCHED_FIFO, SCHED_RR or SCHED_OTHER */
	int priority; /* 1 to 99; 0 with SCHED_OTHER */
	int cpu;      /* -1: not pinned */
};

struct rt_thread;

/*
 * Maps and locks memory for a thread with payload bytes for its own use; locks the program's code
 * and that of `library` too (see rights_lock_program()). *memory is the payload, zeroed. 0 or a
 * negative errno with the reason in fault.
 */
int rt_thread_create(struct rt_thread **thread, size_t payload, const char *library,
		     void **memory, struct fault *fault);

/*
 * Starts the thread. It pins itself, takes its policy, sets the timer slack to 1 ns, touches its
 * stack and then runs body(argument). 0 once it runs, or a negative errno with the reason in
 * fault; body was not called then.
 */
int rt_thread_start(struct rt_thread *thread, const struct rt_attributes *attributes,
		    void (*body)(void *argument), void *argument, struct fault *fault);

/* Whether body() has returned; never blocks. */
int rt_thread_done(struct rt_thread *thread);

/* Sends a signal (ignored, but it ends a blocked wait with EINTR) to the thread. */
void rt_thread_nudge(struct rt_thread *thread);

/* Sends SIGXCPU, which breaks off what the thread computes (see runaway.h). */
void rt_thread_break(struct rt_thread *thread);

/* Waits for the end of the thread. */
void rt_thread_join(struct rt_thread *thread);

/* Bytes locked for it, the program's code included. */
size_t rt_thread_locked_bytes(const struct rt_thread *thread);

/* Timer slack in ns as the thread read it back. */
long rt_thread_timer_slack_ns(const struct rt_thread *thread);

/* Joins if need be, unmaps, frees. thread may be NULL. */
void rt_thread_free(struct rt_thread *thread);

#endif
