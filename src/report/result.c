/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/result.h"

#include <errno.h>

#include "report/classic.h"
#include "report/imported.h"
#include "report/replacement.h"
#include "report/summary.h"
#include "util/jx.h"

int result_save_run(const char *dir, const json_t *run, struct fault *fault)
{
	struct replacement r;
	int err = replacement_open(&r, dir, "run.json", "", fault);

	if (err)
		return err;
	if (json_dumpf(run, r.file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)))
		err = -EIO;
	fputc('\n', r.file);
	return replacement_finish(&r, err, fault);
}

/* What the classic lines cannot say. */
static void write_head(FILE *out, const json_t *run, const json_t *phase)
{
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *reasons = json_object_get(phase, "reasons"), *reason;
	size_t i;

	fprintf(out, "# %s, kernel %s, phase %s: %s\n", jx_text(run, "program"),
		jx_text(json_object_get(run, "environment"), "kernel_release"),
		jx_text(phase, "name"), jx_text(phase, "status"));
	fprintf(out, "# source %s: %s\n", jx_text(conditions, "source"),
		jx_text(conditions, "source_note"));
	json_array_foreach(reasons, i, reason)
		if (json_is_string(reason))
			fprintf(out, "# %s\n", json_string_value(reason));
}

int result_save_log(const char *dir, const json_t *run, const json_t *phase, struct fault *fault)
{
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);
	const json_t *own = json_object_get(phase, "loops_per_run");
	const json_t *loops = own ? own : json_object_get(json_object_get(run, "calibration"),
							  "loops_per_run");
	struct classic_log log = {
		.cpu_hz = jx_number(phase, "cpu_hz"),
		.cpu_load = jx_number(conditions, "load"),
		/* Every phase of an imported run has its own. */
		.loops = (uint64_t)json_integer_value(loops),
		.total_latency_ms = jx_number(conditions, "period_ms"),
		.cpu_latency_ms = jx_number(conditions, "cpu_latency_ms"),
		.max_diff_ms = jx_number(thread, "max_diff_ms"),
		.overruns = (uint64_t)jx_count(thread, "overruns"),
		.within_1ms = (uint64_t)jx_count(thread, "within_1ms_count"),
		.within_2ms = (uint64_t)jx_count(thread, "within_2ms_count"),
		.within_1ms_percent = jx_number(thread, "within_1ms_percent"),
		.within_2ms_percent = jx_number(thread, "within_2ms_percent"),
		.deviation_ms = jx_number(thread, "deviation_ms"),
	};
	struct replacement r;
	int err;

	/* Imported from another tool: no classic figures. */
	if (imported_run(run) && !json_is_integer(json_object_get(thread, "overruns")))
		return 0;
	err = replacement_open(&r, dir, jx_text(phase, "name"), ".log", fault);
	if (err)
		return err;
	write_head(r.file, run, phase);
	return replacement_finish(&r, classic_write(r.file, &log), fault);
}

int result_save_summary(const char *dir, const json_t *run, struct fault *fault)
{
	struct replacement r;
	int err = replacement_open(&r, dir, "summary.txt", "", fault);

	if (err)
		return err;
	return replacement_finish(&r, summary_write(r.file, run), fault);
}
