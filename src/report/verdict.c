/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/stats.h"
#include "report/imported.h"
#include "util/jx.h"

#define FRAMES_PER_MS 48.0

void verdict_event_bounds(uint64_t seen, double *lower, double *upper)
{
	struct stats_interval both;

	if (!seen) {
		*lower = 0;
		*upper = -log(0.05);
		return;
	}
	both = stats_garwood((double)seen, 0.95);
	*lower = both.low;
	*upper = both.high;
}

void verdict_time_span(char *buf, size_t size, double seconds)
{
	if (seconds < 1)
		snprintf(buf, size, "%.0f ms", floor(seconds * 1000));
	else if (seconds < 10)
		snprintf(buf, size, "%.1f seconds", floor(seconds * 10) / 10);
	else if (seconds < 120)
		snprintf(buf, size, "%.0f seconds", floor(seconds));
	else if (seconds < 2 * 3600)
		snprintf(buf, size, "%.0f minutes", floor(seconds / 60));
	else
		snprintf(buf, size, "%.1f hours", floor(seconds / 360) / 10);
}

static void put_worst(FILE *out, const json_t *thread)
{
	double max_diff = jx_number(thread, "max_diff_ms");
	double max_finish = jx_number(thread, "finish_max_ms");

	fprintf(out, " The longest time between two wake-ups was %.3f ms (%.0f frames at 48 kHz)",
		max_diff, ceil(max_diff * FRAMES_PER_MS));
	if (!isnan(max_finish))
		fprintf(out,
			"; the work of a period was done at the latest %.3f ms (%.0f frames) after "
			"the period began",
			max_finish, ceil(max_finish * FRAMES_PER_MS));
	fputc('.', out);
}

/* What the count of drop-outs says about others like them. */
static void put_rate(FILE *out, uint64_t dropouts, double seconds)
{
	char span[48], shortest[48], longest[48];
	double lower, upper;

	verdict_event_bounds(dropouts, &lower, &upper);
	if (!dropouts && seconds / upper < 1e-3)
		return; /* a handful of cycles promises nothing */
	if (!dropouts) {
		verdict_time_span(span, sizeof(span), seconds / upper);
		fprintf(out,
			" So long as nothing changes, that means less than one drop-out in %s "
			"(95 %% confidence; longer runs can promise more).",
			span);
		return;
	}
	verdict_time_span(span, sizeof(span), seconds / (double)dropouts);
	verdict_time_span(shortest, sizeof(shortest), seconds / upper);
	verdict_time_span(longest, sizeof(longest), seconds / lower);
	fprintf(out,
		" That is about one drop-out in %s (95 %% confidence: between one in %s and one in "
		"%s, if they come singly and not in bursts).",
		span, shortest, longest);
}

static bool is_capture(const json_t *conditions)
{
	return !strcmp(jx_text(json_object_get(conditions, "sound"), "direction"), "capture");
}

static void put_measured(FILE *out, const json_t *run, const json_t *thread)
{
	const json_t *conditions = json_object_get(run, "conditions");
	double period_ms = jx_number(conditions, "period_ms");
	double limit_ms = jx_number(conditions, "deadline_periods") * period_ms;
	long long cycles = jx_count(thread, "cycles"), missed = jx_count(thread, "missed_cycles");
	long long overruns = jx_count(thread, "overruns"), late = jx_count(thread, "late_finishes");
	double seconds = (double)(cycles + missed) * period_ms / 1e3;
	long long dropouts = overruns > late ? overruns : late, xruns = jx_count(thread, "xruns");
	/* A device without time stamps: null. */
	bool known = json_is_integer(json_object_get(thread, "late_finishes"));
	char span[48], finishes[48] = "an unknown number of late finishes";

	verdict_time_span(span, sizeof(span), seconds);
	/* A period that was missed and yet no overrun: with a deadline of more than two periods. */
	if (missed > dropouts)
		dropouts = missed;
	if (known)
		snprintf(finishes, sizeof(finishes), "%lld late finishes", late);
	if (!dropouts && known)
		fprintf(out, "The deadline of %.3f ms held in all %lld cycles (%s)", limit_ms,
			cycles, span);
	else if (!dropouts)
		fprintf(out, "No overrun of %.3f ms and no missed cycle in %lld cycles (%s); when "
			     "the burns were done is not known", limit_ms, cycles, span);
	else
		fprintf(out,
			"The deadline of %.3f ms did not hold: in %lld cycles (%s) %lld overruns, "
			"%lld missed cycles and %s",
			limit_ms, cycles, span, overruns, missed, finishes);
	if (!xruns)
		fputc('.', out);
	if (xruns)
		fprintf(out, "%s the buffer of the sound device ran %s %lld time(s).",
			dropouts ? ", and" : ", but",
			is_capture(conditions) ? "full" : "empty", xruns);
	/* What was heard: the buffer itself tells. */
	if (xruns > dropouts)
		dropouts = xruns;
	put_worst(out, thread);
	put_rate(out, (uint64_t)dropouts, seconds);
}

char *verdict_phase(const json_t *run, const json_t *phase)
{
	const json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);
	const char *status = jx_text(phase, "status");
	char *text = NULL;
	size_t size;
	FILE *out;

	if (imported_run(run))
		return imported_phase_verdict(run, phase);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (!strcmp(status, "invalid"))
		fputs("No verdict: the phase is invalid.", out);
	else if (!thread)
		fprintf(out, "Nothing was measured: the phase was %s.", status);
	else
		put_measured(out, run, thread);
	if (thread && !strcmp(status, "suspect"))
		fputs(" The phase is suspect, so take this with caution.", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
