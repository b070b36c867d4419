/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which label is ahead while a sweep goes on. No test: for people who watch. */
#ifndef LT_SWEEP_STANDING_H
#define LT_SWEEP_STANDING_H

#include <stdio.h>

#include "sweep/sweep_file.h"

/* How it is counted, as told in --help and above the first run. */
#define STANDING_RULE                                                                              \
	"fewest overruns and missed cycles per run, then the least finish p99 of the "             \
	"worst phase, median over runs (max where a phase is too short for a p99)"

/*
 * "best so far: bfq (...); worst: none (...)" in buf; "" before two labels have a result, or where
 * they do not differ.
 */
void standing_text(const struct sweep_record *record, char *buf, size_t size);

#endif
