/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "report/metrics_json.h"

static void __attribute__((format(printf, 2, 3))) add_line(json_t *lines, const char *fmt, ...)
{
	char line[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	json_array_append_new(lines, json_string(line));
}

/* What makes the figures of a phase worthless. */
static void find_invalid(json_t *reasons, const struct phase_result *result,
			 const struct evaluation *evaluation, const struct stressor *stressor)
{
	const struct loop_usage *usage = &result->loop.usage;
	struct fault fault;
	uint64_t expected;

	if (result->error.text[0])
		add_line(reasons, "%s", result->error.text);
	if (!evaluation || !evaluation->metrics.cycles) {
		if (!result->error.text[0])
			add_line(reasons, "no cycle was recorded");
		return;
	}
	if (evaluation->damaged)
		add_line(reasons, "%s", evaluation->damage.text);
	if (!evaluation_consistent(evaluation, &expected, &fault))
		add_line(reasons, "%s", fault.text);
	if (result->lost)
		add_line(reasons, "%llu samples lost: the ring of %llu was full",
			 (unsigned long long)result->lost, (unsigned long long)result->ring_slots);
	if (usage->minor_faults || usage->major_faults)
		add_line(reasons, "the measuring thread had %lld page faults (%lld of them major)",
			 (long long)(usage->minor_faults + usage->major_faults),
			 (long long)usage->major_faults);
	if (stressor->unit && !result->load.units)
		add_line(reasons, "%s made no progress in the whole phase", stressor->name);
}

/* What makes them doubtful. */
static void find_suspect(json_t *reasons, const struct phase_result *result,
			 const struct evaluation *evaluation)
{
	const struct metrics *metrics = &evaluation->metrics;
	double nominal = metrics->params.burn_ns;
	int64_t p5;

	if (nominal > 0 && metrics_burn_p5_ns(metrics, &p5) &&
	    fabs((double)p5 - nominal) > JUDGE_BURN_TOLERANCE * nominal)
		add_line(reasons,
			 "the burn's work took %.3f ms instead of %.3f (5th percentile): the "
			 "processor's speed differs from that of the calibration (frequency, a busy "
			 "sibling thread, another guest)",
			 (double)p5 / 1e6, nominal / 1e6);
	if (metrics_throttled(metrics))
		add_line(reasons,
			 "%llu gaps bear the signature of real-time throttling (about %.0f ms in each "
			 "%.3g s): they are the limit of sched_rt_runtime_us, not the kernel's latency",
			 (unsigned long long)metrics->throttle_gaps,
			 metrics->params.throttle_gap_ns / 1e6,
			 metrics->params.throttle_period_ns / 1e9);
	if (result->loop.usage.voluntary_switches > (int64_t)result->loop.waits)
		add_line(reasons, "%lld voluntary context switches in %llu waits",
			 (long long)result->loop.usage.voluntary_switches,
			 (unsigned long long)result->loop.waits);
}

void judge_phase(json_t *phase, const struct phase_result *result,
		 const struct evaluation *evaluation, const struct stressor *stressor)
{
	json_t *reasons = json_array();
	const char *status;

	json_put(phase, "reasons", reasons);
	if (result->skipped) {
		add_line(reasons, "%s", result->skip_reason.text);
		json_put(phase, "status", json_string("skipped"));
		return;
	}
	/* Ended by the user before anything was measured: that is all there is to say. */
	if (result->interrupted && !result->measured) {
		add_line(reasons, "interrupted before the first recorded cycle");
		json_put(phase, "status", json_string("interrupted"));
		return;
	}
	find_invalid(reasons, result, evaluation, stressor);
	status = json_array_size(reasons) ? "invalid" : NULL;
	if (evaluation && evaluation->metrics.cycles)
		find_suspect(reasons, result, evaluation);
	if (!status)
		status = json_array_size(reasons) ? "suspect" : "valid";
	if (result->interrupted) {
		add_line(reasons, "interrupted");
		if (strcmp(status, "invalid"))
			status = "interrupted";
	}
	json_put(phase, "status", json_string(status));
}

static void check_count(json_t *breached, const char *phase, const json_t *thread, const char *key,
			const char *option, int64_t limit)
{
	json_int_t value = json_integer_value(json_object_get(thread, key));

	if (limit >= 0 && value > limit)
		add_line(breached, "%s: %s %lld, limit %s %lld", phase, key, (long long)value, option,
			 (long long)limit);
}

static void check_limits(json_t *breached, const char *phase, const json_t *thread,
			 const struct run_limits *limits)
{
	double max_diff = json_number_value(json_object_get(thread, "max_diff_ms"));

	check_count(breached, phase, thread, "overruns", "--max-overruns", limits->overruns);
	check_count(breached, phase, thread, "missed_cycles", "--max-missed", limits->missed);
	check_count(breached, phase, thread, "late_finishes", "--max-late-finish",
		    limits->late_finish);
	if (max_diff > limits->max_diff_ms)
		add_line(breached, "%s: max_diff_ms %g, limit --max-diff %g", phase, max_diff,
			 limits->max_diff_ms);
}

static bool any_limit(const struct run_limits *limits)
{
	return limits->overruns >= 0 || limits->missed >= 0 || limits->late_finish >= 0 ||
	       !isnan(limits->max_diff_ms);
}

int judge_run(json_t *run, const struct run_limits *limits)
{
	json_t *breached = json_array(), *phase, *thread;
	bool failed = false;
	size_t i, j;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const char *name = json_string_value(json_object_get(phase, "name"));
		const char *status = json_string_value(json_object_get(phase, "status"));

		json_array_foreach(json_object_get(phase, "threads"), j, thread)
			check_limits(breached, name, thread, limits);
		if (!strcmp(status, "invalid") || !strcmp(status, "interrupted"))
			failed = true;
		else if (any_limit(limits) && strcmp(status, "valid"))
			add_line(breached, "%s: %s, so that its limits could not be checked", name,
				 status);
	}
	json_put(run, "limits_breached", breached);
	if (failed)
		return EXIT_ERROR;
	return json_array_size(breached) ? EXIT_LIMIT : EXIT_DONE;
}
