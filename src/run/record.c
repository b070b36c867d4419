/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "run/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/evaluate.h"
#include "report/metrics_json.h"
#include "report/result.h"
#include "report/run_file.h"
#include "run/judge.h"
#include "system/clock.h"
#include "system/environment.h"
#include "util/jx.h"
#include "util/stamp.h"

/* A count that may be absent: null for a negative one. */
static void put_limit(json_t *object, const char *key, int64_t value)
{
	jx_put(object, key, value < 0 ? json_null() : json_integer(value));
}

static void put_time(json_t *object, const char *key)
{
	char stamp[STAMP_SIZE];

	jx_put_text(object, key, stamp_utc(stamp));
}

static const char *policy_name(int policy)
{
	switch (policy) {
	case SCHED_FIFO:
		return "fifo";
	case SCHED_RR:
		return "rr";
	default:
		return "other";
	}
}

static json_t *limits_json(const struct run_limits *limits)
{
	json_t *object = json_object();

	put_limit(object, "max_overruns", limits->overruns);
	put_limit(object, "max_missed_cycles", limits->missed);
	put_limit(object, "max_late_finishes", limits->late_finish);
	jx_put_real(object, "max_diff_ms", limits->max_diff_ms);
	return object;
}

static const char *direction_name(const struct sound_params *sound)
{
	if (sound->duplex)
		return "duplex";
	return sound->capture ? "capture" : "playback";
}

/* What the sound device was asked for and granted. */
static json_t *sound_json(const struct run_options *options, const struct source_choice *choice)
{
	const struct sound_params *sound = &options->sound;
	const struct source_grant *grant = &choice->grant;
	json_t *object = json_object();

	jx_put_text(object, "device", sound->device);
	jx_put_text(object, "direction", direction_name(sound));
	jx_put_count(object, "rate_asked_hz", sound->rate_hz);
	jx_put_count(object, "period_frames", grant->ticks_per_wait);
	jx_put_count(object, "period_frames_asked", sound->period_frames);
	jx_put_count(object, "periods", grant->buffer_waits);
	jx_put_count(object, "periods_asked", sound->periods);
	jx_put_text(object, "format", sound->format);
	jx_put_count(object, "channels", sound->channels);
	jx_put_real(object, "tone_hz", sound->tone_hz);
	jx_put_text(object, "granted_note", grant->note);
	return object;
}

static json_t *conditions_json(const struct run_options *options,
			       const struct source_choice *choice, const struct run_timing *timing)
{
	double period_ms = timing->period_ns / 1e6;
	json_t *object = json_object(), *stress = json_array();

	jx_put_real(object, "load", options->load);
	jx_put_count(object, "rate_hz", timing->rate_hz);
	jx_put_count(object, "wakeups", timing->ticks);
	jx_put_real(object, "period_ms", period_ms);
	jx_put_real(object, "cpu_latency_ms", options->load * period_ms);
	jx_put_real(object, "deadline_periods", timing->deadline);
	jx_put_text(object, "source", choice->ops->name);
	jx_put_text(object, "source_asked", options->source);
	jx_put_text(object, "source_note", choice->note);
	if (choice->grant.buffer_waits)
		jx_put(object, "sound", sound_json(options, choice));
	if (options->sound.timer)
		jx_put_text(object, "alsa_timer", options->sound.timer);
	for (unsigned int i = 0; i < options->n_stress; i++)
		json_array_append_new(stress, json_string(options->stress[i]->name));
	jx_put(object, "stress", stress);
	jx_put_real(object, "duration_s", options->duration_s);
	jx_put_real(object, "warmup_s", options->warmup_s);
	jx_put_count(object, "file_size_bytes", options->file_bytes);
	jx_put_text(object, "directory", options->dir);
	jx_put_text(object, "policy", policy_name(options->attributes.policy));
	jx_put_count(object, "priority", (uint64_t)options->attributes.priority);
	put_limit(object, "cpu", options->attributes.cpu);
	put_limit(object, "dma_latency_us", options->dma_latency_us);
	jx_put(object, "limits", limits_json(&options->limits));
	return object;
}

static json_t *calibration_json(const struct calibration *calibration, uint64_t loops)
{
	json_t *object = json_object();

	jx_put_count(object, "loops_per_run", loops);
	jx_put_real(object, "loop_ns", calibration->ns_per_loop);
	jx_put_real(object, "spread_percent", 100 * calibration->spread);
	jx_put_count(object, "tries", calibration->tries);
	jx_put_real(object, "elapsed_ms", (double)calibration->elapsed_ns / 1e6);
	jx_put(object, "settled", json_boolean(calibration->settled));
	return object;
}

