/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measuring thread that never sleeps must not lock up the machine. The kernel counts the
 * processor time that a real-time thread takes without a sleep and sends SIGXCPU at the limit
 * (RLIMIT_RTTIME). Its handler puts the thread back to SCHED_OTHER, asks the loop to end and, in a
 * burn, leaves that in its midst. Other threads keep SIGXCPU blocked, so that it is this one that
 * gets it.
 */
#ifndef LT_MEASURE_RUNAWAY_H
#define LT_MEASURE_RUNAWAY_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

/* Processor time without a sleep that is too much, besides RUNAWAY_PERIODS periods. */
#define RUNAWAY_NS 2000000000LL
#define RUNAWAY_PERIODS 4
/* If the handler did not help within so much more, the kernel kills the program. */
#define RUNAWAY_KILL_NS 10000000000LL

struct runaway {
	sigjmp_buf escape;     /* to the end of the loop */
	_Atomic bool burning;  /* pure computing, which may be left anywhere */
	_Atomic bool broken;   /* SIGXCPU came: the thread is an ordinary one since */
	_Atomic bool *stop;    /* what asks the loop to end */
};

/*
 * On the measuring thread: from here to runaway_leave() SIGXCPU does as told above. escape has to
 * be set (sigsetjmp) before burning is.
 */
void runaway_enter(struct runaway *runaway);
void runaway_leave(void);

/*
 * Sets RLIMIT_RTTIME of the process to limit_ns, or to what the hard limit allows; *old takes the
 * limits that were. To be undone with runaway_unlimit(), as far as the rights allow. Returns the
 * limit in ns that holds now.
 */
int64_t runaway_limit(int64_t limit_ns, struct rlimit *old);
void runaway_unlimit(const struct rlimit *old);

#endif
