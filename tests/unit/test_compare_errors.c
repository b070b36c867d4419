/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a comparison is wrong, on 32 real runs of one kernel (tests/data/compare): with labels
 * that mean nothing there may be a `*` in at most 5 of 100 comparisons; with a shift put into half
 * of the runs, there must be one in at least 80.
 */
#include "unit.h"

#include <errno.h>

#include "report/compare.h"
#include "util/jx.h"

#define RUNS 32
#define SHUFFLES 1000

static json_t *runs[RUNS];

static int load_runs(void **state)
{
	const char *srcdir = getenv("srcdir");

	(void)state;
	for (int i = 0; i < RUNS; i++) {
		char path[512];

		snprintf(path, sizeof(path), "%s/tests/data/compare/run-%02d.json",
			 srcdir ? srcdir : ".", i + 1);
		runs[i] = json_load_file(path, 0, NULL);
		if (!runs[i])
			return -1;
	}
	return 0;
}

static int free_runs(void **state)
{
	(void)state;
	for (int i = 0; i < RUNS; i++)
		json_decref(runs[i]);
	return 0;
}

static void shuffle(json_t **order, uint64_t *seed)
{
	for (size_t i = RUNS - 1; i > 0; i--) {
		size_t other = (size_t)unit_random_in(seed, 0, (int64_t)i);
		json_t *run = order[i];

		order[i] = order[other];
		order[other] = run;
	}
}

/* What is put into each run of the second side, in all its phases. */
struct shift {
	const char *name;
	double lateness_us, finish_ms, max_diff_ms;
	int overruns, missed;
};

static void add_real(json_t *thread, const char *key, double by)
{
	json_t *value = json_object_get(thread, key);

	if (json_is_real(value))
		json_real_set(value, json_real_value(value) + by);
}

static void add_count(json_t *thread, const char *key, int by)
{
	json_t *value = json_object_get(thread, key);

	assert_true(json_is_integer(value));
	json_integer_set(value, json_integer_value(value) + by);
}

static json_t *shifted(const json_t *run, const struct shift *shift)
{
	json_t *copy = json_deep_copy(run), *phase;
	size_t i;

	json_array_foreach(json_object_get(copy, "phases"), i, phase) {
		json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);

		add_real(thread, "lateness_p99_us", shift->lateness_us);
		add_real(thread, "finish_p99_ms", shift->finish_ms);
		add_real(thread, "max_diff_ms", shift->max_diff_ms);
		add_count(thread, "overruns", shift->overruns);
		add_count(thread, "missed_cycles", shift->missed);
	}
	return copy;
}

/* Compares the first n runs with the next n; how many `*` came out. */
static size_t stars(json_t *const *order, size_t n, const struct shift *shift)
{
	struct compare compare;
	size_t count = 0;

	compare_init(&compare);
	for (size_t i = 0; i < 2 * n; i++) {
		json_t *run = i >= n && shift ? shifted(order[i], shift) : json_incref(order[i]);

		assert_int_equal(compare_add(&compare, i < n ? "a" : "b", "run", run, NULL), 0);
		json_decref(run);
	}
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(compare.family, 10);
	for (size_t i = 0; i < compare.n_rows; i++)
		count += compare.rows[i].tests[1].mark == MARK_DIFFERENT;
	compare_free(&compare);
	return count;
}

/* In how many of so many random partings there is any `*`. */
static int fired(size_t n, int shuffles, const struct shift *shift, uint64_t seed)
{
	json_t *order[RUNS];
	int count = 0;

	memcpy(order, runs, sizeof(order));
	for (int i = 0; i < shuffles; i++) {
		shuffle(order, &seed);
		count += stars(order, n, shift) > 0;
	}
	return count;
}

static void labels_that_mean_nothing(void **state)
{
	static const size_t sizes[] = { 16, 8 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		int count = fired(sizes[i], SHUFFLES, NULL, 20261130);

		print_message("# %zu against %zu of one kernel: any `*` in %d of %d\n", sizes[i],
			      sizes[i], count, SHUFFLES);
		assert_true(count <= SHUFFLES * 5 / 100);
	}
}

static void shifts(void **state)
{
	static const struct shift cases[] = {
		{ "p99 lateness and finish 0.1 ms later", 100, 0.1, 0, 0, 0 },
		{ "max diff 3 ms longer", 0, 0, 3, 0, 0 },
		{ "2 overruns and 4 missed cycles more in 1024 cycles", 0, 0, 0, 2, 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		int count = fired(16, SHUFFLES / 5, &cases[i], 4711 + i);

		print_message("# 16 against 16, %s: any `*` in %d of %d\n", cases[i].name, count,
			      SHUFFLES / 5);
		assert_true(count >= SHUFFLES / 5 * 80 / 100);
	}
}

/* A family of 10 needs 6 a side: with 5, even a second of delay does not fire. */
static void too_few_runs(void **state)
{
	static const struct shift second = { "a second", 1e6, 1e3, 1e3, 1000, 500 };

	(void)state;
	assert_int_equal(fired(5, 20, &second, 1), 0);
	assert_int_equal(fired(6, 20, &second, 1), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_that_mean_nothing),
		cmocka_unit_test(shifts),
		cmocka_unit_test(too_few_runs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load_runs, free_runs);
}
