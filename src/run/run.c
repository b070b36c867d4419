/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "run/run.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/burner.h"
#include "measure/phase.h"
#include "options.h"
#include "report/evaluate.h"
#include "report/metrics_json.h"
#include "report/summary.h"
#include "report/tap.h"
#include "run/changes.h"
#include "run/choose_source.h"
#include "run/consult.h"
#include "run/judge.h"
#include "run/keep.h"
#include "run/progress.h"
#include "run/record.h"
#include "run/signals.h"
#include "system/clock.h"
#include "system/environment.h"
#include "system/rights.h"
#include "util/jx.h"

#define RING_SECONDS 60

/* The state of a run, passed down; the JSON object grows from phase to phase. */
struct run_state {
	const struct run_options *options;
	struct progress progress;
	const struct source_ops *ops;
	struct run_timing timing;
	struct calibration calibration;
	uint64_t loops;
	struct cpu_mask cpus; /* where this process may run: the stressors' too */
	int dma_latency_fd;
	char dir[PATH_MAX];  /* the result directory */
	struct keep keep;
	struct clock_watch clocks;
	json_t *json;
	json_t *settings;    /* of the machine, as last seen */
};

static int check_disk(const struct run_options *options, struct fault *fault)
{
	struct load_params params = { .dir = options->dir, .file_bytes = options->file_bytes };
	unsigned int files = 0;

	for (unsigned int i = 0; i < options->n_stress; i++)
		if (options->stress[i]->files > files)
			files = options->stress[i]->files;
	return load_check_space(&params, files, fault);
}

static void calibrate(void *argument)
{
	burner_calibrate(argument);
}

static int run_calibration(struct run_state *state, struct fault *fault)
{
	const struct run_options *options = state->options;
	int err = phase_on_rt_thread(&options->attributes, calibrate, &state->calibration, fault);

	if (err)
		return err;
	state->loops = burner_loops(&state->calibration, options->load * state->timing.period_ns);
	if (!state->calibration.settled)
		progress_warn(&state->progress,
			      "calibration did not settle: after %u tries the fastest still differ "
			      "by %.2g %% (a busy neighbour?); the load may be too small",
			      state->calibration.tries, 100 * state->calibration.spread);
	return 0;
}

/* Keeps this thread, and the recorder that it will start, off the CPU that is measured. */
static void leave_measuring_cpu(const struct run_state *state)
{
	int cpu = state->options->attributes.cpu;
	struct cpu_mask others = state->cpus;

	if (cpu < 0)
		return;
	CPU_CLR_S(cpu, sizeof(others), others.sets);
	if (CPU_COUNT_S(sizeof(others), others.sets))
		sched_setaffinity(0, sizeof(others), others.sets);
}

/* With --verbose: what the run goes by, as it will stand in run.json. */
static void say_conditions(struct run_state *state)
{
	static const char *const parts[] = { "calibration", "clock", "environment" };

	if (state->options->verbosity != RUN_VERBOSE)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *text = json_dumps(json_object_get(state->json, parts[i]),
					JSON_INDENT(1) | JSON_REAL_PRECISION(6));

		progress_say(&state->progress, "%s: %s", parts[i], text ? text : "");
		free(text);
	}
}

/* What follows from what the source grants. */
static int set_timing(struct run_state *state, const struct source_grant *grant,
		      struct fault *fault)
{
	const struct run_options *options = state->options;
	struct run_timing *timing = &state->timing;
	double max_load;

	timing->rate_hz = grant->rate_hz;
	timing->ticks = options->wakeups * grant->ticks_per_wait;
	timing->period_ns = metrics_period_ns(timing->rate_hz, timing->ticks);
	timing->deadline = options->deadline;
	if (!(timing->deadline > 0))
		timing->deadline = (double)grant->buffer_waits / options->wakeups;
	max_load = run_max_load(timing->period_ns);
	if (options->load > max_load + 1e-9)
		return fault_set(fault, -EINVAL, "--load %g: leaves too little of the %.4g us of "
				 "each period that %s grants; valid is 0 to %.3f", options->load,
				 timing->period_ns / 1e3, state->ops->name, max_load);
	return 0;
}

