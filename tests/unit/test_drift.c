/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rank correlation, and drift over the sequence of a sweep. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "report/stats.h"
#include "sweep/drift.h"
#include "util/jx.h"

static struct stats_spearman test_of(const double *x, const double *y, size_t n)
{
	struct stats_spearman test;

	assert_int_equal(stats_spearman(x, y, n, 0, &test), 0);
	return test;
}

static void near(double got, double wanted, double tolerance)
{
	assert_case(fabs(got - wanted) <= tolerance, "got %.10g, wanted %.10g", got, wanted);
}

static const double sequence[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

/* rho by hand from 1 - 6 sum(d^2) / (n (n^2 - 1)); p by counting all orders in another language. */
static void exact(void **state)
{
	static const double swapped[] = { 2, 1, 4, 3, 5 }, reverse[] = { 9, 7, 5, 1 };
	static const double eight[] = { 3, 1, 2, 6, 4, 8, 5, 7 };
	static const double ties[] = { 1, 1, 2, 5, 4, 4, 9 };
	struct stats_spearman got = test_of(sequence, swapped, 5);

	(void)state;
	near(got.rho, .8, 1e-12);
	near(got.p, 16 / 120., 1e-12);
	assert_true(got.exact && !got.ties);
	got = test_of(sequence, reverse, 4);
	near(got.rho, -1, 1e-12);
	near(got.p, 2 / 24., 1e-12);
	got = test_of(sequence, eight, 8);
	near(got.rho, 1 - 6 * 20 / 504., 1e-12);
	near(got.p, 1482 / 40320., 1e-12);
	got = test_of(sequence, ties, 7);
	near(got.rho, .8728715609, 1e-9);
	near(got.p, 96 / 5040., 1e-12);
	assert_true(got.exact && got.ties);
	/* The other way round it is the same. */
	got = test_of(ties, sequence, 7);
	near(got.p, 96 / 5040., 1e-12);
}

static void approximate(void **state)
{
	static const double pairs[] = { 2, 1, 4, 3, 6, 5, 8, 7, 10, 9 };
	static const double steps[] = { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1 };
	struct stats_spearman got = test_of(sequence, pairs, 10);

	(void)state;
	assert_false(got.exact);
	near(got.rho, 1 - 60 / 990., 1e-12);
	near(got.p, 5.484052998e-05, 1e-12);
	/* With two constants taken out: as for 8 values of the same correlation. */
	assert_int_equal(stats_spearman(sequence, pairs, 10, 2, &got), 0);
	near(got.p, 0.0005315393153201354, 1e-12);
	assert_int_equal(stats_spearman(sequence, pairs, 5, 1, &got), 0);
	assert_false(got.exact);
	/* A perfect one is no impossibility. */
	got = test_of(sequence, sequence, 10);
	near(got.rho, 1, 1e-12);
	near(got.p, 2 / 3628800., 1e-15);
	near(stats_spearman_least_p(10), 2 / 3628800., 1e-15);
	near(stats_spearman_least_p(1), 1, 0);
	/* Nor with ties: so many orders are the same as this one, 5! 5! of 10!. */
	got = test_of(steps, steps, 10);
	near(got.rho, 1, 1e-12);
	near(got.p, 1 / 252., 1e-12);
	got = test_of(sequence, steps, 10);
	near(got.p, 1 / 252., 1e-12);
	assert_true(got.ties && !got.exact);
}

/* With equal values fewer orders differ, and the clearest of them is the likelier by chance. */
static void perfect_with_ties(void **state)
{
	static const double halves[] = { -1, 1, -1, 1 };
	static const double pairs[] = { 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 };
	struct stats_spearman got;

	(void)state;
	assert_int_equal(stats_spearman(halves, halves, 4, 1, &got), 0);
	near(got.rho, 1, 1e-12);
	assert_case(got.p >= 2 * 2 / 24. - 1e-12, "got p %g", got.p);
	got = test_of(pairs, pairs, 10);
	near(got.rho, 1, 1e-12);
	near(got.p, 32 / 3628800., 1e-12);
}

static void odd_values(void **state)
{
	static const double infinite[] = { -INFINITY, 1, INFINITY, INFINITY },
			    same[] = { 3, 3, 3, 3 };
	static const double broken[] = { 1, NAN, 2, 3 };
	struct stats_spearman got = test_of(sequence, infinite, 4);

	(void)state;
	near(got.rho, .9486832981, 1e-9);
	got = test_of(sequence, same, 4);
	assert_true(isnan(got.rho) && isnan(got.p));
	assert_int_equal(stats_spearman(sequence, broken, 4, 0, &got), -EINVAL);
	assert_int_equal(stats_spearman(sequence, sequence, 2, 0, &got), -EINVAL);
	assert_int_equal(stats_spearman(sequence, sequence, 4, 2, &got), -EINVAL);
}

/* ---- drift ---- */

#define LABELS 4
#define RUNS 7

struct sweep_data {
	struct plan plan;
	json_t *runs[LABELS * RUNS];
};

/* One run: lateness p99 as given (infinite: missed), the rest without a trend. */
static json_t *run_with(double lateness_us, double other)
{
	json_t *text = isinf(lateness_us) ? json_string("missed") : json_real(lateness_us);

	return json_pack("{s:[{s:s,s:s,s:[{s:i,s:i,s:i,s:o,s:f,s:f}]}]}", "phases", "name",
			 "diskread", "status", "valid", "threads", "overruns", 0, "missed_cycles",
			 0, "expected_cycles", 1000, "lateness_p99_us", text, "finish_p99_ms",
			 other, "max_diff_ms", other);
}

/* Labels 100 us apart, a trend of so many us a run, noise of 1 us. */
static void make_data(struct sweep_data *data, enum plan_order order, double trend,
		      double missed_from)
{
	uint64_t random = 17;

	memset(data, 0, sizeof(*data));
	data->plan.n_labels = LABELS;
	data->plan.runs = RUNS;
	data->plan.order = order;
	data->plan.seed = 3;
	assert_int_equal(plan_make(&data->plan), 0);
	for (size_t i = 0; i < data->plan.n; i++) {
		double noise = (double)unit_random_in(&random, 0, 1000) / 1000;
		double other = (double)unit_random_in(&random, 0, 1000);
		double lateness = 100 * (double)data->plan.positions[i] + trend * (double)i + noise;

		data->runs[i] = run_with((double)i >= missed_from ? INFINITY : lateness, other);
	}
}

static void free_data(struct sweep_data *data)
{
	for (size_t i = 0; i < data->plan.n; i++)
		json_decref(data->runs[i]);
	plan_free(&data->plan);
}

static const json_t *find(const json_t *drift, const char *metric)
{
	const json_t *test;
	size_t i;

	json_array_foreach(drift, i, test)
		if (!strcmp(jx_text(test, "metric"), metric))
			return test;
	fail_msg("no %s", metric);
	return NULL;
}

static void check(struct sweep_data *data, bool shown, const char *words)
{
	json_t *drift = drift_test(&data->plan, data->runs), *lines;
	const json_t *test;
	size_t i;

	assert_int_equal(json_array_size(drift), 4);
	json_array_foreach(drift, i, test)
		assert_case(json_is_true(json_object_get(test, "shown")) ==
				    (shown && test == find(drift, "lateness p99")),
			    "%s", jx_text(test, "metric"));
	/* Zero overruns have no trend to be tested; they count in the correction nevertheless. */
	assert_true(json_is_null(json_object_get(find(drift, "overruns and missed cycles"), "p")));
	if (shown)
		near(jx_number(find(drift, "lateness p99"), "p_adjusted"),
		     4 * jx_number(find(drift, "lateness p99"), "p"), 1e-15);
	lines = drift_sentences(drift, &data->plan);
	assert_int_equal(json_array_size(lines), 1);
	assert_case(strstr(json_string_value(json_array_get(lines, 0)), words) != NULL, "%s",
		    json_string_value(json_array_get(lines, 0)));
	json_decref(lines);
	json_decref(drift);
	free_data(data);
}

static void injected(void **state)
{
	struct sweep_data data;

	(void)state;
	make_data(&data, PLAN_INTERLEAVED, 1, INFINITY);
	check(&data, true, "drift: lateness p99 of diskread rose over the sweep");
	make_data(&data, PLAN_INTERLEAVED, 1, INFINITY);
	check(&data, true, "it favours no label");
	make_data(&data, PLAN_INTERLEAVED, -1, INFINITY);
	check(&data, true, "fell");
	/* In blocks only what changes within labels can be told from them. */
	make_data(&data, PLAN_BLOCKS, 2, INFINITY);
	check(&data, true, "repeat with --order interleaved");
	/* Into missed cycles: infinite values are ranks as well. */
	make_data(&data, PLAN_INTERLEAVED, 0, 16);
	check(&data, true, "rose");
}

/* What labels differ in is no drift, in neither order. */
static void none_injected(void **state)
{
	struct sweep_data data;

	(void)state;
	make_data(&data, PLAN_INTERLEAVED, 0, INFINITY);
	check(&data, false, "no drift shown");
	make_data(&data, PLAN_BLOCKS, 0, INFINITY);
	check(&data, false, "no drift shown");
	make_data(&data, PLAN_INTERLEAVED, 0, 0);
	check(&data, false, "no drift shown");
}

static void assert_sentence(const struct plan *plan, json_t *const *runs, const char *wanted)
{
	json_t *drift = drift_test(plan, runs), *lines = drift_sentences(drift, plan);

	assert_string_equal(json_string_value(json_array_get(lines, 0)), wanted);
	json_decref(lines);
	json_decref(drift);
}

static void too_few(void **state)
{
	/* 4 * 2 / 5! is .067, 4 * 2 / 6! is .011. */
	static const char four[] = "drift: cannot tell: 4 runs are too few for it (it takes 6)";
	struct plan once = { .n_labels = 8, .runs = 1, .n = 8 };
	struct sweep_data data;
	json_t *invalid;

	(void)state;
	make_data(&data, PLAN_INTERLEAVED, 1, INFINITY);
	data.plan.n = 4;
	assert_sentence(&data.plan, data.runs, four);
	/* One run of each of many labels: any trend may be that of the labels. */
	assert_int_equal(plan_make(&once), 0);
	assert_sentence(&once, data.runs,
			"drift: cannot tell: 8 runs are too few for it (it takes 10)");
	plan_free(&once);
	/* Runs whose phase is invalid do not count. */
	data.plan.n = LABELS * RUNS;
	for (size_t i = 4; i < data.plan.n; i++) {
		invalid = json_array_get(json_object_get(data.runs[i], "phases"), 0);
		json_object_set_new(invalid, "status", json_string("invalid"));
	}
	assert_sentence(&data.plan, data.runs, four);
	free_data(&data);
}

/* A run without a result, a phase that does not count. */
static void gaps(void **state)
{
	struct sweep_data data;
	json_t *drift;

	(void)state;
	make_data(&data, PLAN_INTERLEAVED, 1, INFINITY);
	json_decref(data.runs[3]);
	data.runs[3] = NULL;
	jx_put_text(json_array_get(json_object_get(data.runs[5], "phases"), 0), "status",
		    "invalid");
	drift = drift_test(&data.plan, data.runs);
	assert_int_equal(jx_count(find(drift, "lateness p99"), "n"), LABELS * RUNS - 2);
	json_decref(drift);
	free_data(&data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact), cmocka_unit_test(approximate),
		cmocka_unit_test(perfect_with_ties),
		cmocka_unit_test(odd_values), cmocka_unit_test(injected),
		cmocka_unit_test(none_injected), cmocka_unit_test(too_few),
		cmocka_unit_test(gaps),
	};

	return unit_run(tests);
}
