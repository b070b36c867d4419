/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of made-up cycles against answers computed by hand. */
#include "unit.h"

#include <math.h>

#include "report/metrics.h"

#define US 1000LL
#define MS 1000000LL
#define S 1000000000LL

/* 2 ticks at 1000 Hz: P = 2 ms; deadline 2: 4 ms; load 0.8: 1.6 ms. */
static const struct metrics_params plain = {
	.rate_hz = 1000, .wakeups = 2, .lateness = LATENESS_EXACT, .period_ns = 2e6,
	.deadline = 2, .burn_ns = 1.6e6,
};
#define P (2 * MS)
#define BURN (1600 * US)

static struct metrics *new_metrics(const struct metrics_params *params)
{
	struct metrics *m = malloc(sizeof(*m));

	assert_non_null(m);
	assert_int_equal(metrics_init(m, params), 0);
	return m;
}

static void end_metrics(struct metrics *m)
{
	metrics_free(m);
	free(m);
}

static void add(struct metrics *m, int64_t wake_ns, int64_t burn_ns, uint64_t ticks,
		uint32_t missed)
{
	const struct cycle cycle = { wake_ns, burn_ns, LATENESS_UNKNOWN, ticks, missed, 0, 0 };

	metrics_add(m, &cycle, 1);
}

/* A cycle for each diff, behind an origin at 2 ms; none is missed. */
static struct metrics *of_diffs(const int64_t *diffs, size_t n)
{
	struct metrics *m = new_metrics(&plain);
	int64_t wake_ns = P;

