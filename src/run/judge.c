/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/judge.h"

#include <math.h>
#include <string.h>

#include "options.h"
#include "report/limits.h"
#include "system/environment.h"
#include "util/jx.h"

/* What makes the figures of a phase worthless. */
static void find_invalid(json_t *reasons, const struct phase_result *result,
			 const struct evaluation *evaluation, const struct stressor *stressor)
{
	const struct loop_usage *usage = &result->loop.usage;
	struct fault fault;
	uint64_t expected;

	if (result->error.text[0])
		jx_add_line(reasons, "%s", result->error.text);
	if (!evaluation || !evaluation->metrics.cycles) {
		if (!result->error.text[0])
			jx_add_line(reasons, "no cycle was recorded");
		return;
	}
	if (evaluation->damaged)
		jx_add_line(reasons, "%s", evaluation->damage.text);
	if (!evaluation_consistent(evaluation, &expected, &fault))
		jx_add_line(reasons, "%s", fault.text);
	if (result->lost)
		jx_add_line(reasons, "%llu samples lost: the ring of %llu was full",
			 (unsigned long long)result->lost, (unsigned long long)result->ring_slots);
	if (usage->minor_faults || usage->major_faults)
		jx_add_line(reasons,
			    "the measuring thread had %lld page faults (%lld of them major)",
			    (long long)usage->minor_faults + usage->major_faults,
			    (long long)usage->major_faults);
	if (stressor->unit && !result->load.units)
		jx_add_line(reasons, "%s made no progress in the whole phase", stressor->name);
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
		jx_add_line(
			reasons,
			"the burn's work took %.3f ms instead of %.3f (5th percentile): the "
			"processor's speed differs from that of the calibration (frequency, a busy "
			"sibling thread, another guest)",
			(double)p5 / 1e6, nominal / 1e6);
	if (metrics_throttled(metrics))
		jx_add_line(reasons,
			    "%llu gaps bear the signature of real-time throttling (about %.0f ms "
			    "in each %.3g s): they are the limit of sched_rt_runtime_us, not the "
			    "kernel's latency",
			    (unsigned long long)metrics->throttle_gaps,
			    metrics->params.throttle_gap_ns / 1e6,
			    metrics->params.throttle_period_ns / 1e9);
	/*
	 * On PREEMPT_RT the kernel's own locks sleep, within a wait too: there is no such bound.
	 * A stop is a sleep itself, and parts the one it meets in two.
	 */
	if (!environment_is_preempt_rt() &&
	    result->loop.usage.voluntary_switches >
	    (int64_t)result->loop.waits + 2 * (int64_t)result->stops)
		jx_add_line(reasons, "%lld voluntary context switches in %llu waits",
			 (long long)result->loop.usage.voluntary_switches,
			 (unsigned long long)result->loop.waits);
}

/* What befell the process or the machine from outside. */
static void find_disturbed(json_t *reasons, const struct phase_result *result,
			   const struct metrics *metrics)
{
	if (result->stops && metrics->missed)
		jx_add_line(reasons,
			 "the process was stopped and continued (SIGSTOP, Ctrl-Z) %u time(s), for "
			 "at most %.2f s: cycles missed then are not the kernel's doing",
			 result->stops, (double)result->stopped_ns / 1e9);
	if (result->suspended_ns)
		jx_add_line(reasons,
			 "the machine was suspended for %.1f s in this phase: what follows is its "
			 "waking up", (double)result->suspended_ns / 1e9);
}

/* What is doubtful about a source that tells the lateness itself: one with sound. */
static void find_sound_suspect(json_t *reasons, const struct metrics *metrics)
{
	double drift = metrics_drift_ppm(metrics);
	double elapsed_ns = (double)(metrics->last_wake_ns - metrics->origin_wake_ns);

	if (metrics->params.lateness != LATENESS_INTERRUPT)
		return;
	if (fabs(drift) > JUDGE_DRIFT_PPM &&
	    fabs(drift) * elapsed_ns / 1e6 > JUDGE_DRIFT_PERIODS * metrics->params.period_ns)
		jx_add_line(reasons,
			 "the mean period is %+.0f ppm off nominal, more than any crystal: the "
			 "device does not keep the rate it granted (a sound server, a resampler or "
			 "an emulation in between), so its timing is not the kernel's", drift);
	if (!metrics->lateness->n)
		jx_add_line(reasons,
			 "the device gives no time stamps of its interrupts: lateness, finish and "
			 "late finishes are not known");
	else if ((double)metrics->unstamped > JUDGE_UNSTAMPED * (double)metrics->cycles)
		jx_add_line(reasons,
			 "%llu of %llu cycles came without the time stamp of their interrupt: "
			 "their lateness and finish are not known, and may be the worst",
			 (unsigned long long)metrics->unstamped,
			 (unsigned long long)metrics->cycles);
}

void judge_phase(json_t *phase, const struct phase_result *result,
		 const struct evaluation *evaluation, const struct stressor *stressor)
{
	json_t *reasons = json_array();
	const char *status;

	jx_put(phase, "reasons", reasons);
	if (result->skipped) {
		jx_add_line(reasons, "%s", result->skip_reason.text);
		jx_put(phase, "status", json_string("skipped"));
		return;
	}
	/* Ended by the user before anything was measured: that is all there is to say. */
	if (result->interrupted && !result->measured && !result->error.text[0]) {
		jx_add_line(reasons, "interrupted before the first recorded cycle");
		jx_put(phase, "status", json_string("interrupted"));
		return;
	}
	find_invalid(reasons, result, evaluation, stressor);
	status = json_array_size(reasons) ? "invalid" : NULL;
	if (evaluation && evaluation->metrics.cycles) {
		find_suspect(reasons, result, evaluation);
		find_sound_suspect(reasons, &evaluation->metrics);
		find_disturbed(reasons, result, &evaluation->metrics);
	}
	if (!status)
		status = json_array_size(reasons) ? "suspect" : "valid";
	if (result->interrupted) {
		jx_add_line(reasons, "interrupted");
		if (strcmp(status, "invalid"))
			status = "interrupted";
	}
	jx_put(phase, "status", json_string(status));
}

int judge_run(json_t *run)
{
	json_t *breached = json_array(), *phase;
	bool failed = false;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const char *status = json_string_value(json_object_get(phase, "status"));

		limits_check(run, phase, breached);
		if (!strcmp(status, "invalid") || !strcmp(status, "interrupted"))
			failed = true;
	}
	jx_put(run, "limits_breached", breached);
	if (failed)
		return EXIT_ERROR;
	return json_array_size(breached) ? EXIT_LIMIT : EXIT_DONE;
}
