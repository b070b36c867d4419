/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arithmetic of sound periods: ticks, lateness from the interrupt, xruns, what is due. */
#include "unit.h"

#include "alsa/period.h"

#define P64 1333333 /* 64 frames at 48000 Hz in ns, rounded down */
#define START 5000000000LL

static struct period_clock make(uint32_t rate_hz, uint32_t period, uint32_t wakeups)
{
	struct period_clock clock = { .rate_hz = rate_hz, .period = period,
				      .cycle = period * wakeups, .of_kernel = true };

	period_clock_start(&clock, START);
	return clock;
}

static void frames_have_exact_lengths(void **state)
{
	(void)state;
	assert_int_equal(period_ns(64, 48000), P64);
	assert_int_equal(period_ns(64, 44100), 1451247); /* 1451247.1655 */
	assert_int_equal(period_ns(44100, 44100), 1000000000);
	/* A day of them: no drift. */
	assert_true(period_ns(UINT64_C(44100) * 86400, 44100) == INT64_C(86400000000000));
	assert_true(period_ns(UINT64_C(44100) * 86400 + 1, 44100) == INT64_C(86400000022675));
}

static void a_wake_up_after_one_period(void **state)
{
	struct period_clock clock = make(48000, 64, 1);
	struct wake wake;

	(void)state;
	assert_true(period_clock_wake(&clock, 65, START + P64, START + P64 + 20000, &wake));
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(wake.lateness_ns, 20000);
	assert_int_equal(wake.xruns, 0);
	assert_true(wake.now_ns == START + P64 + 20000);
	assert_int_equal(period_clock_serve(&clock), 64);
	assert_int_equal(period_clock_serve(&clock), 0);
	/* The frame more than a period is not told twice. */
	assert_false(period_clock_wake(&clock, 127, START + P64, START + P64 + 30000, &wake));
	assert_true(period_clock_wake(&clock, 128, START + 2 * P64, START + 2 * P64 + 1, &wake));
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(wake.lateness_ns, 1);
}

static void held_for_2_6_periods(void **state)
{
	struct period_clock clock = make(48000, 64, 1);
	struct wake wake;
	int64_t due = START + P64, now = due + P64 * 26 / 10;

	(void)state;
	/* Due at the first interrupt; two more have come, the last one 0.6 periods ago. */
	assert_true(period_clock_wake(&clock, 192, due + 2 * P64, now, &wake));
	assert_int_equal(wake.ticks, 192);
	assert_int_equal(wake.lateness_ns, now - due);
	/* The two that were missed are handed over with the one that was not. */
	assert_int_equal(period_clock_serve(&clock), 192);
	/* And the stream is in step again. */
	assert_true(period_clock_wake(&clock, 256, due + 3 * P64, due + 3 * P64 + 7, &wake));
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(wake.lateness_ns, 7);
}

static void a_cycle_of_several_periods(void **state)
{
	struct period_clock clock = make(48000, 64, 2);
	struct wake wake;

	(void)state;
	assert_true(period_clock_wake(&clock, 128, START + 2 * P64, START + 2 * P64 + 9, &wake));
	assert_int_equal(wake.ticks, 128);
	assert_int_equal(wake.lateness_ns, 9);
	assert_int_equal(period_clock_serve(&clock), 128);
	/* Three periods: one cycle, late by the third, which is left over. */
	assert_true(period_clock_wake(&clock, 320, START + 5 * P64, START + 5 * P64 + 9, &wake));
	assert_int_equal(wake.ticks, 192);
	assert_int_equal(wake.lateness_ns, P64 + 9);
	assert_int_equal(period_clock_serve(&clock), 128);
	/* So one more makes the next cycle. */
	assert_true(period_clock_wake(&clock, 384, START + 6 * P64, START + 6 * P64 + 4, &wake));
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(wake.lateness_ns, 4);
	assert_int_equal(period_clock_serve(&clock), 128);
}

