/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "util/jx.h"
#include "util/wrap.h"

/* The figures of a row, in order: members of a thread. */
static const char *const columns[] = {
	"thread", "cycles", "missed_cycles", "expected_cycles", "lost_samples", "max_diff_ms",
	"overruns", "within_1ms_count", "within_1ms_percent", "within_1ms_time_percent",
	"within_2ms_count", "within_2ms_percent", "within_2ms_time_percent", "deviation_ms",
	"rms_deviation_ms", "load_asked", "load_achieved", "stolen_percent", "burn_max_ms",
	"lateness_min_us",
	"lateness_median_us", "lateness_p90_us", "lateness_p99_us", "lateness_p99_9_us",
	"lateness_p99_99_us", "lateness_p99_999_us", "lateness_max_us", "finish_median_ms",
	"finish_p99_ms", "finish_p99_9_ms", "finish_max_ms", "late_finishes", "xruns",
	"rate_drift_ppm", "throttling_gaps", "page_faults_minor", "page_faults_major",
	"switches_voluntary", "switches_involuntary", "migrations",
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

void csv_put_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Empty where the figure is not known. */
static void put_value(FILE *out, const json_t *value)
{
	if (json_is_integer(value))
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.10g", json_real_value(value));
	else if (json_is_string(value))
		csv_put_text(out, json_string_value(value));
}

int csv_phases_header(FILE *out)
{
	fputs("result,started_utc,kernel,source,phase,status", out);
	for (size_t i = 0; i < N_COLUMNS; i++)
		fprintf(out, ",%s", columns[i]);
	fputs(",stressor_unit,stressor_units_per_second,stressor_longest_stall_ms\n", out);
	return ferror(out) ? -EIO : 0;
}

static void put_row(FILE *out, const struct run_view *view, const struct phase_view *phase_view,
		    const json_t *thread)
{
	const json_t *phase = phase_view->phase;
	const json_t *stressor = json_object_get(phase, "stressor");
	const char *const head[] = {
		view->dir,
		jx_text(view->run, "started_utc"),
		jx_text(json_object_get(view->run, "environment"), "kernel_release"),
		jx_text(json_object_get(view->run, "conditions"), "source"),
		phase_view->name,
		jx_text(phase, "status"),
	};

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++) {
		if (i)
			fputc(',', out);
		csv_put_text(out, head[i]);
	}
	for (size_t i = 0; i < N_COLUMNS; i++) {
		fputc(',', out);
		put_value(out, json_object_get(thread, columns[i]));
	}
	fputc(',', out);
	put_value(out, json_object_get(stressor, "unit"));
	fputc(',', out);
	put_value(out, json_object_get(stressor, "units_per_second"));
	fputc(',', out);
	put_value(out, json_object_get(stressor, "longest_stall_ms"));
	fputc('\n', out);
}

int csv_phases(FILE *out, const struct run_view *view)
{
	for (size_t i = 0; i < view->n; i++) {
		const json_t *threads = json_object_get(view->phases[i].phase, "threads");
		size_t n = json_array_size(threads);

		for (size_t j = 0; j < (n ? n : 1); j++)
			put_row(out, view, &view->phases[i], json_array_get(threads, j));
	}
	return ferror(out) ? -EIO : 0;
}

int csv_samples_header(FILE *out)
{
	fputs("result,phase,thread,index,wake_ns,diff_ns,burn_ns,lateness_ns,ticks,missed,cpu,"
	      "xruns\n", out);
	return ferror(out) ? -EIO : 0;
}

struct walk {
	FILE *out;
	const struct run_view *view;
	const struct phase_view *phase;
	bool have_origin;
	int64_t last_wake_ns;
	uint64_t last_ticks, last_index;
};

static void put_cycle(struct walk *walk, unsigned int thread, const struct cycle *cycle)
{
	const struct metrics *metrics = &walk->phase->evaluation->metrics;
	uint64_t index = cycle->ticks / metrics->params.wakeups;
	bool known = metrics->params.lateness != LATENESS_INTERRUPT ||
		     cycle->lateness_ns != LATENESS_UNKNOWN;
	int64_t lateness = metrics->params.lateness == LATENESS_INTERRUPT ?
				   cycle->lateness_ns :
				   wrap_sub(cycle->wake_ns, metrics_due_ns(metrics, cycle));

	csv_put_text(walk->out, walk->view->dir);
	fputc(',', walk->out);
	csv_put_text(walk->out, walk->phase->name);
	fprintf(walk->out, ",%u,%" PRIu64 ",%" PRId64 ",", thread, index, cycle->wake_ns);
	if (index - walk->last_index == 1 + (uint64_t)cycle->missed)
		fprintf(walk->out, "%" PRId64, wrap_sub(cycle->wake_ns, walk->last_wake_ns));
	fprintf(walk->out, ",%" PRId64 ",", cycle->burn_ns);
	if (known)
		fprintf(walk->out, "%" PRId64, lateness);
	fprintf(walk->out, ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n",
		cycle->ticks - walk->last_ticks, cycle->missed, cycle->cpu, cycle->xruns);
}

static void put_block(struct walk *walk, const struct sample_block *block)
{
	for (size_t i = 0; i < block->n; i++) {
		const struct cycle *cycle = &block->cycles[i];

		if (walk->have_origin)
			put_cycle(walk, block->thread, cycle);
		walk->have_origin = true;
		walk->last_wake_ns = cycle->wake_ns;
		walk->last_ticks = cycle->ticks;
		walk->last_index = cycle->ticks / walk->phase->evaluation->metrics.params.wakeups;
	}
}

static int put_samples(FILE *out, const struct run_view *view, const struct phase_view *phase,
		       struct fault *fault)
{
	struct walk walk = { .out = out, .view = view, .phase = phase };
	struct sample_reader *reader;
	struct sample_block block;
	char path[PATH_MAX];
	int got;

	if (snprintf(path, sizeof(path), "%s/%s.samples", view->dir, phase->name) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s: name too long", view->dir);
	got = sample_reader_open(&reader, path, fault);
	if (got)
		return got;
	while ((got = sample_reader_next(reader, &block, fault)) > 0 && !ferror(out))
		if (block.kind == SAMPLE_BLOCK_CYCLES_KIND)
			put_block(&walk, &block);
	sample_reader_close(reader);
	if (ferror(out))
		return fault_set(fault, -EIO, "output: write error");
	return got;
}

int csv_samples(FILE *out, const struct run_view *view, struct fault *fault)
{
	int err = 0, missing = 0;

	for (size_t i = 0; !err && i < view->n; i++) {
		const struct phase_view *phase = &view->phases[i];

		if (phase->evaluation)
			err = put_samples(out, view, phase, fault);
		else if (json_array_size(json_object_get(phase->phase, "threads")))
			missing = fault_set(fault, -ENOENT, "%s: no samples of %s to print: they "
					    "are missing, damaged, or were imported without",
					    view->dir, phase->name);
	}
	return err ? err : missing;
}
