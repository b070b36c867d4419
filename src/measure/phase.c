/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/phase_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "measure/runaway.h"
#include "system/clock.h"
#include "system/rights.h"

#define PREPARE_PAUSE_MS 50
#define RING_MIN_SLOTS 1024
/* Room for what is locked besides the ring: the stack, the source's state, and some to spare. */
#define LOCK_RESERVE_BYTES (512 * 1024)

static int start_stressor(struct phase *phase)
{
	const struct phase_params *params = phase->params;
	struct phase_result *result = phase->result;
	int err;

	err = load_start(&phase->load, params->stressor, &params->load, params->load_cpus,
			 sizeof(*params->load_cpus), &result->error);
	if (err)
		return err;
	for (;;) {
		load_read(phase->load, &result->load);
		switch (result->load.state) {
		case LOAD_RUNNING:
			return 0;
		case LOAD_SKIPPED:
			result->skipped = true;
			fault_set(&result->skip_reason, 0, "%s", result->load.reason);
			return LOAD_SKIP;
		case LOAD_FAILED:
			return fault_set(&result->error, -EIO, "%s: %s", params->stressor->name,
					 result->load.reason);
		case LOAD_PREPARING:
			break;
		}
		phase_show(phase);
		if (phase_pause(phase, PREPARE_PAUSE_MS) != PHASE_GO_ON)
			return -EINTR;
	}
}

/*
 * The largest power of two up to `wanted` that may be locked; the program itself is locked already,
 * so that what is left is known.
 */
static uint64_t affordable_slots(uint64_t wanted)
{
	size_t reserve = LOCK_RESERVE_BYTES, lockable = rights_lockable();
	uint64_t slots = RING_MIN_SLOTS;

	while (slots < wanted)
		slots *= 2;
	while (slots > RING_MIN_SLOTS &&
	       (lockable < reserve || ring_bytes(slots) > lockable - reserve))
		slots /= 2;
	return slots;
}

static size_t align_up(size_t n)
{
	return (n + 63) / 64 * 64;
}

/* One piece of locked memory: the loop, the source's state, the ring. */
static int make_thread(struct phase *phase)
{
	const struct phase_params *params = phase->params;
	struct phase_result *result = phase->result;
	size_t loop_bytes = align_up(sizeof(struct loop));
	size_t source_bytes = align_up(params->ops->state_bytes), program_bytes = 0;
	void *memory;
	int err;

	err = rights_lock_program(params->ops->library, &program_bytes, &result->error);
	if (err)
		return err;
	result->ring_slots = affordable_slots(params->ring_slots);
	err = rt_thread_create(&phase->thread,
			       loop_bytes + source_bytes + ring_bytes(result->ring_slots),
			       params->ops->library, &memory, &result->error);
	if (err)
		return err;
	result->locked_bytes = rt_thread_locked_bytes(phase->thread);
	phase->loop = memory;
	phase->loop->params = params->loop;
	phase->loop->turn.wakeups = params->loop.wakeups;
	phase->loop->source = (char *)memory + loop_bytes;
	phase->loop->ring = (struct ring *)((char *)memory + loop_bytes + source_bytes);
	ring_init(phase->loop->ring, result->ring_slots);
	return 0;
}

/* The device is opened anew for each phase; what it grants has to be what the run goes by. */
static int check_grant(const struct phase_params *params, const void *source, struct fault *fault)
{
	struct source_grant grant;

	if (!params->ops->granted)
		return 0;
	params->ops->granted(source, &grant);
	if (grant.rate_hz == params->source.rate_hz &&
	    params->loop.wakeups % grant.ticks_per_wait == 0)
		return 0;
	return fault_set(fault, -EINVAL, "source %s: grants %u Hz and periods of %u now, which is "
			 "not what the run began with", params->ops->name, grant.rate_hz,
			 grant.ticks_per_wait);
}

static int start_source(struct phase *phase)
{
	const struct phase_params *params = phase->params;
	struct fault *fault = &phase->result->error;
	struct sample_header header = { .rate_hz = params->source.rate_hz,
					.wakeups = params->loop.wakeups,
					.lateness = params->ops->lateness };
	int err;

	phase->source = phase->loop->source;
	err = params->ops->open(phase->source, &params->source, fault);
	if (err)
		return err;
	err = check_grant(params, phase->source, fault);
	if (err)
		return err;
	err = params->ops->start(phase->source, &phase->loop->t0_ns, fault);
	if (err)
		return err;
	phase->ticking = true;
	header.t0_ns = phase->loop->t0_ns;
	if (params->ops->slope_ns)
		header.slope_ns = params->ops->slope_ns(params->source.rate_hz);
	err = sample_writer_open(&phase->writer, params->samples_path, &header, params->conditions,
				 fault);
	if (err)
		return err;
	err = recorder_start(&phase->recorder, phase->loop->ring, phase->writer);
	if (err)
		return fault_set(fault, err, "recorder thread: %s", strerror(-err));
	return 0;
}

/* Runs on the measuring thread. */
static void measure(void *argument)
{
	loop_run(argument);
}

static const char *source_error(int err)
{
	switch (err) {
	case -ESTRPIPE:
		return "the machine or the sound device was suspended (ESTRPIPE)";
	case -ENODEV:
		return "the device was unplugged or its driver removed (ENODEV)";
	default:
		return strerror(-err);
	}
}

int64_t phase_period_ns(const struct phase_params *params)
{
	return NS_PER_SEC * params->loop.wakeups / params->source.rate_hz;
}

