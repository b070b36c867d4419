/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The real-time loop against a source that follows a script: what is recorded, and what is not. */
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/loop.h"
#include "measure/runaway.h"
#include "system/clock.h"

#define MS 1000000LL
#define SLOTS 64

/* One return of wait(). */
struct call {
	int err;
	uint64_t ticks;
	int64_t at_ms;        /* after tick 0 */
	int64_t lateness_ns;
	bool stop;            /* somebody asks the loop to stop meanwhile */
	uint32_t xruns;
};

struct script {
	const struct call *calls;
	size_t n, next;
	int64_t t0_ns;
	struct loop *loop;
	uint32_t completed[8]; /* `missed` of each complete() */
	size_t n_completed;
};

static int scripted_wait(void *state, struct wake *wake)
{
	struct script *script = state;
	const struct call *call;

	if (script->next == script->n)
		return -ENODATA; /* the script is over: only who wants to comes here */
	call = &script->calls[script->next++];
	if (call->stop)
		atomic_store(&script->loop->status.stop, true);
	if (call->err)
		return call->err;
	wake->now_ns = script->t0_ns + call->at_ms * MS;
	wake->ticks = call->ticks;
	wake->lateness_ns = call->lateness_ns;
	wake->xruns = call->xruns;
	return 0;
}

static int scripted_complete(void *state, uint32_t missed)
{
	struct script *script = state;

	if (script->n_completed < COUNT(script->completed))
		script->completed[script->n_completed++] = missed;
	return 0;
}

static const struct source_ops scripted = { .name = "scripted", .wait = scripted_wait,
					    .complete = scripted_complete };

struct stage {
	struct script script;
	struct loop loop;
	struct ring *ring;
	struct cycle out[SLOTS + 1];
	size_t recorded; /* in out, the origin included */
};

static void play(struct stage *stage, const struct loop_params *params, uint64_t slots,
		 const struct call *calls, size_t n)
{
	memset(stage, 0, sizeof(*stage));
	stage->ring = aligned_alloc(64, (ring_bytes(SLOTS) + 63) / 64 * 64);
	assert_non_null(stage->ring);
	memset(stage->ring, 0, ring_bytes(SLOTS));
	ring_init(stage->ring, slots);
	/* In the past, so that the end of a burn is never before its wake-up. */
	stage->loop.t0_ns = clock_now_ns() - 3600 * NS_PER_SEC;
	stage->script = (struct script){ .calls = calls, .n = n, .t0_ns = stage->loop.t0_ns,
					 .loop = &stage->loop };
	stage->loop.params = *params;
	stage->loop.params.ops = &scripted;
	stage->loop.source = &stage->script;
	stage->loop.ring = stage->ring;
	stage->loop.turn.wakeups = params->wakeups;
	loop_run(&stage->loop);
	stage->recorded = ring_take(stage->ring, stage->out, SLOTS);
	free(stage->ring);
}

#define PLAY(stage, params, slots, ...)                                                            \
	play(stage, params, slots, (const struct call[]){ __VA_ARGS__ },                           \
	     sizeof((const struct call[]){ __VA_ARGS__ }) / sizeof(struct call))

static void assert_cycle(const struct stage *stage, size_t i, int64_t wake_ms, uint64_t ticks,
			 uint32_t missed)
{
	const struct cycle *cycle = &stage->out[i];

	assert_true(i < stage->recorded);
	assert_case(cycle->wake_ns == wake_ms * MS, "record %zu: wake %lld", i,
		    (long long)cycle->wake_ns);
	assert_case(cycle->ticks == ticks, "record %zu: ticks %llu", i,
		    (unsigned long long)cycle->ticks);
	assert_case(cycle->missed == missed, "record %zu: missed %u", i, cycle->missed);
	assert_true(cycle->burn_ns >= 0);
}

static void assert_counts(const struct stage *stage, uint64_t cycles, uint64_t missed,
			  uint64_t first, uint64_t last)
{
	const struct loop_result *result = &stage->loop.result;

	assert_int_equal(result->cycles, cycles);
	assert_int_equal(result->missed, missed);
	assert_int_equal(result->first_index, first);
	assert_int_equal(result->last_index, last);
	assert_int_equal(cycles + missed, last - first);
}

static const struct loop_params one_tick = { .wakeups = 1, .warmup_cycles = 2, .cycles = 3,
					     .overrun_ns = 20 * MS };