static void without_a_stamp_lateness_is_absent(void **state)
{
	struct period_clock clock = make(48000, 64, 1);
	struct wake wake;

	(void)state;
	assert_true(period_clock_wake(&clock, 64, LATENESS_UNKNOWN, START + P64, &wake));
	assert_true(wake.lateness_ns == LATENESS_UNKNOWN);
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(period_clock_serve(&clock), 64);
	/* A stamp later than the wake-up is not that of its interrupt. */
	assert_true(period_clock_wake(&clock, 128, START + 2 * P64 + 5, START + 2 * P64, &wake));
	assert_true(wake.lateness_ns == LATENESS_UNKNOWN);
	period_clock_serve(&clock);
	/* Unless it is another interrupt's, which only the kernel's own devices vouch for. */
	assert_true(period_clock_wake(&clock, 256, START + 4 * P64 + 5, START + 4 * P64, &wake));
	assert_int_equal(wake.lateness_ns, P64 - 5);
	period_clock_serve(&clock);
	clock.of_kernel = false;
	assert_true(period_clock_wake(&clock, 384, START + 6 * P64 + 5, START + 6 * P64, &wake));
	assert_true(wake.lateness_ns == LATENESS_UNKNOWN);
}

static void an_xrun_keeps_the_position(void **state)
{
	struct period_clock clock = make(48000, 64, 1);
	struct wake wake;
	int64_t told = START + P64, now = told + 10000000, restart = now + 50000;

	(void)state;
	assert_true(period_clock_wake(&clock, 64, told, told + 20000, &wake));
	assert_int_equal(period_clock_serve(&clock), 64);
	period_clock_xrun(&clock, now, restart, &wake);
	assert_int_equal(wake.xruns, 1);
	/* 10.05 ms at 48 frames a ms: 482.4. */
	assert_int_equal(wake.ticks, 482);
	assert_int_equal(wake.lateness_ns, 10000000 - P64);
	/* The buffer was filled when it started again: nothing is due but for the next period. */
	assert_int_equal(period_clock_serve(&clock), 0);
	assert_true(period_clock_wake(&clock, 64, restart + P64, restart + P64 + 3, &wake));
	assert_int_equal(wake.ticks, 64);
	assert_int_equal(wake.lateness_ns, 3);
	assert_int_equal(wake.xruns, 0);
	assert_int_equal(period_clock_serve(&clock), 64);
}

static void an_xrun_without_stamps(void **state)
{
	struct period_clock clock = make(44100, 64, 1);
	struct wake wake;
	int64_t now = START + 2000000;

	(void)state;
	assert_true(period_clock_wake(&clock, 64, LATENESS_UNKNOWN, now, &wake));
	period_clock_xrun(&clock, now + 1000000000, now + 1000000000, &wake);
	assert_int_equal(wake.ticks, 44100);
	assert_true(wake.lateness_ns == LATENESS_UNKNOWN);
	/* Straight after the start: a tick there is in any case. */
	period_clock_xrun(&clock, now + 1000000001, now + 1000000001, &wake);
	assert_int_equal(wake.ticks, 1);
}

/*
 * 1 kHz at a resolution of 1 ns: an interval of 10^6. 5 s are 5 * 10^9, in 32 bits 705032704; 12 s
 * are 12 * 10^9 - 2 * 2^32 = 3410065408.
 */
static void a_timer_event_tells_all_its_ticks(void **state)
{
	static const struct {
		uint32_t val;
		int64_t since_ns;
		uint64_t ticks;
	} cases[] = {
		{ 1000000, 1000000, 1 },       { 1000000, 1499000, 1 }, { 1000000, 3000, 1 },
		{ 0, 1000000, 1 },             { 3000000, 3012000, 3 },
		{ 705032704, 5000000000, 5000 },
		{ 3410065408u, 12000050000, 12000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_case(timer_event_ticks(cases[i].val, cases[i].since_ns, 1, 1000000) ==
				    cases[i].ticks,
			    "val %u", cases[i].val);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_timer_event_tells_all_its_ticks),
		cmocka_unit_test(frames_have_exact_lengths),
		cmocka_unit_test(a_wake_up_after_one_period),
		cmocka_unit_test(held_for_2_6_periods),
		cmocka_unit_test(a_cycle_of_several_periods),
		cmocka_unit_test(without_a_stamp_lateness_is_absent),
		cmocka_unit_test(an_xrun_keeps_the_position),
		cmocka_unit_test(an_xrun_without_stamps),
	};

	return unit_run(tests);
}