static int run_thread(struct phase *phase)
{
	struct phase_result *result = phase->result;
	int64_t limit_ns;
	struct rlimit old;
	int err;

	limit_ns = runaway_limit(RUNAWAY_NS + RUNAWAY_PERIODS * phase_period_ns(phase->params),
				 &old);
	err = rt_thread_start(phase->thread, &phase->params->attributes, measure, phase->loop,
			      &result->error);
	if (err) {
		runaway_unlimit(&old);
		return err;
	}
	result->timer_slack_ns = rt_thread_timer_slack_ns(phase->thread);
	err = phase_watch(phase);
	rt_thread_join(phase->thread);
	runaway_unlimit(&old);
	if (!phase->window_open)
		phase_open_window(phase);
	result->after = interrupts_take();
	load_read(phase->load, &result->load);
	result->loop = phase->loop->result;
	result->measured = atomic_load(&phase->loop->status.recording);
	result->overruns = atomic_load(&phase->loop->status.overruns);
	result->max_diff_ns = atomic_load(&phase->loop->status.max_diff_ns);
	if (!err)
		err = phase_runaway(phase, limit_ns);
	if (!err && result->loop.error)
		err = fault_set(&result->error, result->loop.error, "source %s: %s",
				phase->params->ops->name, source_error(result->loop.error));
	return err;
}

/* Stops the ticks, ends the sample file. Returns the first error of the file. */
static int end_recording(struct phase *phase)
{
	struct phase_result *result = phase->result;
	const struct loop_result *loop = &result->loop;
	int err, close_err;

	if (phase->ticking)
		phase->params->ops->stop(phase->source);
	if (phase->source)
		phase->params->ops->close(phase->source);
	recorder_stop(phase->recorder, &result->recorder);
	err = result->recorder.error;
	if (phase->loop)
		result->lost = ring_lost(phase->loop->ring);
	if (phase->writer && !err && result->measured) {
		struct sample_end end = { .cycles = loop->cycles, .missed = loop->missed,
					  .lost = result->lost, .first_index = loop->first_index,
					  .last_index = loop->last_index, .ticks = loop->ticks,
					  .last_wake_ns = loop->last_wake_ns };

		err = sample_writer_end(phase->writer, 0, &end);
	}
	if (phase->writer && sample_writer_keep(phase->writer, phase->params->samples_path,
						&result->samples_copied, &result->samples_lost))
		result->measured = false;
	close_err = sample_writer_close(phase->writer);
	return err ? err : close_err;
}

/* What is not in the file was measured all the same: the loop's own counts tell of it. */
static int file_error(const struct phase_result *result, int err, const char *path,
		      struct fault *fault)
{
	char counts[160] = "";

	if (result->loop.cycles)
		snprintf(counts, sizeof(counts), "; in all there were %llu cycles, %llu missed, "
			 "%llu overruns, max diff %.3f ms", (unsigned long long)result->loop.cycles,
			 (unsigned long long)result->loop.missed,
			 (unsigned long long)result->overruns, (double)result->max_diff_ns / 1e6);
	if (result->samples_lost.text[0])
		return fault_set(fault, err, "%.200s%s", result->samples_lost.text, counts);
	return fault_set(fault, err, "%.200s: %s: %llu cycles could not be written%s",
			 path, strerror(-err), (unsigned long long)result->recorder.unwritten,
			 counts);
}

/* Asked while the stressor ends; what was measured is whole by then. */
static bool in_a_hurry(void *argument)
{
	const struct phase *phase = argument;

	return phase->hooks->pause(phase->hooks->argument, 0) == PHASE_END_AT_ONCE;
}

/* A further error beside the first, err (0: there was none): both are told. Returns the first. */
static int add_error(struct phase_result *result, int err, int more, const struct fault *fault)
{
	struct fault first = result->error;

	if (!more)
		return err;
	if (first.text[0])
		fault_set(&result->error, more, "%.230s; then: %.230s", first.text, fault->text);
	else
		result->error = *fault;
	return err ? err : more;
}

int phase_run(const struct phase_params *params, const struct phase_hooks *hooks,
	      struct phase_result *result)
{
	struct phase phase = { .params = params, .hooks = hooks, .result = result };
	struct fault fault = { "" };
	int err, file_err;

	memset(result, 0, sizeof(*result));
	err = start_stressor(&phase);
	if (!err)
		err = make_thread(&phase);
	if (!err)
		err = start_source(&phase);
	if (!err)
		err = run_thread(&phase);
	file_err = end_recording(&phase);
	if (result->samples_lost.text[0])
		file_err = -ENOENT;
	if (file_err)
		file_error(result, file_err, params->samples_path, &fault);
	err = add_error(result, err, file_err, &fault);
	err = add_error(result, err, load_stop(phase.load, in_a_hurry, &phase, &fault), &fault);
	rt_thread_free(phase.thread);
	if (err == LOAD_SKIP || (err == -EINTR && result->interrupted))
		err = 0;
	return err;
}

void phase_result_free(struct phase_result *result)
{
	interrupts_free(result->before);
	interrupts_free(result->after);
}

int phase_on_rt_thread(const struct rt_attributes *attributes, void (*body)(void *argument),
		       void *argument, struct fault *fault)
{
	struct rt_thread *thread = NULL;
	void *memory;
	int err = rt_thread_create(&thread, 1, NULL, &memory, fault);

	if (!err)
		err = rt_thread_start(thread, attributes, body, argument, fault);
	rt_thread_free(thread);
	return err;
}