static void the_warm_up_is_not_recorded_but_its_last_wake_up_is_the_origin(void **state)
{
	struct stage s;

	(void)state;
	/* Cycles 1 and 2 are warm-up; 2 is the origin; 3, 4, 5 are recorded. */
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 21, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 }, { 0, 1, 42, 0, 0, 0 }, { 0, 1, 50, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 4);
	assert_cycle(&s, 0, 21, 2, 0);
	assert_cycle(&s, 1, 30, 3, 0);
	assert_cycle(&s, 2, 42, 4, 0);
	assert_cycle(&s, 3, 50, 5, 0);
	assert_counts(&s, 3, 0, 2, 5);
	assert_int_equal(s.loop.result.waits, 3);
	assert_int_equal(s.loop.result.ticks, 5);
	assert_true(s.loop.result.last_wake_ns == 50 * MS);
	assert_true(atomic_load(&s.loop.status.recording));
	/* diffs 9, 12, 8 */
	assert_true(atomic_load(&s.loop.status.max_diff_ns) == 12 * MS);
	assert_int_equal(atomic_load(&s.loop.status.overruns), 0);
}

static void a_cycle_waits_for_all_of_its_ticks(void **state)
{
	static const struct loop_params params = { .wakeups = 2, .warmup_cycles = 1, .cycles = 2,
						   .overrun_ns = 20 * MS };
	struct stage s;

	(void)state;
	PLAY(&s, &params, SLOTS, { 0, 1, 5, 0, 0, 0 }, { 0, 1, 10, 0, 0, 0 },
	     { 0, 1, 15, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 }, { 0, 1, 25, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 });
	assert_int_equal(s.recorded, 3);
	assert_cycle(&s, 0, 10, 2, 0);
	assert_cycle(&s, 1, 20, 4, 0);
	assert_cycle(&s, 2, 30, 6, 0);
	assert_counts(&s, 2, 0, 1, 3);
	assert_int_equal(s.loop.result.waits, 4);
}

static void missed_and_carried_ticks_are_recorded_as_planned(void **state)
{
	static const struct loop_params params = { .wakeups = 2, .warmup_cycles = 1, .cycles = 6,
						   .overrun_ns = 20 * MS };
	struct stage s;

	(void)state;
	/*
	 * A tick each 5 ms, a cycle each 10 ms. Origin 1 at tick 2. Then 5 ticks at once: 7 in all,
	 * index 3, one missed (2), one carried: diff 25 ms, an overrun. Tick 8: index 4 at 40.
	 * Ticks 9 to 12 together at 61: index 6, 5 is missed, diff 21 ms, an overrun. 14: index 7.
	 */
	PLAY(&s, &params, SLOTS, { 0, 2, 10, 0, 0, 0 }, { 0, 5, 35, 0, 0, 0 },
	     { 0, 1, 40, 0, 0, 0 }, { 0, 4, 61, 0, 0, 0 }, { 0, 1, 65, 0, 0, 0 },
	     { 0, 1, 70, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 5);
	assert_cycle(&s, 0, 10, 2, 0);
	assert_cycle(&s, 1, 35, 7, 1);
	assert_cycle(&s, 2, 40, 8, 0);
	assert_cycle(&s, 3, 61, 12, 1);
	assert_cycle(&s, 4, 70, 14, 0);
	/* 6 due times: 4 cycles and 2 missed. */
	assert_counts(&s, 4, 2, 1, 7);
	assert_int_equal(s.loop.result.waits, 5);
	assert_int_equal(atomic_load(&s.loop.status.overruns), 2);
	assert_true(atomic_load(&s.loop.status.max_diff_ns) == 25 * MS);
	assert_int_equal(atomic_load(&s.loop.status.missed), 2);
}

static void a_diff_of_just_the_limit_is_no_overrun(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 },
	     { 0, 1, 40, 0, 0, 0 }, { 0, 1, 61, 0, 0, 0 }, { 0, 1, 62, 0, 0, 0 });
	/* diffs 20 (the limit), 21, 1 */
	assert_int_equal(atomic_load(&s.loop.status.overruns), 1);
}

static void what_the_warm_up_missed_is_not_counted(void **state)
{
	struct stage s;

	(void)state;
	/* The warm-up's second wake-up brings 5 ticks: origin 6. */
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 5, 60, 0, 0, 0 },
	     { 0, 1, 70, 0, 0, 0 }, { 0, 1, 80, 0, 0, 0 }, { 0, 1, 90, 0, 0, 0 });
	assert_counts(&s, 3, 0, 6, 9);
	assert_true(atomic_load(&s.loop.status.max_diff_ns) == 10 * MS);
}

static void a_stall_at_the_end_counts_all_that_it_missed(void **state)
{
	struct stage s;

	(void)state;
	/* Due times 3, 4, 5 were asked for; the last wake-up brings 10 ticks. */
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 }, { 0, 10, 130, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 3);
	assert_cycle(&s, 2, 130, 13, 9);
	assert_counts(&s, 2, 9, 2, 13);
}

