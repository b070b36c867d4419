/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The timer source: the RTC's rate (or any other) from an absolute CLOCK_MONOTONIC sleep. */
#include <time.h>

#include "measure/grid.h"
#include "rtc/kernel_sources.h"
#include "system/clock.h"

/* Far enough ahead that the measuring thread is ready when the first tick comes. */
#define START_DELAY_NS 20000000LL

struct timer_state {
	int64_t t0_ns;
	uint64_t tick; /* last tick that was reported */
	uint32_t rate_hz;
};

static int timer_open(void *state, const struct source_params *params, struct fault *fault)
{
	struct timer_state *timer = state;

	(void)fault;
	timer->rate_hz = params->rate_hz;
	return 0;
}

static int timer_start(void *state, int64_t *t0_ns, struct fault *fault)
{
	struct timer_state *timer = state;

	(void)fault;
	timer->t0_ns = clock_now_ns() + START_DELAY_NS;
	timer->tick = 0;
	*t0_ns = timer->t0_ns;
	return 0;
}

static int timer_wait(void *state, struct wake *wake)
{
	struct timer_state *timer = state;
	int64_t due = timer->t0_ns + grid_due_ns(timer->tick + 1, timer->rate_hz);
	struct timespec until = { .tv_sec = due / NS_PER_SEC, .tv_nsec = due % NS_PER_SEC };
	uint64_t now_tick;
	int err;

	/*
	 * Not when due has passed already: some kernels sleep a few us then, and would take a
	 * thread that is always late for one that sleeps (see runaway.h).
	 */
	if (wake->now_ns < due) {
		err = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		if (err)
			return -err;
	}
	wake->now_ns = clock_now_ns();
	now_tick = grid_ticks_at(wake->now_ns - timer->t0_ns, timer->rate_hz);
	wake->ticks = now_tick - timer->tick;
	wake->lateness_ns = LATENESS_UNKNOWN;
	wake->xruns = 0;
	timer->tick = now_tick;
	return 0;
}

static void timer_nothing(void *state)
{
	(void)state;
}

const struct source_ops source_timer = {
	.name = "timer",
	.summary = "high-resolution kernel timer, absolute clock_nanosleep on CLOCK_MONOTONIC",
	.state_bytes = sizeof(struct timer_state),
	.lateness = LATENESS_EXACT,
	.any_rate = true,
	.min_hz = 1,
	.max_hz = TIMER_MAX_HZ,
	.open = timer_open,
	.start = timer_start,
	.stop = timer_nothing,
	.close = timer_nothing,
	.wait = timer_wait,
};
