/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The histogram loses nothing and its quantiles are those of a sorted list, to 1 part in 1024. */
#include "unit.h"

#include "report/histogram.h"

static struct histogram *new_histogram(void)
{
	struct histogram *h = histogram_new();

	assert_non_null(h);
	return h;
}

static void buckets_are_contiguous_over_the_whole_range(void **state)
{
	(void)state;
	assert_true(histogram_low(0) == 0);
	for (unsigned int b = 0; b < HISTOGRAM_BUCKETS; b++) {
		int64_t low = histogram_low(b), high = histogram_high(b);

		assert_true(low <= high);
		assert_case(histogram_bucket(low) == b, "least of bucket %u", b);
		assert_case(histogram_bucket(high) == b, "greatest of bucket %u", b);
		if (b)
			assert_case(low == histogram_high(b - 1) + 1, "gap before bucket %u", b);
	}
	assert_true(histogram_high(HISTOGRAM_BUCKETS - 1) == (1LL << HISTOGRAM_MAX_BITS) - 1);
}

static void a_bucket_is_at_most_a_1024th_wide(void **state)
{
	(void)state;
	for (unsigned int b = 1; b < HISTOGRAM_BUCKETS; b++) {
		int64_t low = histogram_low(b), error = histogram_high(b) - low;

		assert_case(error * 1024 <= low, "bucket %u", b);
	}
}

static void small_values_are_exact(void **state)
{
	(void)state;
	/* 2^11 buckets of 1 ns, then of 2 ns. */
	for (int64_t v = 0; v < 2048; v++) {
		assert_int_equal(histogram_bucket(v), v);
		assert_true(histogram_low((unsigned int)v) == v);
		assert_true(histogram_high((unsigned int)v) == v);
	}
	assert_int_equal(histogram_bucket(2048), 2048);
	assert_int_equal(histogram_bucket(2049), 2048);
	assert_int_equal(histogram_bucket(2050), 2049);
	/* 4096 is the first of the next power of two, cut into steps of 4. */
	assert_int_equal(histogram_bucket(4096), 3072);
	assert_int_equal(histogram_bucket(4099), 3072);
	assert_int_equal(histogram_bucket(4100), 3073);
}

static void what_lies_outside_is_counted(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	histogram_add(h, 5);
	histogram_add(h, -1);
	histogram_add(h, INT64_MIN);
	histogram_add(h, (1LL << 43) - 1); /* the last that fits */
	histogram_add(h, 1LL << 43);
	histogram_add(h, INT64_MAX);
	assert_int_equal(h->n, 6);
	assert_int_equal(h->underflow, 2);
	assert_int_equal(h->overflow, 2);
	assert_int_equal(h->count[5], 1);
	assert_int_equal(h->count[HISTOGRAM_BUCKETS - 1], 1);
	assert_true(h->min == INT64_MIN && h->max == INT64_MAX);
	assert_true(histogram_consistent(h));
	/* The median of 6 is rank 3: behind the two below 0 comes the 5. */
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 5);
	free(h);
}

static void least_and_greatest_are_true(void **state)
{
	struct histogram *h = new_histogram();

	(void)state;
	histogram_add(h, 1234567);
	assert_true(h->min == 1234567 && h->max == 1234567);
	histogram_add(h, 1234568);
	histogram_add(h, 1234566);
	assert_true(h->min == 1234566 && h->max == 1234568);
	free(h);
}

static void counts_that_do_not_add_up_are_seen(void **state)
{
	struct histogram *h = new_histogram();

	(void)state;
	assert_true(histogram_consistent(h));
	for (int64_t v = -3; v < 1000; v++)
		histogram_add(h, v * v * v);
	assert_true(histogram_consistent(h));
	h->count[77]++;
	assert_false(histogram_consistent(h));
	h->count[77]--;
	h->overflow++;
	assert_false(histogram_consistent(h));
	free(h);
}