static void lateness_that_the_source_tells_is_kept(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 1, 0, 0 }, { 0, 1, 20, 2, 0, 0 },
	     { 0, 1, 30, -3, 0, 0 }, { 0, 1, 40, LATENESS_UNKNOWN, 0, 0 }, { 0, 1, 50, 5, 0, 0 });
	assert_true(s.out[1].lateness_ns == -3);
	assert_true(s.out[2].lateness_ns == LATENESS_UNKNOWN);
	assert_true(s.out[3].lateness_ns == 5);
}

static void a_signal_is_no_wake_up(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { -EINTR, 0, 0, 0, 0, 0 }, { 0, 1, 10, 0, 0, 0 },
	     { 0, 1, 20, 0, 0, 0 }, { -EINTR, 0, 0, 0, 0, 0 }, { -EINTR, 0, 0, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 }, { 0, 1, 40, 0, 0, 0 }, { -EINTR, 0, 0, 0, 0, 0 },
	     { 0, 1, 50, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 4);
	assert_counts(&s, 3, 0, 2, 5);
	assert_int_equal(s.loop.result.waits, 3);
}

static void an_error_ends_the_loop_with_what_was_recorded(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 }, { -EIO, 0, 0, 0, 0, 0 }, { 0, 1, 50, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, -EIO);
	assert_int_equal(s.script.next, 4); /* and the source was not called again */
	assert_int_equal(s.recorded, 2);
	assert_cycle(&s, 1, 30, 3, 0);
	assert_counts(&s, 1, 0, 2, 3);
	assert_int_equal(s.loop.result.ticks, 3);
}

static void an_error_in_the_warm_up_records_nothing(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { -EIO, 0, 0, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, -EIO);
	assert_int_equal(s.recorded, 0);
	assert_false(atomic_load(&s.loop.status.recording));
	assert_int_equal(s.loop.result.cycles, 0);
}

static void the_stop_flag_ends_it_after_the_cycle(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 },
	     { 0, 1, 30, 0, true, 0 }, { 0, 1, 40, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 2);
	assert_counts(&s, 1, 0, 2, 3);
	assert_int_equal(s.script.next, 3);
}

static void the_stop_flag_ends_a_blocked_wait(void **state)
{
	struct stage s;

	(void)state;
	/* As rt_thread_nudge() does: the flag, then a signal. No error, and no half cycle. */
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, 0, 0 }, { 0, 1, 20, 0, 0, 0 },
	     { 0, 1, 30, 0, 0, 0 }, { -EINTR, 0, 0, 0, true, 0 }, { 0, 1, 40, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 2);
	assert_counts(&s, 1, 0, 2, 3);
	assert_int_equal(s.script.next, 4);
}

static void the_stop_flag_ends_the_warm_up(void **state)
{
	struct stage s;

	(void)state;
	PLAY(&s, &one_tick, SLOTS, { 0, 1, 10, 0, true, 0 }, { 0, 1, 20, 0, 0, 0 });
	assert_int_equal(s.loop.result.error, 0);
	assert_int_equal(s.recorded, 0);
	assert_false(atomic_load(&s.loop.status.recording));
	assert_int_equal(s.script.next, 1);
}

static void what_the_ring_cannot_take_is_counted(void **state)
{
	static const struct loop_params params = { .wakeups = 1, .warmup_cycles = 1, .cycles = 20,
						   .overrun_ns = 20 * MS };
	struct call calls[21];
	struct stage s;

	(void)state;
	for (int i = 0; i < 21; i++)
		calls[i] = (struct call){ 0, 1, 10 * (i + 1), 0, 0, 0 };
	play(&s, &params, 8, calls, COUNT(calls));
	/* The origin and 7 cycles fit; the other 13 are lost, but were taken. */
	assert_int_equal(s.recorded, 8);
	assert_cycle(&s, 7, 80, 8, 0);
	assert_counts(&s, 20, 0, 1, 21);
}

static void the_ring_counts_its_losses(void **state)
{
	static const struct loop_params params = { .wakeups = 1, .warmup_cycles = 1, .cycles = 20 };
	struct ring *ring = aligned_alloc(64, (ring_bytes(8) + 63) / 64 * 64);
	struct call calls[21];
	struct loop loop = { .params = params, .ring = ring, .turn = { .wakeups = 1 } };
	struct script script = { .calls = calls, .n = COUNT(calls), .loop = &loop };

	(void)state;
	assert_non_null(ring);
	memset(ring, 0, ring_bytes(8));
	ring_init(ring, 8);
	for (int i = 0; i < 21; i++)
		calls[i] = (struct call){ 0, 1, 10 * (i + 1), 0, 0, 0 };
	loop.params.ops = &scripted;
	loop.source = &script;
	assert_int_equal(loop_run(&loop), 0);
	assert_int_equal(ring_lost(ring), 13); /* 1 + 20 - 8 */
	free(ring);
}

