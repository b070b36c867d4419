/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The classic log of latencytest 0.5.x, byte for byte. */
#ifndef LT_REPORT_CLASSIC_H
#define LT_REPORT_CLASSIC_H

#include <stdint.h>
#include <stdio.h>

struct classic_log {
	double cpu_hz;         /* NaN where unknown */
	double cpu_load;       /* as asked */
	uint64_t loops;        /* burn iterations per cycle */
	double total_latency_ms;
	double cpu_latency_ms;
	double max_diff_ms;
	uint64_t overruns;
	uint64_t within_1ms, within_2ms;
	double within_1ms_percent, within_2ms_percent;
	double deviation_ms;
};

/* Writes the eight lines. 0 or a negative errno. */
int classic_write(FILE *out, const struct classic_log *log);

#endif
