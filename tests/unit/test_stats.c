/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals and tests against published and independently computed values. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "report/stats.h"

/* Equal within half a unit of the last digit that the reference value has. */
static void near(double got, double wanted, double tolerance)
{
	assert_case(fabs(got - wanted) <= tolerance, "got %.10g, wanted %.10g", got, wanted);
}

static void shares(void **state)
{
	static const struct {
		double hits, n;
		double wilson[2], exact[2];
	} cases[] = {
		{ 81, 263, { .2553, .3662 }, { .2527, .3676 } },
		{ 15, 148, { .0624, .1605 }, { .0578, .1617 } },
		{ 0, 20, { 0, .1611 }, { 0, .1684 } },
		{ 1, 29, { .0061, .1718 }, { .0009, .1776 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stats_interval wilson = stats_wilson(cases[i].hits, cases[i].n, 0.95);
		struct stats_interval exact =
			stats_clopper_pearson(cases[i].hits, cases[i].n, 0.95);

		near(wilson.low, cases[i].wilson[0], 5.1e-5);
		near(wilson.high, cases[i].wilson[1], 5.1e-5);
		near(exact.low, cases[i].exact[0], 5.1e-5);
		near(exact.high, cases[i].exact[1], 5.1e-5);
	}
	assert_true(stats_wilson(20, 20, 0.95).high == 1);
	assert_true(stats_clopper_pearson(20, 20, 0.95).high == 1);
	assert_true(stats_wilson(0, 0, 0.95).low == 0 && stats_wilson(0, 0, 0.95).high == 1);
}

static void poisson_counts(void **state)
{
	static const double cases[][3] = {
		{ 0, 0, 3.688879 },
		{ 1, .025318, 5.571643 },
		{ 3, .618672, 8.767273 },
		{ 10, 4.795389, 18.390356 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stats_interval interval = stats_garwood(cases[i][0], 0.95);

		near(interval.low, cases[i][1], 5.1e-7);
		near(interval.high, cases[i][2], 5.1e-7);
	}
}

static void binomial(void **state)
{
	struct stats_interval interval = stats_clopper_pearson(682, 925, 0.95);

	(void)state;
	near(stats_binomial_test(682, 925, 0.75), .3825, 5.1e-5);
	near(interval.low, .7076683, 5.1e-8);
	near(interval.high, .7654066, 5.1e-8);
	/* Equal exposure: one of two coins. */
	near(stats_binomial_test(0, 5, 0.5), .0625, 1e-12);
	near(stats_binomial_test(0, 6, 0.5), .03125, 1e-12);
	near(stats_binomial_test(6, 6, 0.5), .03125, 1e-12);
	near(stats_binomial_test(3, 6, 0.5), 1, 1e-12);
	near(stats_binomial_test(0, 0, 0.5), 1, 0);
	/* By hand: P(0) = 0.729, P(1) = .243, P(2) = .027, P(3) = .001. */
	near(stats_binomial_test(2, 3, 0.1), .028, 1e-12);
	near(stats_binomial_test(0, 3, 0.1), 1, 1e-12);
}

/* Against the sum over all outcomes that defines it. */
static void binomial_by_definition(void **state)
{
	uint64_t seed = 4711;

	(void)state;
	for (int i = 0; i < 200; i++) {
		int n = (int)unit_random_in(&seed, 1, 20);
		int hits = (int)unit_random_in(&seed, 0, n);
		double share = (double)unit_random_in(&seed, 1, 99) / 100, here = 0, sum = 0;
		double chance[21];

		for (int k = 0; k <= n; k++) {
			chance[k] = pow(share, k) * pow(1 - share, n - k);
			for (int j = 0; j < k; j++)
				chance[k] *= (double)(n - j) / (j + 1);
			here = k == hits ? chance[k] : here;
		}
		for (int k = 0; k <= n; k++)
			sum += chance[k] <= here * (1 + 1e-7) ? chance[k] : 0;
		near(stats_binomial_test(hits, n, share), fmin(sum, 1), 1e-9);
	}
}

static void rates(void **state)
{
	struct stats_rates got = stats_rate_ratio(11, 800, 21, 3011, 0.95);

	(void)state;
	near(got.ratio, 1.971488, 5.1e-7);
	near(got.p, .07967, 5.1e-6);
	near(got.interval.low, .8584264, 5.1e-8);
	near(got.interval.high, 4.2772659, 5.1e-8);
	got = stats_rate_ratio(4, 100, 0, 100, 0.95);
	assert_true(isinf(got.ratio) && isinf(got.interval.high));
	near(got.p, .125, 1e-12);
	got = stats_rate_ratio(0, 100, 0, 100, 0.95);
	assert_true(got.p == 1 && got.interval.low == 0 && isinf(got.interval.high));
}

static const double depression_x[] = { .80, .83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, .73, 1.46 };
static const double depression_y[] = { 1.15, .88, .90, .74, 1.21 };

static void ranks(void **state)
{
	static const double a[] = { 2, 1, 3, 5 }, b[] = { 12, 11, 13, 15 };
	struct stats_rank_test test;

	(void)state;
	assert_int_equal(stats_mann_whitney(a, 4, b, 4, STATS_TWO_SIDED, &test), 0);
	near(test.p, .0285714, 5.1e-8);
	assert_true(test.exact && !test.ties && test.w == 0);
	assert_int_equal(
		stats_mann_whitney(depression_x, 10, depression_y, 5, STATS_GREATER, &test), 0);
	near(test.w, 35, 0);
	near(test.p, .1272, 5.1e-5);
	assert_int_equal(stats_mann_whitney(depression_x, 10, depression_y, 5, STATS_LESS, &test),
			 0);
	assert_true(test.p > 1 - .1272 && test.p < .9); /* both tails hold W = 35 */
	assert_int_equal(stats_mann_whitney(a, 0, b, 4, STATS_TWO_SIDED, &test), -EINVAL);
	assert_int_equal(stats_mann_whitney((double[]){ NAN }, 1, b, 4, STATS_TWO_SIDED, &test),
			 -EINVAL);
}

/* Values that are alike, also infinite ones: against all ways to part them. */
static void ranks_with_ties(void **state)
{
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t nx = (size_t)unit_random_in(&seed, 1, 5);
		size_t ny = (size_t)unit_random_in(&seed, 1, 5), n = nx + ny;
		double values[10], seen = 0, low = 0, high = 0, all = 0;
		struct stats_rank_test test;

		for (size_t i = 0; i < n; i++) {
			values[i] = (double)unit_random_in(&seed, 0, 4);
			values[i] = values[i] == 4 ? INFINITY : values[i];
		}
		for (unsigned int subset = 0; subset < 1u << n; subset++) {
			double w = 0;

			if ((size_t)__builtin_popcount(subset) != nx)
				continue;
			for (size_t i = 0; i < n; i++)
				for (size_t j = 0; j < n; j++)
					if (subset >> i & 1 && !(subset >> j & 1))
						w += values[i] > values[j] ? 1 :
						     values[i] == values[j] ? 0.5 : 0;
			if (!all++)
				seen = w; /* the lowest bits: the first nx, as given below */
			low += w <= seen;
			high += w >= seen;
		}
		assert_int_equal(stats_mann_whitney(values, nx, values + nx, ny, STATS_TWO_SIDED,
						    &test), 0);
		near(test.w, seen, 1e-9);
		near(test.p, fmin(2 * fmin(low, high) / all, 1), 1e-9);
	}
}

/* The approximation beyond 50 a side lies near the exact test of 50. */
static void ranks_of_many(void **state)
{
	double x[51], y[51];
	struct stats_rank_test exact, normal;

	(void)state;
	for (int i = 0; i < 51; i++) {
		x[i] = i;
		y[i] = i - 10.5;
	}
	assert_int_equal(stats_mann_whitney(x, 50, y, 50, STATS_TWO_SIDED, &exact), 0);
	assert_int_equal(stats_mann_whitney(x, 51, y, 51, STATS_TWO_SIDED, &normal), 0);
	assert_true(exact.exact && !normal.exact);
	assert_case(normal.p > exact.p * 0.8 && normal.p < exact.p * 1.25, "%g against %g",
		    normal.p, exact.p);
	for (int i = 0; i < 51; i++)
		x[i] = y[i] = 1;
	assert_int_equal(stats_mann_whitney(x, 51, y, 51, STATS_TWO_SIDED, &normal), 0);
	near(normal.p, 1, 0);
	assert_int_equal(stats_mann_whitney(x, 50, y, 50, STATS_TWO_SIDED, &exact), 0);
	near(exact.p, 1, 0);
}

static void shift(void **state)
{
	static const double one[] = { 1, 2 }, two[] = { 11, 12 }, missed[] = { 1, INFINITY };
	struct stats_interval interval;
	double by;

	(void)state;
	assert_int_equal(stats_hodges_lehmann(depression_x, 10, depression_y, 5, 0.95, &by,
					      &interval), 0);
	near(by, .305, 1e-9);
	near(interval.low, -.15, 1e-9);
	near(interval.high, .76, 1e-9);
	near(interval.confidence, .96, 5e-3);
	/* 2 against 2: no interval of 95 % exists. */
	assert_int_equal(stats_hodges_lehmann(two, 2, one, 2, 0.95, &by, &interval), 0);
	near(by, 10, 0);
	near(interval.low, 9, 0);
	near(interval.high, 11, 0);
	near(interval.confidence, 1 - 2.0 / 6, 1e-9);
	assert_int_equal(stats_hodges_lehmann(missed, 2, missed, 2, 0.95, &by, &interval), 0);
	near(by, 0, 0);
	assert_true(interval.low == -INFINITY && interval.high == INFINITY);
}

static void medians(void **state)
{
	static const struct {
		size_t n;
		double low, high, confidence;
	} cases[] = {
		{ 6, 1, 6, .96875 },
		{ 10, 2, 9, .978516 },
		{ 20, 6, 15, .958611 },
		{ 5, 1, 5, .9375 },
		{ 1, 1, 1, 0 },
	};
	double values[] = { 3, 1, 2, 10 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct stats_interval got = stats_median_ranks(cases[i].n, 0.95);

		near(got.low, cases[i].low, 0);
		near(got.high, cases[i].high, 0);
		near(got.confidence, cases[i].confidence, 5.1e-7);
	}
	near(stats_median(values, 4), 2.5, 0);
	near(stats_median(values, 3), 2, 0);
	assert_true(isnan(stats_median(values, 0)));
	assert_true(stats_median((double[]){ 1, -INFINITY }, 2) == -INFINITY);
	assert_true(stats_median((double[]){ 1, INFINITY }, 2) == INFINITY);
	assert_true(stats_median((double[]){ INFINITY, INFINITY }, 2) == INFINITY);
}

static void permutations(void **state)
{
	static const double x[] = { 0, 0, 0, 1 }, y[] = { 5, 6, 7, 9 }, none[8] = { 0 };
	struct stats_permutation test;

	(void)state;
	assert_int_equal(stats_permutation_test(x, 4, y, 4, 1, &test), 0);
	near(test.difference, -6.5, 1e-12);
	near(test.p, 2.0 / 70, 1e-12); /* nothing is as far off but this and its mirror image */
	assert_true(test.exact);
	assert_int_equal(stats_permutation_test(none, 4, none, 4, 1, &test), 0);
	near(test.p, 1, 0);
	/* One value stands out: as likely on one side as on the other. */
	assert_int_equal(stats_permutation_test(x, 4, none, 4, 1, &test), 0);
	near(test.p, 1, 1e-12);
	/* Fisher's reading of Darwin's maize would need pairs; this is 3 against 2 by hand. */
	assert_int_equal(stats_permutation_test((double[]){ 1, 2, 3 }, 3, (double[]){ 4, 9 }, 2, 1,
						&test), 0);
	near(test.p, 1.0 / 10, 1e-12);
	assert_int_equal(stats_permutation_test(x, 0, y, 4, 1, &test), -EINVAL);
	assert_int_equal(stats_permutation_test((double[]){ INFINITY }, 1, y, 4, 1, &test),
			 -EINVAL);
}

/* Drawing comes to what counting comes to; the same seed gives the same p. */
static void permutations_at_random(void **state)
{
	double x[16], y[16], x_more[34], y_more[34];
	struct stats_permutation first, again, counted;

	(void)state;
	for (int i = 0; i < 16; i++) {
		x[i] = i * i % 17 + i / 16.0;
		y[i] = i * i % 17 + 3 + i / 15.0;
	}
	assert_int_equal(stats_permutation_test(x, 16, y, 16, 7, &first), 0);
	assert_int_equal(stats_permutation_test(x, 16, y, 16, 7, &again), 0);
	assert_false(first.exact);
	assert_true(first.p == again.p);
	for (int i = 0; i < 34; i++) {
		x_more[i] = i < 4;
		y_more[i] = i < 10;
	}
	/* 0 and 1 only: two lots at 32 a side, Fisher's exact test; too many values at 34. */
	assert_int_equal(stats_permutation_test(x_more, 32, y_more, 32, 7, &counted), 0);
	assert_int_equal(stats_permutation_test(x_more, 34, y_more, 34, 7, &first), 0);
	assert_true(counted.exact && !first.exact);
	near(first.p, counted.p, 0.03);
}

static void holm(void **state)
{
	static const double p[] = { .01, .04, .03, .005 }, wanted[] = { .03, .06, .06, .02 };
	static const double gaps[] = { NAN, .01, NAN, .5 };
	double adjusted[4];

	(void)state;
	assert_int_equal(stats_holm(p, 4, 4, adjusted), 0);
	for (size_t i = 0; i < 4; i++)
		near(adjusted[i], wanted[i], 1e-12);
	assert_int_equal(stats_holm(gaps, 4, 10, adjusted), 0);
	assert_true(isnan(adjusted[0]) && isnan(adjusted[2]));
	near(adjusted[1], .1, 1e-12);
	near(adjusted[3], 1, 0);
}

static void runs_needed(void **state)
{
	(void)state;
	near(stats_least_p(6, 6), .00216, 5.1e-6);
	near(stats_least_p(7, 7), .00058, 5.1e-6);
	assert_int_equal(stats_runs_needed(25, 0.05), 7);
	assert_int_equal(stats_runs_needed(1, 0.05), 4);
	assert_int_equal(stats_runs_needed(5, 0.05), 5);
	assert_int_equal(stats_runs_needed(75, 0.05), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares),
		cmocka_unit_test(poisson_counts),
		cmocka_unit_test(binomial),
		cmocka_unit_test(binomial_by_definition),
		cmocka_unit_test(rates),
		cmocka_unit_test(ranks),
		cmocka_unit_test(ranks_with_ties),
		cmocka_unit_test(ranks_of_many),
		cmocka_unit_test(shift),
		cmocka_unit_test(medians),
		cmocka_unit_test(permutations),
		cmocka_unit_test(permutations_at_random),
		cmocka_unit_test(holm),
		cmocka_unit_test(runs_needed),
	};

	return unit_run(tests);
}
