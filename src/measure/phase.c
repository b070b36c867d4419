/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/phase.h"

#include <errno.h>
#include <string.h>

#include "measure/sample.h"
#include "system/clock.h"
#include "system/rights.h"

#define PAUSE_MS 250
#define PREPARE_PAUSE_MS 50
#define WARMUP_PAUSE_MS 5
/* A source that gives no tick for so long (or ten of its own periods) has died. */
#define SILENCE_NS (10 * NS_PER_SEC)
#define RING_MIN_SLOTS 1024
/* Room for what is locked besides the ring: the stack, the source's state, and some to spare. */
#define LOCK_RESERVE_BYTES (512 * 1024)

/* All that has to be undone at the end, in the order in which it is made. */
struct phase {
	const struct phase_params *params;
	const struct phase_hooks *hooks;
	struct phase_result *result;
	struct load *load;
	struct rt_thread *thread;
	struct loop *loop;
	void *source;            /* state; NULL until open() was called */
	bool ticking;
	struct sample_writer *writer;
	struct recorder *recorder;
	bool window_open;
	uint64_t seen_cycles;    /* for the watch on a silent source */
	int64_t seen_ns;
};

static void show(struct phase *phase)
{
	struct phase_live live = { .preparing = true };

	if (phase->loop) {
		struct loop_status *status = &phase->loop->status;

		live.preparing = !atomic_load(&status->recording);
		live.cycles = atomic_load(&status->cycles);
		live.missed = atomic_load(&status->missed);
		live.overruns = atomic_load(&status->overruns);
		live.max_diff_ns = atomic_load(&status->max_diff_ns);
		if (live.cycles)
			live.burn_mean_ns =
				atomic_load(&status->burn_sum_ns) / (int64_t)live.cycles;
	}
	if (phase->load)
		load_read(phase->load, &live.load);
	if (phase->recorder)
		live.write_blocked_ns = recorder_blocked_ns(phase->recorder);
	phase->hooks->live(phase->hooks->argument, &live);
}

/* Notes the user's wish. True when the phase is to end. */
static bool pause_phase(struct phase *phase, int timeout_ms)
{
	enum phase_wish wish = phase->hooks->pause(phase->hooks->argument, timeout_ms);

	if (wish != PHASE_GO_ON)
		phase->result->interrupted = true;
	return wish != PHASE_GO_ON;
}

static int start_stressor(struct phase *phase)
{
	const struct phase_params *params = phase->params;
	struct phase_result *result = phase->result;
	int err;

	err = load_start(&phase->load, params->stressor, &params->load, params->load_cpus,
			 sizeof(cpu_set_t), &result->error);
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
		show(phase);
		if (pause_phase(phase, PREPARE_PAUSE_MS))
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

static void open_window(struct phase *phase)
{
	phase->window_open = true;
	load_window_open(phase->load);
	phase->result->before = interrupts_take();
}

/* True when the loop is to be ended because its source has gone silent. */
static bool source_is_silent(struct phase *phase)
{
	const struct phase_params *params = phase->params;
	struct loop *loop = phase->loop;
	/* Cycles of the warm-up count as well: without them a silent source was never seen. */
	uint64_t cycles = atomic_load(&loop->status.cycles);
	int64_t now = clock_now_ns();
	int64_t limit = 10 * NS_PER_SEC * params->loop.wakeups / params->source.rate_hz;

	if (limit < SILENCE_NS)
		limit = SILENCE_NS;
	if (!atomic_load(&loop->status.recording))
		limit += (int64_t)params->loop.warmup_cycles * NS_PER_SEC * params->loop.wakeups /
			 params->source.rate_hz;
	if (!phase->seen_ns || cycles != phase->seen_cycles) {
		phase->seen_cycles = cycles;
		phase->seen_ns = now;
	}
	return now - phase->seen_ns > limit;
}

static int watch(struct phase *phase)
{
	struct phase_result *result = phase->result;
	struct loop_status *status = &phase->loop->status;
	int err = 0;

	while (!rt_thread_done(phase->thread)) {
		/* Often until it records: then the stressor's window opens with the recording. */
		bool end = pause_phase(phase, phase->window_open ? PAUSE_MS : WARMUP_PAUSE_MS);

		if (!phase->window_open && atomic_load(&status->recording))
			open_window(phase);
		load_read(phase->load, &result->load);
		if (!err && result->load.state == LOAD_FAILED)
			err = fault_set(&result->error, -EIO, "%s: %s",
					phase->params->stressor->name, result->load.reason);
		if (!err && source_is_silent(phase))
			err = fault_set(&result->error, -ETIME,
					"source %s: no wake-up for more than 10 s",
					phase->params->ops->name);
		if (end || err) {
			atomic_store(&status->stop, true);
			rt_thread_nudge(phase->thread);
		}
		show(phase);
	}
	return err;
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

static int run_thread(struct phase *phase)
{
	struct phase_result *result = phase->result;
	int err;

	err = rt_thread_start(phase->thread, &phase->params->attributes, measure, phase->loop,
			      &result->error);
	if (err)
		return err;
	result->timer_slack_ns = rt_thread_timer_slack_ns(phase->thread);
	err = watch(phase);
	rt_thread_join(phase->thread);
	if (!phase->window_open)
		open_window(phase);
	result->after = interrupts_take();
	load_read(phase->load, &result->load);
	result->loop = phase->loop->result;
	result->measured = atomic_load(&phase->loop->status.recording);
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
	close_err = sample_writer_close(phase->writer);
	return err ? err : close_err;
}

/* Asked while the stressor ends; what was measured is whole by then. */
static bool in_a_hurry(void *argument)
{
	const struct phase *phase = argument;

	return phase->hooks->pause(phase->hooks->argument, 0) == PHASE_END_AT_ONCE;
}

int phase_run(const struct phase_params *params, const struct phase_hooks *hooks,
	      struct phase_result *result)
{
	struct phase phase = { .params = params, .hooks = hooks, .result = result };
	struct fault stop_fault = { "" };
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
	if (file_err && !err)
		err = fault_set(&result->error, file_err,
				"%s: %s: %llu cycles could not be written", params->samples_path,
				strerror(-file_err),
				(unsigned long long)result->recorder.unwritten);
	if (load_stop(phase.load, in_a_hurry, &phase, &stop_fault) && !err)
		err = fault_set(&result->error, -ETIMEDOUT, "%s", stop_fault.text);
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
