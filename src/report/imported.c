/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/imported.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/summary.h"
#include "util/jx.h"

bool imported_run(const json_t *run)
{
	return !strcmp(jx_text(run, "status"), "imported");
}

/* A number with that many decimals (-1: a whole one), or "n/a". */
static const char *figure(char *buf, size_t size, const json_t *object, const char *key,
			  int decimals)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_integer(value) && decimals < 0)
		snprintf(buf, size, "%lld", (long long)json_integer_value(value));
	else if (json_is_number(value) && decimals >= 0)
		snprintf(buf, size, "%.*f", decimals, json_number_value(value));
	else
		snprintf(buf, size, "n/a");
	return buf;
}

/* ---- conditions ---- */

static void put_conditions(FILE *out, const json_t *run)
{
	static const struct {
		const char *name;
		const char *key;
		const char *unit;
	} known[] = {
		{ "CPU load", "load", "" },
		{ "RTC freq", "rate_hz", "" },
		{ "RTC wakeup count", "wakeups", "" },
		{ "Deadline", "deadline_periods", "" },
		{ "Filesize", "file_size_bytes", "" },
		{ "Period", "period_ms", " ms" },
		{ "Burn", "cpu_latency_ms", " ms" },
		{ "Priority", "priority", "" },
	};
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *environment = json_object_get(run, "environment");
	const char *words = json_string_value(json_object_get(environment, "scheduler"));

	fputs("Test condition:\n", out);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double value = jx_number(conditions, known[i].key);

		if (!isnan(value))
			fprintf(out, "%s = %.12g%s\n", known[i].name, value, known[i].unit);
	}
	fprintf(out, "Source = %s\n", jx_text(conditions, "source"));
	fputs("\nMachine:\n", out);
	summary_line(out, 4, "kernel %s%s%s", jx_text(environment, "kernel_release"),
		     words ? ", " : "", words ? words : "");
}

/* ---- phases ---- */

static bool any_has(const json_t *run, const char *key)
{
	const json_t *phase, *thread;
	size_t i, j;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		json_array_foreach(json_object_get(phase, "threads"), j, thread)
			if (json_is_number(json_object_get(thread, key)))
				return true;
	return false;
}

struct column {
	const char *key;
	int width, decimals;
};

static void put_rows(FILE *out, const json_t *run, const struct column *columns, size_t n)
{
	const json_t *phase, *thread;
	size_t i, j;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		json_array_foreach(json_object_get(phase, "threads"), j, thread) {
			char number[32], name[32];

			snprintf(name, sizeof(name), "thread %zu", j);
			fprintf(out, "%-10s", j ? name : jx_text(phase, "name"));
			for (size_t k = 0; k < n; k++)
				fprintf(out, " %*s", columns[k].width,
					figure(number, sizeof(number), thread, columns[k].key,
					       columns[k].decimals));
			fputc('\n', out);
		}
	}
}

static void put_phases(FILE *out, const json_t *run)
{
	static const struct column diffs[] = {
		{ "cycles", 8, -1 },           { "overruns", 7, -1 },
		{ "max_diff_ms", 9, 3 },       { "within_1ms_percent", 8, 4 },
		{ "within_2ms_percent", 8, 4 }, { "deviation_ms", 9, 6 },
	};
	static const struct column lateness[] = {
		{ "cycles", 9, -1 },           { "lateness_min_us", 8, 1 },
		{ "lateness_mean_us", 8, 1 },  { "lateness_p99_us", 9, 1 },
		{ "lateness_max_us", 9, 1 },
	};

	if (any_has(run, "max_diff_ms")) {
		fputs("\nphase        cycles overrun  max diff    <1 ms    <2 ms deviation\n"
		      "                                  ms        %        %        ms\n", out);
		put_rows(out, run, diffs, sizeof(diffs) / sizeof(diffs[0]));
	}
	if (any_has(run, "lateness_max_us")) {
		fputs("\nphase         cycles lateness     mean       p99       max\n"
		      "                       min us       us        us        us\n", out);
		put_rows(out, run, lateness, sizeof(lateness) / sizeof(lateness[0]));
	}
}

