/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/loop.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "measure/burner.h"
#include "system/clock.h"

/* Waits until a cycle is due and takes it; *now_ns is the reading straight after the wait. */
static int take_turn(struct loop *loop, struct wake *wake)
{
	struct turn *turn = &loop->turn;
	uint32_t xruns = 0;

	while (turn_must_wait(turn)) {
		int err = loop->params.ops->wait(loop->source, wake);

		if (err == -EINTR &&
		    !atomic_load_explicit(&loop->status.stop, memory_order_relaxed))
			continue;
		/* One that failed has slept as well. */
		loop->result.waits++;
		if (err)
			return err;
		turn->total += wake->ticks;
		xruns += wake->xruns;
	}
	wake->xruns = xruns;
	turn_take(turn);
	return 0;
}

static int run_cycle(struct loop *loop)
{
	struct wake wake = { .now_ns = loop->ended_ns };
	int err = take_turn(loop, &wake);

	if (err)
		return err;
	loop->woke_ns = wake.now_ns;
	atomic_store_explicit(&loop->runaway.burning, true, memory_order_relaxed);
	burner_work(loop->params.loops);
	atomic_store_explicit(&loop->runaway.burning, false, memory_order_relaxed);
	loop->ended_ns = clock_now_ns();
	loop->last.burn_ns = loop->ended_ns - wake.now_ns;
	loop->last.wake_ns = wake.now_ns - loop->t0_ns;
	loop->last.lateness_ns = wake.lateness_ns;
	loop->last.ticks = loop->turn.total;
	loop->last.missed = loop->turn.missed;
	/* No system call where glibc reads it from memory shared with the kernel (rseq, vDSO). */
	loop->last.cpu = (uint32_t)sched_getcpu();
	loop->last.xruns = wake.xruns;
	return loop->params.ops->complete ?
		       loop->params.ops->complete(loop->source, loop->last.missed) : 0;
}

/* Single writer: a plain load and store is enough, and cheaper than a locked addition. */
#define BUMP(counter, n)                                                                           \
	atomic_store_explicit(&(counter),                                                          \
			      atomic_load_explicit(&(counter), memory_order_relaxed) + (n),        \
			      memory_order_relaxed)

static void publish(struct loop *loop, int64_t diff_ns)
{
	struct loop_status *status = &loop->status;

	BUMP(status->cycles, 1);
	BUMP(status->missed, loop->last.missed);
	BUMP(status->burn_sum_ns, loop->last.burn_ns);
	if (diff_ns > loop->params.overrun_ns)
		BUMP(status->overruns, 1);
	if (diff_ns > atomic_load_explicit(&status->max_diff_ns, memory_order_relaxed))
		atomic_store_explicit(&status->max_diff_ns, diff_ns, memory_order_relaxed);
}

static void read_usage(struct loop_usage *usage)
{
	struct rusage ru;
	struct timespec cpu;

	getrusage(RUSAGE_THREAD, &ru);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	usage->minor_faults = ru.ru_minflt;
	usage->major_faults = ru.ru_majflt;
	usage->voluntary_switches = ru.ru_nvcsw;
	usage->involuntary_switches = ru.ru_nivcsw;
	usage->cpu_ns = cpu.tv_sec * NS_PER_SEC + cpu.tv_nsec;
}

static bool stopped(const struct loop *loop)
{
	return atomic_load_explicit(&loop->status.stop, memory_order_relaxed);
}

static int warm_up(struct loop *loop)
{
	/* Once before the last one, so that the reading of the books is itself warmed up. */
	read_usage(&loop->result.usage);
	while (loop->turn.index < loop->params.warmup_cycles && !stopped(loop)) {
		int err = run_cycle(loop);

		if (err)
			return err;
	}
	return 0;
}

static int record(struct loop *loop)
{
	uint64_t end = loop->turn.index + loop->params.cycles;
	int err = 0;

	while (loop->turn.index < end && !stopped(loop)) {
		int64_t before_ns = loop->last.wake_ns;

		err = run_cycle(loop);
		if (err)
			break;
		ring_put(loop->ring, &loop->last);
		publish(loop, loop->last.wake_ns - before_ns);
	}
	return err;
}

/* Runs a part of the loop; ends with -ETIME where its burn had to be left. */
static int guarded(struct loop *loop, int (*part)(struct loop *loop))
{
	if (sigsetjmp(loop->runaway.escape, 1))
		return -ETIME;
	return part(loop);
}

static void take_books(struct loop_result *result, const struct loop_usage *before)
{
	struct loop_usage after;

	read_usage(&after);
	result->usage = (struct loop_usage){
		.minor_faults = after.minor_faults - before->minor_faults,
		.major_faults = after.major_faults - before->major_faults,
		.voluntary_switches = after.voluntary_switches - before->voluntary_switches,
		.involuntary_switches = after.involuntary_switches - before->involuntary_switches,
		.cpu_ns = after.cpu_ns - before->cpu_ns,
	};
}

int loop_run(struct loop *loop)
{
	struct loop_result *result = &loop->result;
	struct loop_usage before;

	loop->runaway.stop = &loop->status.stop;
	runaway_enter(&loop->runaway);
	result->error = guarded(loop, warm_up);
	if (!result->error && !stopped(loop)) {
		/*
		 * The origin: no cycle of the record, but the wake-up its first diff starts from.
		 */
		ring_put(loop->ring, &loop->last);
		result->first_index = result->last_index = loop->turn.index;
		result->waits = 0;
		atomic_store_explicit(&loop->status.recording, true, memory_order_relaxed);
		read_usage(&before);
		result->error = guarded(loop, record);
		take_books(result, &before);
		/* Of the last cycle that was recorded: one whose burn was left is none. */
		result->last_index = loop->last.ticks / loop->params.wakeups;
	}
	runaway_leave();
	result->broken = atomic_load(&loop->runaway.broken);
	if (result->broken && result->error == -ETIME)
		result->unfinished_burn_ns = clock_now_ns() - loop->woke_ns;
	if (result->error == -EINTR || result->broken)
		result->error = 0;
	result->ticks = loop->last.ticks;
	result->last_wake_ns = loop->last.wake_ns;
	result->cycles = atomic_load_explicit(&loop->status.cycles, memory_order_relaxed);
	result->missed = atomic_load_explicit(&loop->status.missed, memory_order_relaxed);
	return result->error;
}