static void a_quantile_needs_enough_values(void **state)
{
	(void)state;
	/* ln 0.05 = -2.99573. p99.9: / ln 0.999 (-0.00100050) = 2994.23 */
	assert_false(histogram_supports(2994, 0.999));
	assert_true(histogram_supports(2995, 0.999));
	/* p95: / ln 0.95 (-0.0512933) = 58.40; p5 mirrors it */
	assert_false(histogram_supports(58, 0.95));
	assert_true(histogram_supports(59, 0.95));
	assert_false(histogram_supports(58, 0.05));
	assert_true(histogram_supports(59, 0.05));
	/* p99: / ln 0.99 (-0.0100503) = 298.07 */
	assert_false(histogram_supports(298, 0.99));
	assert_true(histogram_supports(299, 0.99));
	/* median: / ln 0.5 (-0.693147) = 4.32 */
	assert_false(histogram_supports(4, 0.5));
	assert_true(histogram_supports(5, 0.5));
}

static void too_few_values_give_no_quantile(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_TOO_FEW);
	for (int i = 0; i < 2994; i++)
		histogram_add(h, 100);
	assert_int_equal(histogram_quantile(h, 0, 0.999, &v), QUANTILE_TOO_FEW);
	/* A missed one counts as one of the expected. */
	assert_int_equal(histogram_quantile(h, 1, 0.999, &v), QUANTILE_KNOWN);
	histogram_add(h, 100);
	assert_int_equal(histogram_quantile(h, 0, 0.999, &v), QUANTILE_KNOWN);
	assert_true(v == 100);
	free(h);
}

static void ranks_by_hand(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	/* 1 to 100: the q quantile is the value of rank ceil(100 q). */
	for (int i = 100; i >= 1; i--)
		histogram_add(h, i);
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 50);
	assert_int_equal(histogram_quantile(h, 0, 0.95, &v), QUANTILE_KNOWN);
	assert_true(v == 95);
	/* 0.07 * 100 is 7.000000000000001 in binary: still rank 7. */
	assert_int_equal(histogram_quantile(h, 0, 0.07, &v), QUANTILE_KNOWN);
	assert_true(v == 7);
	assert_int_equal(histogram_quantile(h, 0, 0.05, &v), QUANTILE_KNOWN);
	assert_true(v == 5);
	assert_int_equal(histogram_quantile(h, 0, 0.951, &v), QUANTILE_KNOWN);
	assert_true(v == 96);
	free(h);
}

static void missed_cycles_rank_above_all(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	for (int i = 1; i <= 900; i++)
		histogram_add(h, i);
	/* 100 missed: 1000 expected. Rank 900 is the last with a number, 901 has none. */
	assert_int_equal(histogram_quantile(h, 100, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 500);
	assert_int_equal(histogram_quantile(h, 100, 0.9, &v), QUANTILE_KNOWN);
	assert_true(v == 900);
	assert_int_equal(histogram_quantile(h, 100, 0.901, &v), QUANTILE_MISSED);
	assert_int_equal(histogram_quantile(h, 100, 0.99, &v), QUANTILE_MISSED);
	/* 99 missed: rank ceil(0.901 * 999) = ceil(900.099) = 901 */
	assert_int_equal(histogram_quantile(h, 99, 0.901, &v), QUANTILE_MISSED);
	/* 0.9 * 999 = 899.1: 900 */
	assert_int_equal(histogram_quantile(h, 99, 0.9, &v), QUANTILE_KNOWN);
	assert_true(v == 900);
	free(h);
	h = new_histogram();
	/* Nothing but missed ones. */
	assert_int_equal(histogram_quantile(h, 1000, 0.5, &v), QUANTILE_MISSED);
	free(h);
}

static void the_largest_is_never_exceeded(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	/* 1000000 lies in a bucket of 512 (2^19 <= v < 2^20): 999936 to 1000447. */
	assert_true(histogram_low(histogram_bucket(1000000)) == 999936);
	assert_true(histogram_high(histogram_bucket(1000000)) == 1000447);
	for (int i = 0; i < 100; i++)
		histogram_add(h, 1000000);
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 1000000);
	histogram_add(h, 2000000);
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 1000447);
	free(h);
}

