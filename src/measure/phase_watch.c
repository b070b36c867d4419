/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/phase_parts.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "system/clock.h"

#define PAUSE_MS 250
#define SHORT_PAUSE_MS 5
/* A source that gives no tick for so long (or ten of its own periods) has died. */
#define SILENCE_NS (10 * NS_PER_SEC)
/* Looks are that far apart only where this thread could not run. */
#define STOPPED_NS (2 * NS_PER_SEC)
/* A burn that goes on for so long after the loop was asked to end is broken off. */
#define BREAK_OFF_NS (NS_PER_SEC / 2)

void phase_show(struct phase *phase)
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
			live.burn_mean_ns = atomic_load(&status->burn_sum_ns) /
					    (int64_t)live.cycles;
	}
	if (phase->load)
		load_read(phase->load, &live.load);
	if (phase->recorder)
		live.write_blocked_ns = recorder_blocked_ns(phase->recorder);
	phase->hooks->live(phase->hooks->argument, &live);
}

enum phase_wish phase_pause(struct phase *phase, int timeout_ms)
{
	enum phase_wish wish = phase->hooks->pause(phase->hooks->argument, timeout_ms);

	if (wish != PHASE_GO_ON)
		phase->result->interrupted = true;
	return wish;
}

void phase_open_window(struct phase *phase)
{
	phase->window_open = true;
	load_window_open(phase->load);
	phase->result->before = interrupts_take();
}

/* How long no cycle is recorded by a source that works: the warm-up's cycles are not counted. */
static int64_t silence_limit_ns(const struct phase *phase)
{
	const struct loop_params *loop = &phase->params->loop;
	int64_t limit = 10 * phase_period_ns(phase->params);

	if (limit < SILENCE_NS)
		limit = SILENCE_NS;
	if (!phase->seen_recording)
		limit += (int64_t)loop->warmup_cycles * phase_period_ns(phase->params);
	return limit;
}

/* True when the loop is to be ended because its source has gone silent. */
static bool source_is_silent(struct phase *phase)
{
	struct loop_status *status = &phase->loop->status;
	bool recording = atomic_load(&status->recording);
	uint64_t cycles = atomic_load(&status->cycles);
	int64_t now = clock_now_ns();

	/* Where nobody looked for long, the process was stopped: the source has its time anew. */
	if (!phase->seen_ns || recording != phase->seen_recording ||
	    cycles != phase->seen_cycles || now - phase->looked_ns > STOPPED_NS) {
		phase->seen_recording = recording;
		phase->seen_cycles = cycles;
		phase->seen_ns = now;
	}
	phase->looked_ns = now;
	return now - phase->seen_ns > silence_limit_ns(phase);
}

static int source_is_silent_error(struct phase *phase)
{
	struct fault *fault = &phase->result->error;
	double limit_s = (double)silence_limit_ns(phase) / 1e9;

	if (atomic_load(&phase->loop->runaway.burning))
		return fault_set(fault, -ETIME, "a burn did not end for more than %.0f s", limit_s);
	return fault_set(fault, -ETIME, "source %s: no wake-up for more than %.0f s",
			 phase->params->ops->name, limit_s);
}

/* Asks the loop to end; a burn that goes on all the same is left, at once if there is a hurry. */
static void end_loop(struct phase *phase, bool hurry)
{
	int64_t now = clock_now_ns();

	if (!phase->stop_ns)
		phase->stop_ns = now;
	atomic_store(&phase->loop->status.stop, true);
	if (!hurry && now - phase->stop_ns < BREAK_OFF_NS) {
		rt_thread_nudge(phase->thread);
		return;
	}
	phase->broke_off = true;
	rt_thread_break(phase->thread);
}

/* Often until it records, when the stressor's window is to open, and when it is about to end. */
static int pause_ms(const struct phase *phase)
{
	return phase->window_open && !phase->stop_ns ? PAUSE_MS : SHORT_PAUSE_MS;
}

int phase_watch(struct phase *phase)
{
	struct phase_result *result = phase->result;
	int err = 0;

	while (!rt_thread_done(phase->thread)) {
		enum phase_wish wish = phase_pause(phase, pause_ms(phase));

		if (!phase->window_open && atomic_load(&phase->loop->status.recording))
			phase_open_window(phase);
		load_read(phase->load, &result->load);
		if (!err && result->load.state == LOAD_FAILED)
			err = fault_set(&result->error, -EIO, "%s: %s",
					phase->params->stressor->name, result->load.reason);
		if (!err && source_is_silent(phase))
			err = source_is_silent_error(phase);
		if (wish != PHASE_GO_ON || err || phase->stop_ns)
			end_loop(phase, wish == PHASE_END_AT_ONCE);
		phase_show(phase);
	}
	return err;
}

/* SIGXCPU's other cause: the limit on processor time of the process (ulimit -t). */
static bool out_of_cpu_time(void)
{
	struct rlimit limit;
	struct timespec used;

	return !getrlimit(RLIMIT_CPU, &limit) && limit.rlim_cur != RLIM_INFINITY &&
	       !clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) &&
	       (rlim_t)used.tv_sec + 1 >= limit.rlim_cur;
}

int phase_runaway(struct phase *phase, int64_t limit_ns)
{
	const struct loop_result *loop = &phase->result->loop;
	struct fault *fault = &phase->result->error;

	if (!loop->broken || phase->broke_off)
		return 0;
	if (out_of_cpu_time())
		return fault_set(fault, -ETIME, "the limit on processor time (RLIMIT_CPU, ulimit "
				 "-t) was reached");
	if (loop->unfinished_burn_ns > limit_ns / 2)
		return fault_set(fault, -ETIME, "a burn did not end within %.1f s: it was broken "
				 "off and its thread put back to the ordinary policy, or it would "
				 "have kept the machine to itself", (double)limit_ns / 1e9);
	return fault_set(fault, -ETIME, "the measuring thread had not slept for %.1f s of "
			 "processor time: this processor does not manage such a load, every cycle "
			 "comes late. It was ended and put back to the ordinary policy, or it would "
			 "have kept the machine to itself; cure: a lower --load, or a steady "
			 "processor speed",
			 (double)limit_ns / 1e9);
}
