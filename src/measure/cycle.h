/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cycle as it was measured: what passes from the measuring thread to the sample file. */
#ifndef LT_MEASURE_CYCLE_H
#define LT_MEASURE_CYCLE_H

#include <stdint.h>

struct cycle {
	int64_t wake_ns;     /* w: when the thread woke, in ns after tick 0 */
	int64_t burn_ns;     /* from w to the end of the burn */
	int64_t lateness_ns; /* told by the source, or LATENESS_UNKNOWN */
	uint64_t ticks;      /* ticks that have come since tick 0; ticks / wakeups is its index */
	uint32_t missed;     /* due times that passed without a cycle just before this one */
	uint32_t cpu;        /* where the burn ended */
	uint32_t xruns;      /* of the sound card's buffer, just before this cycle */
};

#endif
