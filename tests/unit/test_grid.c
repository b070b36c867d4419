/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The due grid neither drifts nor rounds twice, and its inverse is exact to the ns. */
#include "unit.h"

#include "measure/grid.h"

#define DAY_S 86400u
#define NS 1000000000LL

static const uint32_t rates[] = { 1,   2,    3,    5,    7,    13,   60,    100,   997,   1000,
				  1021, 1024, 2048, 3600, 8191, 8192, 44100, 48000, 49999, 50000 };

static void first_ticks_by_hand(void **state)
{
	(void)state;
	/* 10^9 / 1024 = 976562.5 */
	assert_int_equal(grid_due_ns(0, 1024), 0);
	assert_int_equal(grid_due_ns(1, 1024), 976562);
	assert_int_equal(grid_due_ns(2, 1024), 1953125);
	assert_int_equal(grid_due_ns(3, 1024), 2929687);
	assert_int_equal(grid_due_ns(1024, 1024), NS);
	/* 10^9 / 3 = 333333333.33 */
	assert_int_equal(grid_due_ns(1, 3), 333333333);
	assert_int_equal(grid_due_ns(2, 3), 666666666);
	assert_int_equal(grid_due_ns(3, 3), NS);
	/* 10^9 / 50000 = 20000 */
	assert_int_equal(grid_due_ns(1, 50000), 20000);
	assert_int_equal(grid_due_ns(50001, 50000), NS + 20000);
}

static void no_drift_at_1024_hz_over_days(void **state)
{
	(void)state;
	/*
	 * A grid of slope floor(10^9 / 1024) would be 0.5 * 1024 * 86400 ns = 44 ms early per day.
	 */
	for (uint64_t day = 0; day <= 400; day++) {
		uint64_t tick = day * DAY_S * 1024;

		assert_int_equal(grid_due_ns(tick, 1024), (int64_t)day * DAY_S * NS);
		assert_int_equal(grid_due_ns(tick + 1, 1024), (int64_t)day * DAY_S * NS + 976562);
		assert_int_equal(grid_due_ns(tick + 2, 1024), (int64_t)day * DAY_S * NS + 1953125);
	}
}

static void due_is_the_exact_quotient_rounded_down(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (size_t r = 0; r < COUNT(rates); r++) {
		for (int i = 0; i < 20000; i++) {
			/* Up to ten years. */
			uint64_t tick = unit_random(&seed) % (3650ull * DAY_S * rates[r]);
			__extension__ unsigned __int128 exact = tick;

			exact = exact * 1000000000u / rates[r];
			assert_case(grid_due_ns(tick, rates[r]) == (int64_t)exact,
				    "tick %llu at %u Hz", (unsigned long long)tick, rates[r]);
		}
	}
}

static void check_inverse(uint64_t tick, uint32_t rate)
{
	int64_t due = grid_due_ns(tick, rate);

	assert_case(grid_ticks_at(due, rate) == tick, "at tick %llu, %u Hz",
		    (unsigned long long)tick, rate);
	assert_case(grid_ticks_at(due + 1, rate) == tick, "1 ns after tick %llu, %u Hz",
		    (unsigned long long)tick, rate);
	if (tick)
		assert_case(grid_ticks_at(due - 1, rate) == tick - 1,
			    "1 ns before tick %llu, %u Hz", (unsigned long long)tick, rate);
}

static void ticks_at_is_the_inverse_of_due(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (size_t r = 0; r < COUNT(rates); r++) {
		/* Every tick of the first seconds, then at random up to ten years. */
		for (uint64_t tick = 0; tick <= 3 * rates[r]; tick++)
			check_inverse(tick, rates[r]);
		for (int i = 0; i < 20000; i++)
			check_inverse(unit_random(&seed) % (3650ull * DAY_S * rates[r]), rates[r]);
	}
}

static void between_two_ticks_the_first_counts(void **state)
{
	(void)state;
	assert_int_equal(grid_ticks_at(0, 1024), 0);
	assert_int_equal(grid_ticks_at(976561, 1024), 0);
	assert_int_equal(grid_ticks_at(976562, 1024), 1);
	assert_int_equal(grid_ticks_at(1500000, 1024), 1);
	assert_int_equal(grid_ticks_at(NS - 1, 1024), 1023);
	assert_int_equal(grid_ticks_at(NS, 1024), 1024);
	assert_int_equal(grid_ticks_at(NS - 1, 1), 0);
	assert_int_equal(grid_ticks_at(NS, 1), 1);
}

/* Forwards by one, by whole seconds, and backwards: always what grid_due_ns() says. */
static void a_cursor_agrees(void **state)
{
	uint64_t seed = 4711;

	(void)state;
	for (size_t r = 0; r < COUNT(rates); r++) {
		struct grid_cursor cursor = { .rate_hz = rates[r] };
		uint64_t tick = 0;

		for (int i = 0; i < 20000; i++) {
			switch (unit_random(&seed) % 16) {
			case 0:
				tick = unit_random(&seed) % (UINT64_C(1) << 40);
				break;
			case 1:
				tick += (uint64_t)rates[r] * (unit_random(&seed) % 5);
				break;
			default:
				tick++;
			}
			assert_case(grid_cursor_due_ns(&cursor, tick) ==
					    grid_due_ns(tick, rates[r]),
				    "tick %llu at %u Hz", (unsigned long long)tick, rates[r]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_ticks_by_hand),
		cmocka_unit_test(no_drift_at_1024_hz_over_days),
		cmocka_unit_test(due_is_the_exact_quotient_rounded_down),
		cmocka_unit_test(ticks_at_is_the_inverse_of_due),
		cmocka_unit_test(between_two_ticks_the_first_counts),
		cmocka_unit_test(a_cursor_agrees),
	};

	return unit_run(tests);
}