static void the_burn_is_timed(void **state)
{
	/* Ticks that come "now", each with enough work to be seen by any clock. */
	static const struct loop_params params = { .wakeups = 1, .loops = 100000,
						   .warmup_cycles = 1, .cycles = 5 };
	struct call calls[6];
	struct stage s;

	(void)state;
	for (int i = 0; i < 6; i++)
		calls[i] = (struct call){ 0, 1, 3600000, 0, 0, 0 };
	play(&s, &params, SLOTS, calls, COUNT(calls));
	assert_int_equal(s.recorded, 6);
	for (size_t i = 0; i < s.recorded; i++)
		assert_true(s.out[i].burn_ns > 0);
	/* They all woke at the same planned moment, so each burn ends later than the one before. */
	for (size_t i = 1; i < s.recorded; i++)
		assert_true(s.out[i].burn_ns > s.out[i - 1].burn_ns);
}

static void xruns_are_those_since_the_cycle_before(void **state)
{
	static const struct loop_params params = { .wakeups = 64, .warmup_cycles = 1, .cycles = 8,
						   .overrun_ns = 20 * MS };
	struct stage s;

	(void)state;
	/*
	 * 64 frames in 10 ms. The origin's xrun is the warm-up's. At 40 ms one that took 96 frames,
	 * then one that took less than is due: both are the next cycle's. 8 frames stay over.
	 */
	PLAY(&s, &params, SLOTS, { 0, 64, 10, 0, 0, 1 }, { 0, 64, 20, 0, 0, 0 },
	     { 0, 96, 40, 0, 0, 1 }, { 0, 30, 42, 0, 0, 1 }, { 0, 10, 44, 0, 0, 1 },
	     { 0, 64, 54, 0, 0, 0 }, { 0, 192, 84, 0, 0, 0 });
	assert_int_equal(s.recorded, 6);
	assert_int_equal(s.out[0].xruns, 1);
	assert_int_equal(s.out[1].xruns, 0);
	assert_cycle(&s, 2, 40, 224, 0);
	assert_int_equal(s.out[2].xruns, 1);
	assert_cycle(&s, 3, 44, 264, 0);
	assert_int_equal(s.out[3].xruns, 2);
	assert_cycle(&s, 4, 54, 328, 0);
	assert_int_equal(s.out[4].xruns, 0);
	assert_cycle(&s, 5, 84, 520, 2);
	assert_counts(&s, 5, 2, 1, 8);
	/* Work is handed over once a cycle, the warm-up's too. */
	assert_int_equal(s.script.n_completed, 6);
	assert_int_equal(s.script.completed[4], 0);
	assert_int_equal(s.script.completed[5], 2);
}

#define NO_RIGHT 77 /* exit status: real time cannot be had here, or not be given up */
#define NOBODY 65534

/* A real-time thread as rights_set_policy() makes it, of a user without CAP_SYS_NICE. */
static int run_away_without_rights(void)
{
	const struct sched_param param = { .sched_priority = 1 };
	_Atomic bool stop = false;
	struct runaway runaway = { .stop = &stop };

	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) ||
	    setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return NO_RIGHT;
	runaway_enter(&runaway);
	raise(SIGXCPU);
	runaway_leave();
	if (!runaway.broken || !stop)
		return 1;
	return (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_OTHER ? 0 : 2;
}

static void a_runaway_without_rights_is_made_ordinary(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(run_away_without_rights());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_RIGHT)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_warm_up_is_not_recorded_but_its_last_wake_up_is_the_origin),
		cmocka_unit_test(a_cycle_waits_for_all_of_its_ticks),
		cmocka_unit_test(missed_and_carried_ticks_are_recorded_as_planned),
		cmocka_unit_test(a_diff_of_just_the_limit_is_no_overrun),
		cmocka_unit_test(what_the_warm_up_missed_is_not_counted),
		cmocka_unit_test(a_stall_at_the_end_counts_all_that_it_missed),
		cmocka_unit_test(lateness_that_the_source_tells_is_kept),
		cmocka_unit_test(a_signal_is_no_wake_up),
		cmocka_unit_test(an_error_ends_the_loop_with_what_was_recorded),
		cmocka_unit_test(an_error_in_the_warm_up_records_nothing),
		cmocka_unit_test(the_stop_flag_ends_it_after_the_cycle),
		cmocka_unit_test(the_stop_flag_ends_a_blocked_wait),
		cmocka_unit_test(the_stop_flag_ends_the_warm_up),
		cmocka_unit_test(what_the_ring_cannot_take_is_counted),
		cmocka_unit_test(the_ring_counts_its_losses),
		cmocka_unit_test(the_burn_is_timed),
		cmocka_unit_test(xruns_are_those_since_the_cycle_before),
		cmocka_unit_test(a_runaway_without_rights_is_made_ordinary),
	};

	return unit_run(tests);
}