static json_t *clock_json(void)
{
	json_t *object = json_object();
	struct clock_quality quality;
	struct fault fault;

	if (clock_test(&quality, &fault)) {
		jx_put_text(object, "error", fault.text);
		return object;
	}
	jx_put_count(object, "cost_ns", (uint64_t)quality.cost_ns);
	jx_put_count(object, "step_ns", (uint64_t)quality.step_ns);
	jx_put_count(object, "resolution_ns", (uint64_t)quality.resolution_ns);
	jx_put_count(object, "cpus_compared", quality.cpus);
	jx_put_count(object, "backward_ns", (uint64_t)quality.backward_ns);
	return object;
}

static json_t *command_line_json(int argc, char **argv)
{
	json_t *array = json_array();

	for (int i = 0; i < argc; i++) {
		json_t *word = json_string(argv[i]);

		json_array_append_new(array, word ? word : json_string("(not UTF-8)"));
	}
	return array;
}

json_t *record_run(const struct run_options *options, const struct source_choice *choice,
		   const struct run_timing *timing, const struct calibration *calibration,
		   uint64_t loops)
{
	struct environment_params environment = { .dir = options->dir,
						  .file_bytes = options->file_bytes,
						  .cpu = options->attributes.cpu };
	json_t *run = json_object();
	json_t *facts;

	jx_put_count(run, "schema_version", RESULT_SCHEMA_VERSION);
	jx_put_text(run, "program", PACKAGE_STRING);
	jx_put_text(run, "status", "running");
	put_time(run, "started_utc");
	jx_put(run, "command_line", command_line_json(options->argc, options->argv));
	jx_put(run, "conditions", conditions_json(options, choice, timing));
	jx_put(run, "calibration", calibration_json(calibration, loops));
	jx_put(run, "clock", clock_json());
	facts = environment_collect(&environment);
	if (!facts) {
		json_decref(run);
		return NULL;
	}
	jx_put(run, "environment", facts);
	jx_put(run, "environment_changes", json_array());
	jx_put(run, "phases", json_array());
	return run;
}

static json_t *stressor_json(const struct stressor *stressor, const struct load_progress *progress)
{
	json_t *object = json_object();
	double window_s = (double)progress->window_ns / 1e9;

	jx_put_text(object, "name", stressor->name);
	if (!stressor->unit)
		return object;
	jx_put_text(object, "unit", stressor->unit);
	jx_put_count(object, "units", progress->units);
	jx_put_real(object, "window_s", window_s);
	jx_put_real(object, "units_per_second", (double)progress->units / window_s);
	jx_put_real(object, "longest_stall_ms", (double)progress->longest_stall_ns / 1e6);
	jx_put_real(object, "stalled_percent",
		 100 * (double)progress->stalled_ns / (double)progress->window_ns);
	return object;
}

static void put_usage(json_t *thread, const struct loop_result *loop)
{
	const struct loop_usage *usage = &loop->usage;

	jx_put_count(thread, "waits", loop->waits);
	jx_put_count(thread, "page_faults_minor", (uint64_t)usage->minor_faults);
	jx_put_count(thread, "page_faults_major", (uint64_t)usage->major_faults);
	jx_put_count(thread, "switches_voluntary", (uint64_t)usage->voluntary_switches);
	jx_put_count(thread, "switches_involuntary", (uint64_t)usage->involuntary_switches);
	jx_put_real(thread, "cpu_time_ms", (double)usage->cpu_ns / 1e6);
}

static json_t *recording_json(const struct phase_params *params, const struct phase_result *result,
			      const struct evaluation *evaluation)
{
	const char *slash = strrchr(params->samples_path, '/');
	json_t *object = json_object();

	jx_put_text(object, "samples_file", slash ? slash + 1 : params->samples_path);
	jx_put_count(object, "samples_bytes", evaluation->bytes);
	jx_put_count(object, "unwritten_samples", result->recorder.unwritten);
	jx_put_count(object, "ring_samples", result->ring_slots);
	jx_put_real(object, "longest_write_ms", (double)result->recorder.longest_write_ns / 1e6);
	jx_put_real(object, "write_blocked_ms", (double)result->recorder.blocked_ns / 1e6);
	jx_put_count(object, "locked_bytes", result->locked_bytes);
	jx_put_count(object, "timer_slack_ns", (uint64_t)result->timer_slack_ns);
	return object;
}

