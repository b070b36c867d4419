/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Imported runs as objects of run.json: what the text does not say is null or "unknown". */
#include <errno.h>
#include <string.h>

#include "report/import_parts.h"
#include "report/import_seen.h"
#include "report/result.h"
#include "util/jx.h"

static json_t *unknown_conditions(void)
{
	static const char *const numbers[] = {
		"load", "rate_hz", "wakeups", "period_ms", "cpu_latency_ms", "deadline_periods",
	};
	static const char *const texts[] = { "source", "source_asked", "source_note" };
	static const char *const more[] = { "stress", "duration_s", "warmup_s", "file_size_bytes" };
	static const char *const last[] = { "priority", "cpu", "dma_latency_us" };
	static const char *const limits[] = {
		"max_overruns", "max_missed_cycles", "max_late_finishes", "max_diff_ms",
	};
	json_t *object = json_object(), *none = json_object();

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		jx_put(object, numbers[i], json_null());
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		jx_put_text(object, texts[i], "unknown");
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		jx_put(object, more[i], json_null());
	jx_put_text(object, "directory", "unknown");
	jx_put_text(object, "policy", "unknown");
	for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++)
		jx_put(object, last[i], json_null());
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		jx_put(none, limits[i], json_null());
	jx_put(object, "limits", none);
	return object;
}

static json_t *environment(const struct import_place *place)
{
	json_t *object = json_object();

	jx_put_text(object, "kernel_release", place->kernel[0] ? place->kernel : "unknown");
	if (place->words[0])
		jx_put_text(object, "scheduler", place->words);
	return object;
}

json_t *import_begin_run(struct import *im, const struct import_format *format,
			 unsigned long line)
{
	json_t *run, *origin = json_object(), *calibration = json_object();

	import_end_run(im);
	run = json_object();
	jx_put_count(run, "schema_version", RESULT_SCHEMA_VERSION);
	jx_put_text(run, "program", format->program);
	jx_put_text(run, "status", "imported");
	jx_put_text(origin, "file", im->name);
	jx_put_count(origin, "line", line);
	if (im->place.kernel_line)
		jx_put_count(origin, "kernel_line", im->place.kernel_line);
	jx_put_text(origin, "format", format->name);
	jx_put(run, "imported", origin);
	jx_put(run, "conditions", unknown_conditions());
	jx_put(calibration, "loops_per_run", json_null());
	jx_put(run, "calibration", calibration);
	jx_put(run, "environment", environment(&im->place));
	jx_put(run, "phases", json_array());
	if (!json_object_get(run, "phases")) {
		im->err = -ENOMEM;
		json_decref(run);
		run = NULL;
	}
	im->run = run;
	im->format = format;
	return run;
}

/* The loops of the run where all phases had the same. */
static void put_loops(json_t *run)
{
	const json_t *phase, *first = NULL;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const json_t *loops = json_object_get(phase, "loops_per_run");

		if (!loops || (first && !json_equal(first, loops)))
			return;
		first = loops;
	}
	if (first)
		json_object_set(json_object_get(run, "calibration"), "loops_per_run",
				(json_t *)first);
}

void import_end_run(struct import *im)
{
	json_t *run = im->run;
	size_t n = json_array_size(json_object_get(run, "phases"));

	im->run = NULL;
	if (run && n && !im->err) {
		put_loops(run);
		if (im->format->finish)
			im->format->finish(im, run);
		im->stats->runs++;
		im->stats->phases += (unsigned int)n;
		im->err = im->sink(im->argument, run);
	}
	json_decref(run);
}

json_t *import_phase(const char *name, unsigned long line)
{
	json_t *phase = json_object(), *origin = json_object();

	jx_put_text(phase, "name", name);
	jx_put_text(phase, "status", "imported");
	jx_put(phase, "reasons", json_array());
	jx_put_count(origin, "line", line);
	jx_put(phase, "imported", origin);
	jx_put(phase, "threads", json_array());
	return phase;
}

json_t *import_thread(json_t *phase, unsigned int number)
{
	json_t *thread = json_object();

	jx_put_count(thread, "thread", number);
	json_array_append_new(json_object_get(phase, "threads"), thread);
	return thread;
}

void import_put_figures(json_t *thread, const struct import_field max_diff[2],
			const struct import_field within_1ms[2],
			const struct import_field within_2ms[2])
{
	jx_put_real(thread, "max_diff_ms", max_diff[0].real);
	jx_put_count(thread, "overruns", max_diff[1].count);
	jx_put_count(thread, "within_1ms_count", within_1ms[0].count);
	jx_put_real(thread, "within_1ms_percent", within_1ms[1].real);
	jx_put_count(thread, "within_2ms_count", within_2ms[0].count);
	jx_put_real(thread, "within_2ms_percent", within_2ms[1].real);
}

bool import_duplicate(struct import *im, const json_t *phase)
{
	bool seen = import_seen_phase(im->seen, phase);

	im->stats->duplicates += seen;
	return seen;
}

void import_add_phase(struct import *im, json_t *phase)
{
	if (json_array_append_new(json_object_get(im->run, "phases"), phase))
		im->err = -ENOMEM;
}

void import_put_stress(json_t *run)
{
	json_t *stress = json_array();
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		json_array_append(stress, json_object_get(phase, "name"));
	jx_put(json_object_get(run, "conditions"), "stress", stress);
}
