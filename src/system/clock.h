/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC: the one clock of every measurement, and what it is worth on this machine. */
#ifndef LT_SYSTEM_CLOCK_H
#define LT_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "util/fault.h"

#define NS_PER_SEC 1000000000LL

/* CLOCK_MONOTONIC in ns; through the vDSO where the clock source allows. Cannot fail on Linux. */
static inline int64_t clock_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_SEC + ts.tv_nsec;
}

struct clock_quality {
	int64_t cost_ns;       /* median cost of one reading */
	int64_t step_ns;       /* smallest step between two readings that differ */
	int64_t resolution_ns; /* what clock_getres says */
	unsigned int cpus;     /* CPUs between which readings were compared */
	int64_t backward_ns;   /* largest step backward seen between CPUs; 0 when monotonic */
};

/*
 * Times the clock and checks that it never steps backward from one allowed CPU to another. Takes
 * some milliseconds. 0, or a negative errno with the reason where the test itself failed; a clock
 * that is bad is no error here: backward_ns tells.
 */
int clock_test(struct clock_quality *quality, struct fault *fault);

#endif