	add(m, wake_ns, BURN, 2, 0);
	for (size_t i = 0; i < n; i++)
		add(m, wake_ns += diffs[i], BURN, 2 * (i + 2), 0);
	return m;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void the_period_is_wakeups_over_rate(void **state)
{
	(void)state;
	/* 2 / 1024 s */
	assert_true(metrics_period_ns(1024, 2) == 1953125);
	assert_true(metrics_period_ns(1000, 2) == 2e6);
	assert_true(near(metrics_period_ns(3, 1), 333333333.33333333));
}

static void the_origin_is_no_cycle(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	/* Its burn of 9 ms, its lateness of 98 ms and what it missed count nowhere. */
	add(m, 100 * MS, 9 * MS, 2, 7);
	assert_int_equal(m->cycles, 0);
	assert_int_equal(m->diffs, 0);
	assert_int_equal(m->missed, 0);
	assert_int_equal(m->burn->n + m->diff->n + m->lateness->n + m->finish->n, 0);
	assert_int_equal(m->late_finishes, 0);
	assert_true(isnan(metrics_deviation_ns(m)));
	assert_true(isnan(metrics_rms_ns(m)));
	add(m, 102 * MS, BURN, 4, 0);
	assert_int_equal(m->cycles, 1);
	assert_int_equal(m->diffs, 1);
	assert_true(m->diff->max == 2 * MS);
	assert_int_equal(m->migrations, 0);
	end_metrics(m);
}

static void max_diff_is_the_longest_interval(void **state)
{
	static const int64_t diffs[] = { P, P + 500 * US, P - 500 * US, P + 3060870,
					 P - 3060870 + P };
	struct metrics *m = of_diffs(diffs, COUNT(diffs));

	(void)state;
	/* 2 + 3.06087 ms, not 3.06087: an interval */
	assert_true(m->diff->max == 5060870);
	/* 4 - 3.06087 */
	assert_true(m->diff->min == 939130);
	assert_int_equal(m->diffs, 5);
	assert_int_equal(m->cycles, 5);
	end_metrics(m);
}

static void an_overrun_lies_above_the_deadline(void **state)
{
	static const int64_t diffs[] = { 4 * MS - 1, 4 * MS, 4 * MS + 1, 9 * MS, P };
	struct metrics *m = of_diffs(diffs, COUNT(diffs));

	(void)state;
	/* 2 P = 4 ms itself is none: two are. */
	assert_int_equal(m->overruns, 2);
	end_metrics(m);
}

static void within_1_and_2_ms_include_their_borders(void **state)
{
	/*
	 * |diff - 2 ms|:         1 ms      1 ms + 1    1 ms    1 ms + 1     2 ms     2 ms + 1   0
	 */
	static const int64_t a[] = {
		3 * MS, 3 * MS + 1, 1 * MS, 1 * MS - 1, 4 * MS, 4 * MS + 1, P
	};
	struct metrics *m = of_diffs(a, COUNT(a));

	(void)state;
	/* 1 ms: 3, 1, 2 ms. 2 ms: all but 4 ms + 1 */
	assert_int_equal(m->within_1ms, 3);
	assert_int_equal(m->within_2ms, 6);
	assert_true(m->within_1ms_ns == 3e6 + 1e6 + 2e6);
	/* 3 + 3 + 1 + 1 + 4 + 2 ms, + 1 - 1 ns */
	assert_true(m->within_2ms_ns == 14e6);
	assert_true(m->diff_sum_ns == 18e6 + 1);
	end_metrics(m);
}

static void a_diff_of_0_is_within_2_ms_of_2(void **state)
{
	static const int64_t diffs[] = { 0, -1 };
	struct metrics *m = of_diffs(diffs, COUNT(diffs));

	(void)state;
	assert_int_equal(m->within_2ms, 1);
	assert_true(m->diff->min == -1);
	assert_int_equal(m->diff->underflow, 1);
	end_metrics(m);
}

static void deviation_is_a_mean_and_no_root_mean_square(void **state)
{
	static const int64_t diffs[] = { P + 300 * US, P - 300 * US, P, P + 1000 * US };
	struct metrics *m = of_diffs(diffs, COUNT(diffs));

	(void)state;
	/* (300 + 300 + 0 + 1000) / 4 = 400 us */
	assert_true(near(metrics_deviation_ns(m), 400e3));
	/* sqrt((300^2 + 300^2 + 0 + 1000^2) / 4) = sqrt(295000) = 543.1390 us */
	assert_true(near(metrics_rms_ns(m), sqrt(295000.0) * 1e3));
	assert_true(fabs(metrics_rms_ns(m) - 543139.0) < 1);
	end_metrics(m);
}

static void one_long_stall_hides_in_cycles_but_not_in_time(void **state)
{
	static int64_t diffs[1000];
	struct metrics *m;

	(void)state;
	for (size_t i = 0; i < COUNT(diffs); i++)
		diffs[i] = i == 500 ? 999 * P : P;
	m = of_diffs(diffs, COUNT(diffs));
	/* 999 of 1000 diffs are within: 99.9 % of cycles. 999 P of 1998 P: half of the time. */
	assert_int_equal(m->within_1ms, 999);
	assert_int_equal(m->within_2ms, 999);
	assert_true(near(m->within_1ms_ns / m->diff_sum_ns, 0.5));
	assert_true(near(m->within_2ms_ns / m->diff_sum_ns, 0.5));
	end_metrics(m);
}

static void missed_cycles_are_counted_and_the_diff_over_them_is_taken(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	add(m, 2 * MS, BURN, 2, 0);
	add(m, 9 * MS, BURN, 8, 2);  /* indices 2 and 3 missed, takes 4: due at 8 ms */
	add(m, 10 * MS, BURN, 10, 0);
	assert_int_equal(m->cycles, 2);
	assert_int_equal(m->diffs, 2);
	assert_int_equal(m->missed, 2);
	assert_true(m->diff->max == 7 * MS);
	assert_int_equal(m->overruns, 1);
	end_metrics(m);
}

static void no_diff_spans_lost_cycles(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	add(m, 2 * MS, BURN, 2, 0);
	add(m, 4 * MS, BURN, 4, 0);
	/* Indices 3 to 9 did not get into the file, and none of them was missed. */
	add(m, 20 * MS, BURN, 20, 0);
	add(m, 22 * MS, BURN, 22, 0);
	/* Lost 12 and 13; 14 was missed by 15. */
	add(m, 30 * MS, BURN, 30, 1);
	assert_int_equal(m->cycles, 4);
	assert_int_equal(m->diffs, 2);
	assert_int_equal(m->diff->n, 2);
	assert_true(m->diff->max == 2 * MS);
	assert_int_equal(m->overruns, 0);
	assert_int_equal(m->missed, 1);
	assert_int_equal(m->burn->n, 4);
	assert_int_equal(m->lateness->n, 4);
	end_metrics(m);
}

static void left_over_ticks_do_not_break_the_chain(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	/* Woken at tick 5 for index 2 (due at tick 4): one tick over, nothing lost. */
	add(m, 2 * MS, BURN, 2, 0);
	add(m, 5 * MS, BURN, 5, 0);
	add(m, 6 * MS, BURN, 6, 0);
	assert_int_equal(m->diffs, 2);
	/* Late by 1 ms: due is tick 4, not tick 5. */
	assert_true(m->lateness->max == 1 * MS);
	assert_true(m->lateness->min == 0);
	end_metrics(m);
}

static void exact_lateness_follows_the_grid_without_drift(void **state)
{
	struct metrics_params params = plain;
	const int64_t hour = 3600 * S;
	struct metrics *m;

	(void)state;
	params.rate_hz = 1024;
	params.period_ns = 1953125;
	m = new_metrics(&params);
	/* After an hour tick 3600 * 1024 is due on the ns; the next cycle 1953125 later. */
	add(m, hour, BURN, 3600 * 1024, 0);
	add(m, hour + 1953125 + 40, BURN, 3600 * 1024 + 2, 0);
	add(m, hour + 2 * 1953125 + 70, BURN, 3600 * 1024 + 4, 0);
	assert_true(m->lateness->min == 40);
	assert_true(m->lateness->max == 70);
	/* finish = lateness + burn */
	assert_true(m->finish->min == BURN + 40);
	assert_true(m->finish->max == BURN + 70);
	end_metrics(m);
}

static void fitted_lateness_has_a_slope_and_a_phase(void **state)
{
	struct metrics_params params = plain;
	struct cycle cycle = { .ticks = 2049 };
	struct metrics *m;

	(void)state;
	/* The kernel's emulation of 1024 Hz: floor(10^9 / 1024) = 976562 ns per tick. */
	params.rate_hz = 1024;
	params.period_ns = 1953125;
	params.lateness = LATENESS_FITTED;
	params.slope_ns = 976562;
	m = new_metrics(&params);
	metrics_set_phase(m, 123456);
	/* Tick 2049 belongs to the cycle due at tick 2048: 123456 + 2048 * 976562 = 2000122432 */
	assert_true(metrics_due_ns(m, &cycle) == 2000122432);
	add(m, 123456 + 976562 * 2, BURN, 2, 0);
	add(m, 123456 + 976562 * 4 + 30, BURN, 4, 0);
	assert_true(m->lateness->max == 30);
	end_metrics(m);
}

static void lateness_from_the_interrupt_is_taken_as_told(void **state)
{
	static const struct cycle cycles[] = {
		{ 2 * MS, BURN, 5, 2, 0, 0, 0 },
		{ 4 * MS, BURN, 77, 4, 0, 0, 0 },
		{ 6 * MS, BURN, LATENESS_UNKNOWN, 6, 0, 0, 0 },
		{ 8 * MS, BURN, 3 * MS, 8, 0, 0, 0 },
	};
	struct metrics_params params = plain;
	struct metrics *m;

	(void)state;
	params.lateness = LATENESS_INTERRUPT;
	m = new_metrics(&params);
	metrics_add(m, cycles, COUNT(cycles));
	assert_int_equal(m->cycles, 3);
	assert_int_equal(m->lateness->n, 2);
	assert_int_equal(m->unstamped, 1);
	assert_true(m->lateness->min == 77 && m->lateness->max == 3 * MS);
	assert_true(m->finish->max == 3 * MS + BURN);
	/* 3 + 1.6 ms > 4 ms */
	assert_int_equal(m->late_finishes, 1);
	end_metrics(m);
}

static void a_late_finish_lies_above_the_deadline(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	add(m, 2 * MS, BURN, 2, 0);
	/* Due 4 ms, late by 1: finish 1 + 3 = 4 ms = 2 P is in time ... */
	add(m, 5 * MS, 3 * MS, 4, 0);
	/* ... and 1 ns more is not: woken on time, by a long burn alone ... */
	add(m, 6 * MS, 4 * MS + 1, 6, 0);
	/* ... or late, with the right burn: 2.4 ms + 1 ns late. */
	add(m, 10400 * US + 1, BURN, 8, 0);
	assert_int_equal(m->late_finishes, 2);
	assert_true(m->finish->max == 4 * MS + 1);
	end_metrics(m);
}

static void changes_of_cpu_are_migrations(void **state)
{
	static const uint32_t cpus[] = { 3, 3, 1, 1, 0, 3, 3, 5000 };
	struct metrics *m = new_metrics(&plain);

	(void)state;
	for (size_t i = 0; i < COUNT(cpus); i++) {
		const struct cycle cycle = { (int64_t)(i + 1) * P, BURN, LATENESS_UNKNOWN,
					     2 * (i + 1), 0, cpus[i], 0 };

		metrics_add(m, &cycle, 1);
	}
	/* 3 (origin) 3|1 1|0|3 3|5000 */
	assert_int_equal(m->migrations, 4);
	assert_int_equal(m->cycles_on_cpu[3], 3);
	assert_int_equal(m->cycles_on_cpu[1], 2);
	assert_int_equal(m->cycles_on_cpu[0], 1);
	end_metrics(m);
}

static void the_burn_within_100_and_200_us_of_nominal(void **state)
{
	static const int64_t off[] = { 0, 100 * US, 100 * US + 1, -100 * US, -100 * US - 1,
				       200 * US, 200 * US + 1, -200 * US, 5 * MS };
	struct metrics *m = new_metrics(&plain);

	(void)state;
	add(m, P, BURN, 2, 0);
	for (size_t i = 0; i < COUNT(off); i++)
		add(m, (int64_t)(i + 2) * P, BURN + off[i], 2 * (i + 2), 0);
	assert_int_equal(m->burn_within_100us, 3);
	assert_int_equal(m->burn_within_200us, 7);
	assert_true(m->burn->max == BURN + 5 * MS);
	/* 9 * 1.6 + (0 + .1 + .1 - .1 - .1 + .2 + .2 - .2 + 5) ms, + 1 - 1 + 1 ns */
	assert_true(m->burn_sum_ns == 9 * 1.6e6 + 5.2e6 + 1);
	end_metrics(m);
}

static void work_and_stolen_time_are_told_apart(void **state)
{
	struct metrics *m = new_metrics(&plain);
	int64_t p5;

	(void)state;
	add(m, P, BURN, 2, 0);
	/* 100 cycles: the burn is 1600 us in 90 of them, and 10 were interrupted for 400 us. */
	for (uint64_t i = 0; i < 58; i++)
		add(m, (int64_t)(i + 2) * P, i % 10 ? BURN : BURN + 400 * US, 2 * (i + 2), 0);
	assert_false(metrics_burn_p5_ns(m, &p5)); /* 58 are too few for a 5th percentile */
	for (uint64_t i = 58; i < 100; i++)
		add(m, (int64_t)(i + 2) * P, i % 10 ? BURN : BURN + 400 * US, 2 * (i + 2), 0);
	assert_true(metrics_burn_p5_ns(m, &p5));
	/* Rank 5 of 100 is 1600 us, known to 1 part in 1024. */
	assert_true(p5 >= BURN && p5 <= BURN + BURN / 1024);
	/* Mean (90 * 1600 + 10 * 2000) / 100 = 1640 us: 40 us stolen of each 2000, 2 %. */
	assert_true(near(m->burn_sum_ns / 100, 1640e3));
	assert_true(fabs((m->burn_sum_ns / 100 - (double)p5) / 2e6 - 0.02) < 0.001);
	end_metrics(m);
}

static void the_fifth_percentile_is_the_work_not_the_minimum(void **state)
{
	struct metrics *m = new_metrics(&plain);
	int64_t p5;

	(void)state;
	/* 4 of 100 were odd and short (the minimum): rank 5 is the first of the others. */
	add(m, P, BURN, 2, 0);
	for (uint64_t i = 0; i < 100; i++)
		add(m, (int64_t)(i + 2) * P, i < 4 ? 1000 * US : 1500 * US + (int64_t)i * US,
		    2 * (i + 2), 0);
	assert_true(metrics_burn_p5_ns(m, &p5));
	assert_true(p5 >= 1504 * US && p5 <= 1504 * US + 1504 * US / 1024);
	end_metrics(m);
}

/* ---- real-time throttling: 50 ms in each second ---- */

static struct metrics *with_throttling(void)
{
	struct metrics_params params = plain;

