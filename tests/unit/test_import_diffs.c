/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many diffs there were, from two counts and their printed percentages. */
#include "unit.h"

#include "report/import_parts.h"

static const struct {
	uint64_t count[2];
	const char *factor[2];
	int64_t min, max; /* min -1: nothing fits */
} cases[] = {
	/* 4 of 13297 are 0.030082 %; of 13296 it would be 3, 0.022563 %. */
	{ { 13287, 13293 }, { "99.9248", "99.9699" }, 13297, 13297 },
	/* 8 of 39563 are 0.020221 %. */
	{ { 39555, 39563 }, { "99.9798", "100" }, 39563, 39563 },
	{ { 37387, 37410 }, { "99.9358", "99.9973" }, 37411, 37411 },
	{ { 1, 2 }, { "50", "100" }, 2, 2 },
	{ { 0, 5 }, { "0", "100" }, 5, 5 },
	{ { 1, 2 }, { "33.3333", "66.6667" }, 3, 3 },
	/* 10^7 of 10^7 + 5 are 99.999950000025 %, of one more 99.99994 %: no longer "100". */
	{ { 9999000, 10000000 }, { "99.99", "100" }, 10000000, 10000005 },
	/* Of 2,000,000 they are 99.99995 %, just below what is printed as 100. */
	{ { 1999999, 1999999 }, { "100", "100" }, 1999999, 1999999 },
	/* None of how many? */
	{ { 0, 0 }, { "0", "0" }, 1, -1 },
	{ { 0, 0 }, { "nan", "-nan" }, 0, 0 },
	/* Contradictions, and texts that %g never prints. */
	{ { 13287, 13293 }, { "99.9248", "99.9" }, -1, 0 },
	{ { 13287, 13293 }, { "99.9248", "99.9774" }, -1, 0 },
	{ { 10, 9 }, { "100", "90" }, -1, 0 },
	{ { 1, 2 }, { "50.0", "100" }, -1, 0 },
	{ { 1, 2 }, { "50", "100.000" }, -1, 0 },
	{ { 3, 3 }, { "101", "101" }, -1, 0 },
	{ { 3, 3 }, { "-1", "-1" }, -1, 0 },
	{ { 1, 1 }, { "nan", "100" }, -1, 0 },
	{ { 0, 1 }, { "nan", "100" }, -1, 0 },
	{ { 3, 3 }, { "0", "0" }, -1, 0 },
};

static void test_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct import_within within[2] = { { cases[i].count[0], cases[i].factor[0] },
							 { cases[i].count[1],
							   cases[i].factor[1] } };
		uint64_t min = 0, max = 0;
		int err = import_recover_diffs(within, &min, &max);

		if (cases[i].min < 0) {
			assert_case(err, "%zu", i);
			continue;
		}
		assert_case(!err && min == (uint64_t)cases[i].min &&
				    max == (cases[i].max < 0 ? IMPORT_DIFFS_UNBOUNDED :
							       (uint64_t)cases[i].max),
			    "%zu: %d, %llu to %llu", i, err, (unsigned long long)min,
			    (unsigned long long)max);
	}
}

static bool prints(uint64_t count, uint64_t n, const char *factor)
{
	char text[32];

	snprintf(text, sizeof(text), "%g", 100.0 * (double)count / (double)n);
	return !strcmp(text, factor);
}

/* Whatever was counted is found again, and nothing beside the interval would do. */
static void test_any(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t n = (uint64_t)unit_random_in(&seed, 1, i % 2 ? 100000 : 1000000000);
		uint64_t two =
			n - (uint64_t)unit_random_in(&seed, 0, (int64_t)(i % 3 ? n / 50 : n));
		uint64_t one = two - (uint64_t)unit_random_in(&seed, 0, (int64_t)(two / 2));
		char factor[2][32];
		const struct import_within within[2] = { { one, factor[0] }, { two, factor[1] } };
		uint64_t min, max;

		snprintf(factor[0], 32, "%g", 100.0 * (double)one / (double)n);
		snprintf(factor[1], 32, "%g", 100.0 * (double)two / (double)n);
		assert_case(!import_recover_diffs(within, &min, &max) && min <= n && n <= max,
			    "%d: n %llu", i, (unsigned long long)n);
		assert_true(min >= two);
		assert_true(prints(one, min, factor[0]) && prints(two, min, factor[1]));
		if (min > two && min > 1)
			assert_false(prints(one, min - 1, factor[0]) &&
				     prints(two, min - 1, factor[1]));
		if (max == IMPORT_DIFFS_UNBOUNDED)
			continue;
		assert_true(prints(one, max, factor[0]) && prints(two, max, factor[1]));
		assert_false(prints(one, max + 1, factor[0]) && prints(two, max + 1, factor[1]));
	}
}

/* As the factors are near 100, a million or so of diffs is still known to one. */
static void test_one_number_up_to_a_million(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		uint64_t n = (uint64_t)unit_random_in(&seed, 1, 900000), min, max;
		char factor[32];
		const struct import_within within[2] = { { n, factor }, { n, factor } };

		snprintf(factor, sizeof(factor), "%g", 100.0);
		assert_false(import_recover_diffs(within, &min, &max));
		assert_case(min == n && max == n, "%llu", (unsigned long long)n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_one_number_up_to_a_million),
	};

	return unit_run(tests);
}
