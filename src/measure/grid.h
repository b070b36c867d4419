/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The due grid: when tick j of a source with a whole rate in Hz is due, exactly and without drift.
 */
#ifndef LT_MEASURE_GRID_H
#define LT_MEASURE_GRID_H

#include <stdint.h>

/*
 * Due time of tick j in ns after tick 0: floor(j * 10^9 / rate_hz). The whole seconds are taken
 * out first, so that nothing overflows within 290 years.
 */
static inline int64_t grid_due_ns(uint64_t tick, uint32_t rate_hz)
{
	return (int64_t)(tick / rate_hz * 1000000000u + tick % rate_hz * 1000000000u / rate_hz);
}

/* For due times one after the other: remembers the whole second, which saves two divisions. */
struct grid_cursor {
	uint32_t rate_hz;
	uint64_t tick; /* first tick of that second */
	int64_t ns;    /* its due time */
};

/* grid_due_ns(tick, cursor->rate_hz) */
static inline int64_t grid_cursor_due_ns(struct grid_cursor *cursor, uint64_t tick)
{
	uint64_t ahead = tick - cursor->tick;

	if (ahead >= cursor->rate_hz) {
		ahead = tick % cursor->rate_hz;
		cursor->tick = tick - ahead;
		cursor->ns = (int64_t)(tick / cursor->rate_hz * 1000000000u);
	}
	return (int64_t)((uint64_t)cursor->ns + ahead * 1000000000u / cursor->rate_hz);
}

/* The last tick that is due at or before ns (>= 0) after tick 0: the inverse of grid_due_ns(). */
static inline uint64_t grid_ticks_at(int64_t ns, uint32_t rate_hz)
{
	uint64_t seconds = (uint64_t)ns / 1000000000u;
	uint64_t rest = (uint64_t)ns % 1000000000u;

	/* floor(j * 10^9 / rate) <= rest  <=>  j < (rest + 1) * rate / 10^9 */
	return seconds * rate_hz + ((rest + 1) * rate_hz + 999999999u) / 1000000000u - 1;
}

#endif
