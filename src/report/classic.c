/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/classic.h"

#include <errno.h>
#include <inttypes.h>

int classic_write(FILE *out, const struct classic_log *log)
{
	int n = fprintf(out,
			"cpu_hz = %g\n"
			"cpu_load=%f  loops per run = %" PRIu64 "\n"
			"total latency = %f ms\n"
			"cpu latency = %f ms\n"
			"max diff = %g ms (overrun %" PRIu64 ")\n"
			"within 1ms = %" PRIu64 ", factor = %g%%\n"
			"within 2ms = %" PRIu64 ", factor = %g%%\n"
			"deviation = %g\n",
			log->cpu_hz, log->cpu_load, log->loops, log->total_latency_ms,
			log->cpu_latency_ms, log->max_diff_ms, log->overruns, log->within_1ms,
			log->within_1ms_percent, log->within_2ms, log->within_2ms_percent,
			log->deviation_ms);

	return n < 0 ? -EIO : 0;
}
