/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/clock_watch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "system/clock.h"

#define STEP_NS (NS_PER_SEC / 10)
/* Twice what adjtimex(2) allows. */
#define SLEW_PER_SEC_NS (NS_PER_SEC / 1000)
/* After a suspend the kernel sets CLOCK_REALTIME from a clock of whole seconds. */
#define RESUME_NS (2 * NS_PER_SEC)
/* Less is the noise of two readings, one after the other. */
#define SUSPENDED_NS (NS_PER_SEC / 1000)
#define READINGS 3

/* clock - CLOCK_MONOTONIC, from the pair of readings that lie nearest to each other. */
static int64_t offset(clockid_t clock)
{
	int64_t best = 0, least = INT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		int64_t before = clock_now_ns(), after;
		struct timespec ts;

		if (clock_gettime(clock, &ts))
			return 0;
		after = clock_now_ns();
		if (after - before < least) {
			least = after - before;
			best = ts.tv_sec * NS_PER_SEC + ts.tv_nsec - (before + least / 2);
		}
	}
	return best;
}

void clock_watch_start(struct clock_watch *watch)
{
	memset(watch, 0, sizeof(*watch));
	watch->start_ns = watch->looked_ns = clock_now_ns();
	watch->real_ns = offset(CLOCK_REALTIME);
	watch->boot_ns = offset(CLOCK_BOOTTIME);
}

void clock_watch_look(struct clock_watch *watch)
{
	int64_t now = clock_now_ns(), real = offset(CLOCK_REALTIME);
	int64_t suspended = offset(CLOCK_BOOTTIME) - watch->boot_ns;
	int64_t elapsed = now - watch->looked_ns, before = watch->suspended_ns;
	int64_t step, tolerance = STEP_NS + elapsed / NS_PER_SEC * SLEW_PER_SEC_NS;

	if (suspended - before > SUSPENDED_NS) {
		watch->suspended_ns = suspended;
		tolerance += RESUME_NS;
	}
	/* Real time goes on in a suspend: that is no step. */
	step = real - watch->real_ns - (watch->suspended_ns - before);
	if (llabs(step) > tolerance) {
		watch->steps++;
		watch->stepped_ns += step;
	}
	watch->real_ns = real;
	watch->looked_ns = now;
}