	params.throttle_gap_ns = 50e6;
	params.throttle_period_ns = 1e9;
	return new_metrics(&params);
}

/* Cycles for `seconds`; the CPU is taken for stall_ns at each of the moments (in ms, ascending). */
static struct metrics *with_stalls(int seconds, const int64_t *at_ms, size_t n, int64_t stall_ns,
				   bool in_burn)
{
	struct metrics *m = with_throttling();
	uint64_t index = 1, last = 0;
	size_t next = 0;

	while ((int64_t)index * P < seconds * S) {
		int64_t due = (int64_t)index * P, wake = due, burn = BURN;

		if (next < n && due >= at_ms[next] * MS) {
			next++;
			if (in_burn)
				burn += stall_ns;
			else
				wake += stall_ns - stall_ns % P;
		}
		index = (uint64_t)(wake / P);
		add(m, wake, burn, 2 * index, last ? (uint32_t)(index - last - 1) : 0);
		last = index;
		index = (uint64_t)((wake + burn) / P);
		if (index <= last)
			index = last + 1;
	}
	assert_int_equal(next, n);
	return m;
}

static void a_gap_in_each_second_is_throttling(void **state)
{
	static const int64_t at[] = { 500, 1500, 2500, 3500, 4500, 5500, 6500, 7500 };
	struct metrics *m;

	(void)state;
	m = with_stalls(9, at, COUNT(at), 50 * MS, false);
	assert_true(metrics_throttled(m));
	assert_int_equal(m->throttle_gaps, 8);
	end_metrics(m);
	m = with_stalls(9, at, COUNT(at), 50 * MS, true);
	assert_true(metrics_throttled(m));
	assert_int_equal(m->throttle_gaps, 8);
	end_metrics(m);
}

static void throttling_need_not_be_exact(void **state)
{
	/* The period moves by some ms, the gap too. */
	static const int64_t at[] = { 300, 1310, 2290, 3305, 4300, 5270 };
	struct metrics *m;

	(void)state;
	m = with_stalls(7, at, COUNT(at), 44 * MS, false);
	assert_true(metrics_throttled(m));
	end_metrics(m);
	m = with_stalls(7, at, COUNT(at), 55 * MS, true);
	assert_true(metrics_throttled(m));
	end_metrics(m);
}

static void throttling_is_seen_beside_another_stall(void **state)
{
	/* One stall of the same length that has nothing to do with it, at 1.9 s. */
	static const int64_t at[] = { 500, 1500, 1900, 2500, 3500, 4500, 5500, 6500, 7500 };
	struct metrics *m = with_stalls(9, at, COUNT(at), 50 * MS, false);

	(void)state;
	assert_true(metrics_throttled(m));
	end_metrics(m);
}

static void a_single_gap_is_no_throttling(void **state)
{
	static const int64_t at[] = { 2000 };
	struct metrics *m = with_stalls(9, at, COUNT(at), 50 * MS, false);

	(void)state;
	assert_false(metrics_throttled(m));
	end_metrics(m);
}

/* The same, but that the samples of the gaps are lost, not that cycles were missed. */
static void lost_samples_are_no_throttling(void **state)
{
	struct metrics *m = with_throttling();

	(void)state;
	for (uint64_t index = 1; (int64_t)index * P < 9 * S; index++)
		if ((int64_t)index * P % S >= 50 * MS)
			add(m, (int64_t)index * P, BURN, 2 * index, 0);
	assert_false(metrics_throttled(m));
	assert_int_equal(m->throttle_stalls, 0);
	end_metrics(m);
}

static void gaps_of_another_length_are_no_throttling(void **state)
{
	static const int64_t at[] = { 500, 1500, 2500, 3500, 4500, 5500, 6500, 7500 };
	static const int64_t lengths[] = { 10 * MS, 30 * MS, 70 * MS, 200 * MS };

	(void)state;
	for (size_t i = 0; i < COUNT(lengths); i++) {
		struct metrics *m = with_stalls(9, at, COUNT(at), lengths[i], i % 2);

		assert_case(!metrics_throttled(m), "%lld ns", (long long)lengths[i]);
		end_metrics(m);
	}
}

static void irregular_gaps_are_no_throttling(void **state)
{
	/* Spacings 1.45, 0.35, 2.33, 1.47, 3.4 s */
	static const int64_t at[] = { 300, 1750, 2100, 4430, 5900, 9300 };
	struct metrics *m = with_stalls(11, at, COUNT(at), 50 * MS, false);

	(void)state;
	assert_false(metrics_throttled(m));
	end_metrics(m);
}

static void random_gaps_are_no_throttling(void **state)
{
	(void)state;
	/* 12 stalls of 50 ms in a minute: some spacing is near a whole second by chance. */
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t random = seed * 15485863;
		struct metrics *m;
		int64_t at[12];

		for (size_t i = 0; i < COUNT(at); i++)
			at[i] = (int64_t)i * 4950 + unit_random_in(&random, 100, 4800);
		m = with_stalls(60, at, COUNT(at), 50 * MS, seed % 2);
		assert_case(!metrics_throttled(m), "seed %d", (int)seed);
		end_metrics(m);
	}
}