/* All that can fail does so here, before anything is started or written. */
static int prepare(struct run_state *state, struct fault *fault)
{
	const struct run_options *options = state->options;
	struct source_choice choice;
	int err;

	err = choose_source(options, &choice, fault);
	state->ops = choice.ops;
	if (!err)
		err = set_timing(state, &choice.grant, fault);
	if (!err)
		err = check_disk(options, fault);
	if (!err && options->dma_latency_us >= 0) {
		state->dma_latency_fd = rights_hold_dma_latency(options->dma_latency_us, fault);
		err = state->dma_latency_fd < 0 ? state->dma_latency_fd : 0;
	}
	if (!err)
		err = keep_make_directory(options->output, state->dir, sizeof(state->dir), fault);
	if (err)
		return err;
	err = run_calibration(state, fault);
	if (err) {
		rmdir(state->dir);
		return err;
	}
	if (choice.doubtful)
		progress_warn(&state->progress, "source %s: %s", choice.ops->name, choice.note);
	else
		progress_say(&state->progress, "source %s: %s", choice.ops->name, choice.note);
	state->json = record_run(options, &choice, &state->timing, &state->calibration,
				 state->loops);
	if (!state->json)
		return fault_set(fault, -ENOMEM, "no memory");
	consult_doctor(state->json, options, &state->progress);
	say_conditions(state);
	return 0;
}

double run_max_load(double period_ns)
{
	return 1 - RUN_MIN_IDLE_NS / period_ns;
}

static enum phase_wish pause_run(void *argument, int timeout_ms)
{
	struct run_state *state = argument;
	int requests = signals_pause(timeout_ms);

	clock_watch_look(&state->clocks);
	if (requests > 1)
		return PHASE_END_AT_ONCE;
	return requests ? PHASE_END : PHASE_GO_ON;
}

static void show_live(void *argument, const struct phase_live *live)
{
	struct run_state *state = argument;

	progress_live(&state->progress, live);
}

static uint64_t whole_cycles(double seconds, double period_ns)
{
	return (uint64_t)llround(seconds * 1e9 / period_ns);
}

/* ", 3 xruns" where the source can have such; else "". */
static const char *xruns_text(const struct run_state *state, const json_t *thread, char *buf,
			      size_t size)
{
	buf[0] = '\0';
	if (state->ops->complete)
		snprintf(buf, size, ", %lld xruns",
			 (long long)json_integer_value(json_object_get(thread, "xruns")));
	return buf;
}

static void say_phase(struct run_state *state, const json_t *phase)
{
	const json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);
	const char *name = json_string_value(json_object_get(phase, "name"));
	const char *status = json_string_value(json_object_get(phase, "status"));
	const json_t *reason;
	char xruns[40];
	size_t i;

	if (thread)
		progress_say(
			&state->progress,
			"%-9s %s: %lld cycles, %lld missed, max diff %.3f ms, %lld "
			"overruns%s, load %.3f of %.3f, stolen %.2f %%",
			name, status, jx_count(thread, "cycles"), jx_count(thread, "missed_cycles"),
			json_number_value(json_object_get(thread, "max_diff_ms")),
			jx_count(thread, "overruns"),
			xruns_text(state, thread, xruns, sizeof(xruns)),
			json_number_value(json_object_get(thread, "load_achieved")),
			state->options->load,
			json_number_value(json_object_get(thread, "stolen_percent")));
	else
		progress_say(&state->progress, "%-9s %s", name, status);
	json_array_foreach(json_object_get(phase, "reasons"), i, reason)
		progress_warn(&state->progress, "%s: %s: %s", name, status,
			      json_string_value(reason));
}

/* Runs a phase; adds what happened to process and machine meanwhile to its result. */
static void measure_phase(struct run_state *state, const struct phase_params *params,
			  struct phase_result *result)
{
	struct phase_hooks hooks = { .argument = state, .pause = pause_run, .live = show_live };
	struct signals_stops stops = signals_stops();
	int64_t suspended_ns = state->clocks.suspended_ns;

	phase_run(params, &hooks, result);
	pause_run(state, 0);
	result->stops = signals_stops().count - stops.count;
	result->stopped_ns = signals_stops().at_most_ns - stops.at_most_ns;
	result->suspended_ns = state->clocks.suspended_ns - suspended_ns;
}

