/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a result means, in words that a musician can use. */
#ifndef LT_REPORT_VERDICT_H
#define LT_REPORT_VERDICT_H

#include <jansson.h>
#include <stdint.h>

/*
 * One sentence or a few about a phase: whether the deadline held, the worst case in ms and as
 * frames at 48 kHz, and what the number of overruns allows one to say about drop-outs to come. The
 * caller frees it; NULL without memory.
 */
char *verdict_phase(const json_t *run, const json_t *phase);

/*
 * The 95 % confidence bounds on the mean number of events where `seen` were counted: for 0 events
 * the one-sided upper bound -ln 0.05 = 2.996 (the "rule of three") and lower bound 0; else the
 * exact two-sided interval of stats_garwood().
 */
void verdict_event_bounds(uint64_t seen, double *lower, double *upper);

/* A time span for people, rounded down: "45 seconds", "12 minutes", "3.2 hours". */
void verdict_time_span(char *buf, size_t size, double seconds);

#endif
