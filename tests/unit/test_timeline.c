/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A phase over time: constant memory, and no spike lost however long it gets. */
#include "unit.h"

#include "measure/source.h"
#include "report/timeline.h"

#define P 1000 /* period in ns, one tick per cycle */

/* n cycles on time from index `from`; burn is 10 ns. */
static void add_on_time(struct timeline *timeline, uint64_t from, uint64_t n)
{
	for (uint64_t i = from; i < from + n; i++) {
		struct cycle cycle = { .wake_ns = (int64_t)i * P, .burn_ns = 10, .ticks = i,
				       .lateness_ns = LATENESS_UNKNOWN };

		timeline_add(timeline, &cycle, 1);
	}
}

static struct timeline *empty(void)
{
	struct timeline *timeline = malloc(sizeof(*timeline));

	assert_non_null(timeline);
	timeline_init(timeline, P, 1);
	return timeline;
}

static void the_origin_is_no_cycle(void **state)
{
	struct timeline *timeline = empty();

	(void)state;
	add_on_time(timeline, 5, 1);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).n, 0);
	add_on_time(timeline, 6, 1);
	assert_int_equal(timeline->start_ns, 5 * P);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).n, 1);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).max_diff_ns, P);
	free(timeline);
}

/* Spikes at known places in a phase 1000 times longer than there are bins. */
static void no_spike_is_lost(void **state)
{
	struct timeline *timeline = empty();
	const uint64_t n = 1000 * TIMELINE_BINS, spikes[] = { 3, 777777, n - 2 };
	int64_t end;

	(void)state;
	add_on_time(timeline, 1, 1);
	for (uint64_t i = 2; i <= n; i++) {
		struct cycle cycle = { .wake_ns = (int64_t)i * P, .burn_ns = 10, .ticks = i };

		/*
		 * Late by 0.1 P * (its number + 1): the diff is that much longer, the next
		 * shorter.
		 */
		for (size_t s = 0; s < COUNT(spikes); s++)
			if (i == spikes[s])
				cycle.wake_ns += 100 * (int64_t)(s + 1);
		timeline_add(timeline, &cycle, 1);
	}
	end = timeline->end_ns - timeline->start_ns + 1;
	assert_true(timeline->n <= TIMELINE_BINS);
	assert_true(timeline->n >= TIMELINE_BINS / 2);
	assert_int_equal(timeline_range(timeline, 0, end).n, n - 1);
	assert_int_equal(timeline_range(timeline, 0, end).max_diff_ns, P + 300);
	assert_int_equal(timeline_range(timeline, 0, end).min_diff_ns, P - 300);
	for (size_t s = 0; s < COUNT(spikes); s++) {
		/* The bin around it, and nothing more, has it. */
		int64_t at = (int64_t)(spikes[s] - 1) * P / timeline->bin_ns * timeline->bin_ns;

		assert_int_equal(timeline_range(timeline, at, at + timeline->bin_ns).max_diff_ns,
				 P + 100 * (int64_t)(s + 1));
	}
	free(timeline);
}

/* However the range is cut, the parts add up to the whole. */
static void ranges_cover_everything(void **state)
{
	struct timeline *timeline = empty();
	uint64_t sum = 0;

	(void)state;
	add_on_time(timeline, 1, 10000);
	for (int64_t at = 0; at < 10000 * P; at += 5 * timeline->bin_ns)
		sum += timeline_range(timeline, at, at + 5 * timeline->bin_ns).n;
	assert_int_equal(sum, 9999);
	free(timeline);
}

/* Index 3 to 7 with one missed: three cycles were lost, so the diff is not one. */
static void no_diff_over_lost_cycles(void **state)
{
	struct timeline *timeline = empty();
	struct cycle after = { .wake_ns = 7 * P, .ticks = 7, .missed = 1 };

	(void)state;
	add_on_time(timeline, 1, 3);
	timeline_add(timeline, &after, 1);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).n, 2);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).max_diff_ns, P);
	free(timeline);
}

static void missed_cycles_are_kept(void **state)
{
	struct timeline *timeline = empty();
	struct cycle late = { .wake_ns = 5 * P + 1, .ticks = 5, .missed = 3 };

	(void)state;
	add_on_time(timeline, 1, 1);
	timeline_add(timeline, &late, 1);
	add_on_time(timeline, 6, 100000);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).missed, 3);
	assert_int_equal(timeline_range(timeline, 0, INT64_MAX).max_diff_ns, 4 * P + 1);
	free(timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_origin_is_no_cycle),
		cmocka_unit_test(no_spike_is_lost),
		cmocka_unit_test(ranges_cover_everything),
		cmocka_unit_test(no_diff_over_lost_cycles),
		cmocka_unit_test(missed_cycles_are_kept),
	};

	return unit_run(tests);
}
