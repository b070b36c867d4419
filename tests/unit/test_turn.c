/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of a late cycle, on timelines drawn by hand: `.` a tick that does not end a period,
 * `k` the tick at which cycle k is due, `^` a wake-up and the index it takes.
 */
#include "unit.h"

#include "measure/turn.h"

/* Ticks that arrive (one return of wait()); then the cycle that is taken, or none yet. */
struct step {
	uint64_t ticks;
	uint64_t index; /* 0: the thread has to wait on */
	uint32_t missed;
};

static void follow(uint32_t wakeups, const struct step *steps, size_t n)
{
	struct turn turn = { .wakeups = wakeups };
	uint64_t total = 0, cycles = 0, missed = 0;

	for (size_t i = 0; i < n; i++) {
		assert_case(turn_must_wait(&turn), "step %zu: has to wait first", i);
		turn.total += steps[i].ticks;
		total += steps[i].ticks;
		assert_case(turn_must_wait(&turn) == !steps[i].index, "step %zu: wait on?", i);
		if (turn_must_wait(&turn))
			continue;
		turn_take(&turn);
		assert_case(turn.index == steps[i].index, "step %zu: index %llu", i,
			    (unsigned long long)turn.index);
		assert_case(turn.missed == steps[i].missed, "step %zu: missed %u", i, turn.missed);
		cycles++;
		missed += turn.missed;
		assert_int_equal(turn.total, total);
		assert_int_equal(cycles + missed, total / wakeups);
	}
}

#define FOLLOW(wakeups, ...)                                                                       \
	follow(wakeups, (const struct step[]){ __VA_ARGS__ },                                      \
	       sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

static void on_time(void **state)
{
	(void)state;
	/*   0  1  2  3
	 *      ^1 ^2 ^3 */
	FOLLOW(1, { 1, 1, 0 }, { 1, 2, 0 }, { 1, 3, 0 });
	/*   0 . 1 . 2
	 *       ^1  ^2 */
	FOLLOW(2, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 1, 2, 0 });
	/*   0 . . 1 . . 2
	 *         ^1    ^2 */
	FOLLOW(3, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 });
}

static void late_by_less_than_a_period(void **state)
{
	(void)state;
	/* With one tick per cycle no tick comes while it is late by less than P. */
	FOLLOW(1, { 1, 1, 0 }, { 1, 2, 0 });
	/*   0 . 1 . 2 . 3    woken at the tick after 1: nothing missed, that tick counts for 2
	 *         ^1^2  ^3 */
	FOLLOW(2, { 1, 0, 0 }, { 2, 1, 0 }, { 1, 2, 0 }, { 1, 0, 0 }, { 1, 3, 0 });
	/*   0 . . 1 . . 2 . . 3    two ticks late: both carried
	 *             ^1^2    ^3 */
	FOLLOW(3, { 5, 1, 0 }, { 1, 2, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 3, 0 });
}

static void late_by_exactly_a_period(void **state)
{
	(void)state;
	/*   0  1  2  3
	 *         ^2 ^3    1 is missed, the wake-up takes index 2 */
	FOLLOW(1, { 2, 2, 1 }, { 1, 3, 0 });
	/*   0 . 1 . 2 . 3
	 *           ^2  ^3 */
	FOLLOW(2, { 4, 2, 1 }, { 1, 0, 0 }, { 1, 3, 0 });
	/*   0 . . 1 . . 2 . . 3 */
	FOLLOW(3, { 6, 2, 1 }, { 2, 0, 0 }, { 1, 3, 0 });
}

static void one_tick_short_of_a_period_misses_nothing(void **state)
{
	(void)state;
	FOLLOW(2, { 3, 1, 0 });
	FOLLOW(3, { 5, 1, 0 });
}

static void late_by_several_periods(void **state)
{
	(void)state;
	/*   0  1  2  3  4  5  6  7
	 *      ^1             ^6 ^7     2, 3, 4 and 5 are missed */
	FOLLOW(1, { 1, 1, 0 }, { 5, 6, 4 }, { 1, 7, 0 });
	/*   0 . 1 . 2 . 3 . 4 . 5
	 *       ^1          ^4  ^5      6 ticks: 2 and 3 missed, on the grid again */
	FOLLOW(2, { 2, 1, 0 }, { 6, 4, 2 }, { 2, 5, 0 });
	/*   7 ticks: 2 and 3 missed, one tick carried, so that one more is enough for 5 */
	FOLLOW(2, { 2, 1, 0 }, { 7, 4, 2 }, { 1, 5, 0 });
	/*   3 + 11 = 14 ticks = 4 periods and 2: 2 and 3 missed, 4 taken, two ticks carried */
	FOLLOW(3, { 3, 1, 0 }, { 11, 4, 2 }, { 1, 5, 0 }, { 2, 0, 0 }, { 1, 6, 0 });
}

static void ticks_left_over_within_a_period_are_carried_again(void **state)
{
	(void)state;
	/* 3 ticks per cycle, told in pairs: 2 wait, 4 = 1 and 1 over, 6 = 2, 8 wait, 10 = 3 ... */
	FOLLOW(3, { 2, 0, 0 }, { 2, 1, 0 }, { 2, 2, 0 }, { 2, 0, 0 }, { 2, 3, 0 }, { 2, 4, 0 });
}

static void cycles_and_missed_are_all_due_times(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (uint32_t wakeups = 1; wakeups <= 7; wakeups++) {
		struct turn turn = { .wakeups = wakeups };
		uint64_t cycles = 0, missed = 0;

		for (int i = 0; i < 200000; i++) {
			/* Mostly one tick, now and then a long stall. */
			uint64_t random = unit_random(&seed);
			uint64_t before = turn.index;

			turn.total += random % 10 ? 1 : 1 + random / 10 % 5000;
			if (turn_must_wait(&turn)) {
				assert_int_equal(turn.total / wakeups, turn.index);
				continue;
			}
			turn_take(&turn);
			cycles++;
			missed += turn.missed;
			assert_true(turn.index == before + turn.missed + 1);
			assert_int_equal(cycles + missed, turn.total / wakeups);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_time),
		cmocka_unit_test(late_by_less_than_a_period),
		cmocka_unit_test(late_by_exactly_a_period),
		cmocka_unit_test(one_tick_short_of_a_period_misses_nothing),
		cmocka_unit_test(late_by_several_periods),
		cmocka_unit_test(ticks_left_over_within_a_period_are_carried_again),
		cmocka_unit_test(cycles_and_missed_are_all_due_times),
	};

	return unit_run(tests);
}