/* Measures one phase and adds it to the run. 0, or a negative errno when the run cannot go on. */
static int run_phase(struct run_state *state, const struct stressor *stressor, struct fault *fault)
{
	const struct run_options *options = state->options;
	char samples[PATH_MAX + 64];
	char *conditions = json_dumps(json_object_get(state->json, "conditions"), JSON_COMPACT);
	struct phase_params params = {
		.ops = state->ops,
		.source = choose_source_params(options),
		.loop = { .ops = state->ops,
			  .wakeups = state->timing.ticks,
			  .loops = state->loops,
			  .warmup_cycles = whole_cycles(options->warmup_s, state->timing.period_ns),
			  .cycles = whole_cycles(options->duration_s, state->timing.period_ns),
			  .overrun_ns =
				  (int64_t)(state->timing.deadline * state->timing.period_ns) },
		.attributes = options->attributes,
		.stressor = stressor,
		.load = { .dir = options->dir, .file_bytes = options->file_bytes },
		.load_cpus = &state->cpus,
		.ring_slots = (uint64_t)ceil(RING_SECONDS * 1e9 / state->timing.period_ns),
		.samples_path = samples,
		.conditions = conditions ? conditions : "{}",
	};
	const struct environment_params environment = { options->dir, options->file_bytes,
							options->attributes.cpu };
	struct phase_result result;
	json_t *phase;

	params.source.rate_hz = state->timing.rate_hz;
	/* The last cycle of the warm-up is where the first diff begins. */
	if (!params.loop.warmup_cycles)
		params.loop.warmup_cycles = 1;
	snprintf(samples, sizeof(samples), "%s/%s.samples", state->dir, stressor->name);
	progress_phase(&state->progress, stressor, state->timing.period_ns, params.loop.cycles);
	measure_phase(state, &params, &result);
	progress_clear(&state->progress);
	phase = record_phase(state->json, &params, &result, fault);
	keep_note_phase(&state->keep, state->json, stressor->name, &result);
	free(conditions);
	phase_result_free(&result);
	if (!phase)
		return -ENOMEM;
	changes_check(state->json, phase, &environment, &state->settings);
	say_phase(state, phase);
	return keep_save(&state->keep, state->json, phase, fault);
}

static int run_phases(struct run_state *state, struct fault *fault)
{
	const struct run_options *options = state->options;
	int err;

	keep_open(&state->keep, state->dir);
	err = keep_save(&state->keep, state->json, NULL, fault);
	for (unsigned int i = 0; !err && i < options->n_stress && !signals_count(); i++)
		err = run_phase(state, options->stress[i], fault);
	return err;
}

static void print_result(const struct run_state *state)
{
	size_t number = 0;

	switch (state->options->print) {
	case RUN_PRINT_JSON:
		json_dumpf(state->json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
		putchar('\n');
		break;
	case RUN_PRINT_TAP:
		tap_plan(stdout, json_array_size(json_object_get(state->json, "phases")));
		tap_run(stdout, state->json, "", &number);
		break;
	case RUN_PRINT_SUMMARY:
		if (state->options->verbosity == RUN_QUIET)
			break;
		putchar('\n');
		summary_write(stdout, state->json);
		break;
	}
}

/* The end of a run: its status, the last run.json, the summary. Returns the exit status. */
static int finish(struct run_state *state, int err, struct fault *fault)
{
	const json_t *line;
	const char *status = "complete";
	int exit_status, save_err;
	size_t i;

	if (err)
		status = "failed";
	else if (signals_count())
		status = "interrupted";
	record_end(state->json, status);
	record_clocks(state->json, &state->clocks);
	exit_status = judge_run(state->json);
	save_err = keep_save_last(&state->keep, state->json, err ? NULL : fault);
	keep_close(&state->keep);
	if (err || save_err)
		progress_warn(&state->progress, "%s", fault->text);
	print_result(state);
	/* Then it stands nowhere else. */
	if (save_err && state->options->verbosity == RUN_QUIET)
		summary_write(stderr, state->json);
	json_array_foreach(json_object_get(state->json, "incidents"), i, line)
		progress_warn(&state->progress, "%s", json_string_value(line));
	json_array_foreach(json_object_get(state->json, "limits_breached"), i, line)
		progress_warn(&state->progress, "limit: %s", json_string_value(line));
	progress_say(&state->progress, "\nresults in %s; plots: latencytest report %s", state->dir,
		     state->dir);
	return err || save_err || state->keep.harmed || signals_count() ? EXIT_ERROR : exit_status;
}

int run(const struct run_options *options)
{
	struct run_state state = { .options = options, .dma_latency_fd = -1 };
	struct fault fault = { "" };
	int status, err;

	signals_block();
	clock_watch_start(&state.clocks);
	progress_init(&state.progress,
		      options->print == RUN_PRINT_SUMMARY ? options->verbosity : RUN_QUIET);
	if (sched_getaffinity(0, sizeof(state.cpus), state.cpus.sets) < 0)
		err = fault_set(&fault, -errno, "sched_getaffinity: %s", strerror(errno));
	else
		err = prepare(&state, &fault);
	if (err) {
		progress_warn(&state.progress, "%s", fault.text);
		status = EXIT_ERROR;
	} else {
		/* Not before: the test of the clock compares all CPUs. */
		leave_measuring_cpu(&state);
		err = run_phases(&state, &fault);
		status = finish(&state, err, &fault);
	}
	if (fflush(stdout) || ferror(stdout)) {
		progress_warn(&state.progress, "output: write error");
		status = EXIT_ERROR;
	}
	if (state.dma_latency_fd >= 0)
		close(state.dma_latency_fd);
	json_decref(state.settings);
	json_decref(state.json);
	return status;
}