/* ---- verdicts ---- */

struct totals {
	long long cycles, overruns;
	bool overruns_known;
	double max_diff_ms, max_lateness_us;
	const char *worst_diff, *worst_lateness;
};

static void add_phase(struct totals *totals, const json_t *phase)
{
	const json_t *thread;
	size_t i;

	json_array_foreach(json_object_get(phase, "threads"), i, thread) {
		double diff = jx_number(thread, "max_diff_ms");
		double lateness = jx_number(thread, "lateness_max_us");

		totals->cycles += jx_count(thread, "cycles");
		totals->overruns += jx_count(thread, "overruns");
		if (json_is_integer(json_object_get(thread, "overruns")))
			totals->overruns_known = true;
		if (!isnan(diff) && (!totals->worst_diff || diff > totals->max_diff_ms)) {
			totals->max_diff_ms = diff;
			totals->worst_diff = jx_text(phase, "name");
		}
		if (!isnan(lateness) &&
		    (!totals->worst_lateness || lateness > totals->max_lateness_us)) {
			totals->max_lateness_us = lateness;
			totals->worst_lateness = jx_text(phase, "name");
		}
	}
}

static void put_totals(FILE *out, const json_t *run, const struct totals *totals)
{
	const json_t *conditions = json_object_get(run, "conditions");
	double limit_ms = jx_number(conditions, "deadline_periods") *
			  jx_number(conditions, "period_ms");

	if (totals->cycles)
		fprintf(out, "Imported: %lld cycles", totals->cycles);
	else
		fputs("Imported: an unknown number of cycles", out);
	if (totals->overruns_known) {
		fprintf(out, ", %lld overrun%s", totals->overruns,
			totals->overruns == 1 ? "" : "s");
		if (!isnan(limit_ms))
			fprintf(out, " of %.3f ms", limit_ms);
	}
	if (totals->worst_diff)
		fprintf(out, "; the longest time between two wake-ups was %.3f ms",
			totals->max_diff_ms);
	if (totals->worst_lateness)
		fprintf(out, "; the latest wake-up came %.6g us after it was due",
			totals->max_lateness_us);
}

char *imported_verdict(const json_t *run)
{
	struct totals totals = { 0 };
	const json_t *phase;
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	json_array_foreach(json_object_get(run, "phases"), i, phase)
		add_phase(&totals, phase);
	put_totals(out, run, &totals);
	if (totals.worst_diff)
		fprintf(out, " (%s)", totals.worst_diff);
	fputc('.', out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

char *imported_phase_verdict(const json_t *run, const json_t *phase)
{
	struct totals totals = { 0 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	add_phase(&totals, phase);
	put_totals(out, run, &totals);
	fputc('.', out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void put_reasons(FILE *out, const json_t *run)
{
	const json_t *phase, *reason;
	size_t i, j;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		json_array_foreach(json_object_get(phase, "reasons"), j, reason)
			if (json_is_string(reason))
				summary_line(out, 4, "%s: %s", jx_text(phase, "name"),
					     json_string_value(reason));
}

int imported_summary(FILE *out, const json_t *run)
{
	const json_t *origin = json_object_get(run, "imported");
	char *verdict = imported_verdict(run);

	summary_line(out, 4, "%s, imported from %s, line %lld", jx_text(run, "program"),
		     jx_text(origin, "file"), jx_count(origin, "line"));
	fputc('\n', out);
	put_conditions(out, run);
	put_phases(out, run);
	fputc('\n', out);
	put_reasons(out, run);
	summary_line(out, 4, "Verdict: %s", verdict ? verdict : "(no memory)");
	free(verdict);
	fputs("\nLegend:\n", out);
	summary_line(out, 2,
		     "max diff: longest time between two wake-ups; overrun: a diff beyond the "
		     "deadline; <1 ms, <2 ms: share of diffs that near to the period; deviation: "
		     "mean of their distance from it; lateness: wake-up after it was due; n/a: not "
		     "in the text that was imported");
	return ferror(out) ? -EIO : 0;
}