static void overflowing_quantiles_are_the_maximum(void **state)
{
	struct histogram *h = new_histogram();
	int64_t v;

	(void)state;
	for (int i = 0; i < 100; i++)
		histogram_add(h, i < 50 ? 7 : (1LL << 43) + i);
	assert_int_equal(histogram_quantile(h, 0, 0.5, &v), QUANTILE_KNOWN);
	assert_true(v == 7);
	assert_int_equal(histogram_quantile(h, 0, 0.51, &v), QUANTILE_KNOWN);
	assert_true(v == (1LL << 43) + 99);
	free(h);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void quantiles_are_those_of_a_sorted_list(void **state)
{
	/* q as a fraction, so that the rank of the naive answer needs no rounding. */
	static const struct {
		uint64_t num, den;
	} qs[] = { { 1, 1000 }, { 1, 20 }, { 1, 4 },  { 1, 2 },      { 3, 4 },
		   { 9, 10 },   { 19, 20 }, { 99, 100 }, { 999, 1000 }, { 9999, 10000 } };
	static int64_t values[40000];

	(void)state;
	for (uint64_t round = 1; round <= 60; round++) {
		struct histogram *h = new_histogram();
		uint64_t seed = round * 104729;
		size_t n = 1 + unit_random(&seed) % COUNT(values);
		uint64_t above = round % 3 ? 0 : unit_random(&seed) % (n / 10 + 1);
		unsigned int bits = 1 + (unsigned int)(unit_random(&seed) % 42);

		for (size_t i = 0; i < n; i++) {
			/* Of every size, so that each power of two is met. */
			values[i] = (int64_t)(unit_random(&seed) >>
					      (64 - 1 - unit_random(&seed) % bits));
			histogram_add(h, values[i]);
		}
		qsort(values, n, sizeof(*values), compare);
		assert_true(h->min == values[0] && h->max == values[n - 1]);
		assert_true(histogram_consistent(h));
		for (size_t i = 0; i < COUNT(qs); i++) {
			uint64_t rank = (qs[i].num * (n + above) + qs[i].den - 1) / qs[i].den;
			double q = (double)qs[i].num / (double)qs[i].den;
			int64_t got = -1;
			enum quantile_state told = histogram_quantile(h, above, q, &got);

			if (!histogram_supports(n + above, q)) {
				assert_int_equal(told, QUANTILE_TOO_FEW);
				continue;
			}
			if (rank > n) {
				assert_int_equal(told, QUANTILE_MISSED);
				continue;
			}
			assert_int_equal(told, QUANTILE_KNOWN);
			assert_case(got >= values[rank - 1] && got <= values[n - 1] &&
					    got - values[rank - 1] <= values[rank - 1] / 1024,
				    "round %d, q %g: %lld for %lld", (int)round, q, (long long)got,
				    (long long)values[rank - 1]);
		}
		free(h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_contiguous_over_the_whole_range),
		cmocka_unit_test(a_bucket_is_at_most_a_1024th_wide),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(what_lies_outside_is_counted),
		cmocka_unit_test(least_and_greatest_are_true),
		cmocka_unit_test(counts_that_do_not_add_up_are_seen),
		cmocka_unit_test(a_quantile_needs_enough_values),
		cmocka_unit_test(too_few_values_give_no_quantile),
		cmocka_unit_test(ranks_by_hand),
		cmocka_unit_test(missed_cycles_rank_above_all),
		cmocka_unit_test(the_largest_is_never_exceeded),
		cmocka_unit_test(overflowing_quantiles_are_the_maximum),
		cmocka_unit_test(quantiles_are_those_of_a_sorted_list),
	};

	return unit_run(tests);
}