/* The CPU that most cycles ran on: the one whose interrupts count. */
static int measuring_cpu(const struct phase_params *params, const struct metrics *metrics)
{
	int most = 0;

	if (params->attributes.cpu >= 0)
		return params->attributes.cpu;
	for (int cpu = 1; cpu < METRICS_MAX_CPUS; cpu++)
		if (metrics->cycles_on_cpu[cpu] > metrics->cycles_on_cpu[most])
			most = cpu;
	return most;
}

static void add_measured(json_t *phase, const json_t *run, const struct phase_params *params,
			 const struct phase_result *result, const struct evaluation *evaluation)
{
	double load =
		json_number_value(json_object_get(json_object_get(run, "conditions"), "load"));
	int cpu = measuring_cpu(params, &evaluation->metrics);
	json_t *threads = json_array(), *thread;
	struct fault ignored;
	uint64_t expected;

	evaluation_consistent(evaluation, &expected, &ignored);
	thread = metrics_json(evaluation, expected, load);
	put_usage(thread, &result->loop);
	json_array_append_new(threads, thread);
	jx_put(phase, "threads", threads);
	jx_put_real(phase, "cpu_hz", environment_cpu_hz(cpu));
	jx_put(phase, "stressor", stressor_json(params->stressor, &result->load));
	jx_put(phase, "recording", recording_json(params, result, evaluation));
	jx_put(phase, "interrupts_cpu", json_integer(cpu));
	jx_put(phase, "interrupts",
		 result->before && result->after ?
			 interrupts_delta(result->before, result->after, cpu) : json_null());
}

json_t *record_phase(json_t *run, const struct phase_params *params,
		     const struct phase_result *result, struct fault *fault)
{
	struct metrics_params metrics = run_file_metrics_params(run);
	struct phase_result judged = *result;
	struct evaluation evaluation;
	json_t *phase = json_object();
	bool evaluated = false;

	if (!phase) {
		fault_set(fault, -1, "no memory");
		return NULL;
	}
	jx_put_text(phase, "name", params->stressor->name);
	put_time(phase, "ended_utc");
	if (result->stops)
		jx_put_count(phase, "times_stopped", result->stops);
	if (result->suspended_ns)
		jx_put_real(phase, "suspended_s", (double)result->suspended_ns / 1e9);
	if (result->measured) {
		struct fault why = { "" };

		evaluated = !evaluate_samples(params->samples_path, &metrics, &evaluation, &why);
		if (!evaluated && !judged.error.text[0])
			judged.error = why;
	}
	judge_phase(phase, &judged, evaluated ? &evaluation : NULL, params->stressor);
	if (evaluated && evaluation.metrics.cycles)
		add_measured(phase, run, params, result, &evaluation);
	if (evaluated)
		evaluation_free(&evaluation);
	json_array_append_new(json_object_get(run, "phases"), phase);
	return phase;
}

void record_incident(json_t *run, const char *fmt, ...)
{
	json_t *incidents = json_object_get(run, "incidents");
	char line[480];
	va_list args;

	if (!incidents) {
		incidents = json_array();
		jx_put(run, "incidents", incidents);
	}
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	jx_add_line(incidents, "%s", line);
}

void record_clocks(json_t *run, const struct clock_watch *watch)
{
	json_t *clock = json_object_get(run, "clock");
	double stepped_s = (double)watch->stepped_ns / 1e9;

	jx_put_real(clock, "elapsed_s", (double)(watch->looked_ns - watch->start_ns) / 1e9);
	jx_put_real(clock, "suspended_s", (double)watch->suspended_ns / 1e9);
	jx_put_count(clock, "realtime_steps", watch->steps);
	jx_put_real(clock, "realtime_stepped_s", stepped_s);
	if (watch->steps)
		record_incident(
			run,
			"the clock of the day (CLOCK_REALTIME) was set %s by %.3f s "
			"in mid-run: times of start and end do not belong together. Nothing "
			"that was measured depends on it",
			stepped_s < 0 ? "back" : "forward", fabs(stepped_s));
}

void record_end(json_t *run, const char *status)
{
	jx_put_text(run, "status", status);
	put_time(run, "ended_utc");
}
