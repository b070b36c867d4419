/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arithmetic of a stream that is handed over in periods: what a wake-up is told, how late it
 * is, what is due to be handed over. Frames count from the (re)start of the stream; no ALSA here.
 */
#ifndef LT_ALSA_PERIOD_H
#define LT_ALSA_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/source.h"

#define PERIOD_NS_PER_SEC INT64_C(1000000000)

struct period_clock {
	uint32_t rate_hz;  /* frames per second */
	uint32_t period;   /* frames from one interrupt to the next */
	uint32_t cycle;    /* frames of a cycle: one or more periods */
	uint64_t told;     /* frames, in whole periods, that wake-ups have told of */
	uint64_t served;   /* of these, handed over, in whole cycles */
	int64_t told_ns;   /* when they had elapsed: the last interrupt's stamp, or the start */
	bool stamped;      /* told_ns comes from the kernel, not from a wake-up */
	bool of_kernel;    /* stamps are for certain those of interrupts, whatever their time */
};

/* Length of that many frames in ns, rounded down. */
static inline int64_t period_ns(uint64_t frames, uint32_t rate_hz)
{
	return (int64_t)(frames / rate_hz * 1000000000u + frames % rate_hz * 1000000000u / rate_hz);
}

/* The stream starts, or starts again, at start_ns. */
static inline void period_clock_start(struct period_clock *clock, int64_t start_ns)
{
	clock->told = 0;
	clock->served = 0;
	clock->told_ns = start_ns;
	clock->stamped = true;
}

/* Periods that have to elapse from what was told to the next cycle's due time; >= 1. */
static inline uint64_t period_clock_needed(const struct period_clock *clock)
{
	return (clock->cycle - (clock->told - clock->served)) / clock->period;
}

/*
 * Takes a wake-up at now_ns that found the stream at `position`, stamped stamp_ns by its last
 * interrupt (LATENESS_UNKNOWN where the device gives no stamp). Fills wake and returns true; false
 * where no further period has elapsed. With n periods elapsed since the wake-up before and the
 * cycle due after m of them, lateness = now - stamp + (n - m) periods.
 */
static inline bool period_clock_wake(struct period_clock *clock, uint64_t position,
				     int64_t stamp_ns, int64_t now_ns, struct wake *wake)
{
	uint64_t elapsed = position > clock->told ? (position - clock->told) / clock->period : 0;
	int64_t late_periods = (int64_t)(elapsed - period_clock_needed(clock));

	if (!elapsed)
		return false;
	clock->stamped = stamp_ns != LATENESS_UNKNOWN;
	/*
	 * A stamp after the wake-up is that of the call that asked for it, unless there was another
	 * interrupt in between.
	 */
	if (stamp_ns > now_ns && (late_periods <= 0 || !clock->of_kernel))
		clock->stamped = false;
	wake->now_ns = now_ns;
	wake->ticks = elapsed * clock->period;
	wake->xruns = 0;
	wake->lateness_ns = LATENESS_UNKNOWN;
	if (clock->stamped)
		wake->lateness_ns = now_ns - stamp_ns +
				    late_periods * period_ns(clock->period, clock->rate_hz);
	clock->told += elapsed * clock->period;
	clock->told_ns = clock->stamped ? stamp_ns : now_ns;
	return true;
}

/*
 * Takes a wake-up at now_ns that found the stream stopped by an xrun, and that started it again at
 * start_ns. The frames that were lost are told by their time, so that the due grid goes on.
 */
static inline void period_clock_xrun(struct period_clock *clock, int64_t now_ns, int64_t start_ns,
				     struct wake *wake)
{
	int64_t gap_ns = start_ns > clock->told_ns ? start_ns - clock->told_ns : 0;
	uint64_t seconds = (uint64_t)gap_ns / 1000000000u, rest = (uint64_t)gap_ns % 1000000000u;
	int64_t due_ns = (int64_t)period_clock_needed(clock) *
			 period_ns(clock->period, clock->rate_hz);

	wake->now_ns = now_ns;
	wake->ticks = seconds * clock->rate_hz + (rest * clock->rate_hz + 500000000u) / 1000000000u;
	if (!wake->ticks)
		wake->ticks = 1;
	wake->xruns = 1;
	wake->lateness_ns = clock->stamped ? now_ns - clock->told_ns - due_ns : LATENESS_UNKNOWN;
	period_clock_start(clock, start_ns);
}

/*
 * Ticks that one event of an ALSA timer stands for: all intervals that the kernel found to have
 * passed. It adds them up in 32 bits of the timer's resolution (4.3 s of ns); how often that ran
 * over is told by the time since the event before. interval is in units of the resolution. >= 1.
 */
static inline uint64_t timer_event_ticks(uint32_t val, int64_t since_ns, int64_t resolution_ns,
					 uint64_t interval)
{
	int64_t wrap_ns = (INT64_C(1) << 32) * resolution_ns;
	int64_t over_ns = since_ns - (int64_t)val * resolution_ns + wrap_ns / 2;
	uint64_t passed = val;

	if (over_ns > 0)
		passed += (uint64_t)(over_ns / wrap_ns) << 32;
	passed = (passed + interval / 2) / interval;
	return passed ? passed : 1;
}

/* The frames that are due to be handed over now, in whole cycles; notes them as served. */
static inline uint64_t period_clock_serve(struct period_clock *clock)
{
	uint64_t frames = (clock->told - clock->served) / clock->cycle * clock->cycle;

	clock->served += frames;
	return frames;
}

#endif
