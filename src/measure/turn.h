/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of a late cycle. Cycle k is due at tick k * wakeups. A thread that wakes when `total`
 * ticks have come, with k due next, has missed (total - due) / wakeups cycles; it takes the index
 * k + missed, and ticks left over count towards the next cycle. So the grid never shifts.
 */
#ifndef LT_MEASURE_TURN_H
#define LT_MEASURE_TURN_H

#include <stdbool.h>
#include <stdint.h>

struct turn {
	uint64_t total;   /* ticks that have come since tick 0 */
	uint64_t index;   /* index of the last cycle taken; 0: none yet */
	uint32_t wakeups; /* ticks per cycle, >= 1 */
	uint32_t missed;  /* of the cycle just taken */
};

/* Whether more ticks have to come before the next cycle is due. */
static inline bool turn_must_wait(const struct turn *turn)
{
	return turn->total < (turn->index + 1) * turn->wakeups;
}

/* Takes the cycle that is due now: sets index and missed. Not while turn_must_wait(). */
static inline void turn_take(struct turn *turn)
{
	uint64_t index = turn->total / turn->wakeups;

	turn->missed = (uint32_t)(index - turn->index - 1);
	turn->index = index;
}

#endif