static void two_gaps_far_apart_are_no_throttling(void **state)
{
	/* 17 s apart, a whole number of seconds by chance. */
	static const int64_t at[] = { 2000, 19000 };
	struct metrics *m = with_stalls(30, at, COUNT(at), 50 * MS, false);

	(void)state;
	assert_false(metrics_throttled(m));
	end_metrics(m);
}

static void without_throttling_there_are_no_gaps(void **state)
{
	struct metrics *m = new_metrics(&plain);

	(void)state;
	for (uint64_t i = 1; i < 20; i++)
		add(m, (int64_t)i * S, BURN, i * 1000, i > 1 ? 499 : 0);
	assert_false(metrics_throttled(m));
	assert_int_equal(m->throttle_gaps, 0);
	end_metrics(m);
}

static void it_does_not_matter_how_cycles_are_cut_into_blocks(void **state)
{
	static struct cycle cycles[5000];
	struct metrics *whole = new_metrics(&plain), *cut = new_metrics(&plain);
	uint64_t seed = 9;
	size_t done = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(cycles); i++)
		cycles[i] = (struct cycle){ (int64_t)(i + 1) * P + unit_random_in(&seed, 0, P),
					    BURN + unit_random_in(&seed, 0, MS), LATENESS_UNKNOWN,
					    2 * (i + 1), 0, (uint32_t)(unit_random(&seed) % 4), 0 };
	metrics_add(whole, cycles, COUNT(cycles));
	while (done < COUNT(cycles)) {
		size_t n = unit_random(&seed) % 100;

		if (n > COUNT(cycles) - done)
			n = COUNT(cycles) - done;
		metrics_add(cut, cycles + done, n);
		done += n;
	}
	assert_int_equal(whole->cycles, 4999);
	assert_int_equal(cut->cycles, 4999);
	assert_int_equal(cut->overruns, whole->overruns);
	assert_int_equal(cut->migrations, whole->migrations);
	assert_int_equal(cut->late_finishes, whole->late_finishes);
	assert_int_equal(cut->within_1ms, whole->within_1ms);
	assert_true(cut->diff_sum_ns == whole->diff_sum_ns);
	assert_true(cut->off_square_sum_ns2 == whole->off_square_sum_ns2);
	assert_memory_equal(cut->finish, whole->finish, sizeof(*cut->finish));
	end_metrics(whole);
	end_metrics(cut);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_period_is_wakeups_over_rate),
		cmocka_unit_test(the_origin_is_no_cycle),
		cmocka_unit_test(max_diff_is_the_longest_interval),
		cmocka_unit_test(an_overrun_lies_above_the_deadline),
		cmocka_unit_test(within_1_and_2_ms_include_their_borders),
		cmocka_unit_test(a_diff_of_0_is_within_2_ms_of_2),
		cmocka_unit_test(deviation_is_a_mean_and_no_root_mean_square),
		cmocka_unit_test(one_long_stall_hides_in_cycles_but_not_in_time),
		cmocka_unit_test(missed_cycles_are_counted_and_the_diff_over_them_is_taken),
		cmocka_unit_test(no_diff_spans_lost_cycles),
		cmocka_unit_test(left_over_ticks_do_not_break_the_chain),
		cmocka_unit_test(exact_lateness_follows_the_grid_without_drift),
		cmocka_unit_test(fitted_lateness_has_a_slope_and_a_phase),
		cmocka_unit_test(lateness_from_the_interrupt_is_taken_as_told),
		cmocka_unit_test(a_late_finish_lies_above_the_deadline),
		cmocka_unit_test(changes_of_cpu_are_migrations),
		cmocka_unit_test(the_burn_within_100_and_200_us_of_nominal),
		cmocka_unit_test(work_and_stolen_time_are_told_apart),
		cmocka_unit_test(the_fifth_percentile_is_the_work_not_the_minimum),
		cmocka_unit_test(a_gap_in_each_second_is_throttling),
		cmocka_unit_test(throttling_need_not_be_exact),
		cmocka_unit_test(throttling_is_seen_beside_another_stall),
		cmocka_unit_test(a_single_gap_is_no_throttling),
		cmocka_unit_test(lost_samples_are_no_throttling),
		cmocka_unit_test(gaps_of_another_length_are_no_throttling),
		cmocka_unit_test(irregular_gaps_are_no_throttling),
		cmocka_unit_test(random_gaps_are_no_throttling),
		cmocka_unit_test(two_gaps_far_apart_are_no_throttling),
		cmocka_unit_test(without_throttling_there_are_no_gaps),
		cmocka_unit_test(it_does_not_matter_how_cycles_are_cut_into_blocks),
	};

	return unit_run(tests);
}
