/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tests of each row, their correction as one family, and what a mark may be given for. */
#include "report/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

#define SEED 1999       /* of permutations that are drawn: every comparison can be repeated */
#define EQUAL_LENGTH 0.02

static const char no_figures[] = "not known on both sides";
static const char one_run[] = "one run a side";
static const char few_runs[] = "too few runs";
static const char conditions[] = "the conditions differ";
static const char lengths[] = "runs of unequal length";
static const char unknown_lengths[] = "length of the runs not known";
static const char below_floor[] = "below the floor";

/* ---- one test ---- */

static int test_counts(struct compare_test *test, const struct compare_cell *reference,
		       const struct compare_cell *side)
{
	struct stats_permutation permutation;
	struct stats_rates rates;
	int err;

	if (reference->n == 1 && side->n == 1) {
		rates = stats_rate_ratio(side->count, side->exposure, reference->count,
					 reference->exposure, COMPARE_CONFIDENCE);
		test->method = COMPARE_BINOMIAL;
		test->exact = true;
		test->effect = side->rates[0] - reference->rates[0];
		test->ratio = rates.ratio;
		test->interval = rates.interval;
		test->p = rates.p;
		return 0;
	}
	err = stats_permutation_test(side->rates, side->n, reference->rates, reference->n, SEED,
				     &permutation);
	if (err)
		return err;
	test->method = COMPARE_PERMUTATION;
	test->exact = permutation.exact;
	test->effect = permutation.difference;
	test->p = permutation.p;
	return 0;
}

static int test_ranks(struct compare_test *test, const struct compare_cell *reference,
		      const struct compare_cell *side)
{
	struct stats_rank_test ranks;
	int err;

	err = stats_hodges_lehmann(side->values, side->n, reference->values, reference->n,
				   COMPARE_CONFIDENCE, &test->effect, &test->interval);
	/* Of one run each, that they differ is all that can be said. */
	if (err || (reference->n == 1 && side->n == 1)) {
		test->interval = (struct stats_interval){ NAN, NAN, 0 };
		return err;
	}
	err = stats_mann_whitney(side->values, side->n, reference->values, reference->n,
				 STATS_TWO_SIDED, &ranks);
	if (err)
		return err;
	test->method = COMPARE_RANKS;
	test->exact = ranks.exact;
	test->p = ranks.p;
	return 0;
}

/* NULL where all runs are equally long, else why their maxima cannot be tested. */
static const char *unlike_lengths(const struct compare_cell *a, const struct compare_cell *b)
{
	double least = INFINITY, greatest = 0;

	for (size_t i = 0; i < a->n + b->n; i++) {
		double length = i < a->n ? a->exposures[i] : b->exposures[i - a->n];

		if (isnan(length))
			return unknown_lengths;
		least = fmin(least, length);
		greatest = fmax(greatest, length);
	}
	return greatest <= least * (1 + EQUAL_LENGTH) ? NULL : lengths;
}

static int make_test(const struct compare_metric *metric, struct compare_test *test,
		     const struct compare_cell *reference, const struct compare_cell *side)
{
	int err = 0;

	if (!reference->n || !side->n) {
		test->why = no_figures;
		return 0;
	}
	switch (metric->kind) {
	case COMPARE_COUNT:
		err = test_counts(test, reference, side);
		break;
	case COMPARE_MAXIMUM:
	case COMPARE_QUANTILE:
	case COMPARE_PLAIN:
		err = test_ranks(test, reference, side);
		break;
	}
	if (metric->kind == COMPARE_PLAIN) {
		test->method = COMPARE_NO_TEST;
		test->p = NAN;
	}
	if (metric->kind == COMPARE_MAXIMUM && test->method != COMPARE_NO_TEST)
		test->why = unlike_lengths(reference, side);
	if (test->why) {
		test->method = COMPARE_NO_TEST;
		test->p = NAN;
	}
	return err == -E2BIG ? 0 : err;
}

/* ---- rows ---- */

static double period_ms(const struct compare *compare)
{
	const json_t *run = json_array_get(compare->sides[0].runs, 0);

	return jx_number(json_object_get(run, "conditions"), "period_ms");
}

static int fill_row(struct compare *compare, struct compare_row *row)
{
	int err = 0;

	for (size_t i = 0; !err && i < compare->n_sides; i++)
		err = compare_fill_cell(&row->cells[i], row->metric, &compare->sides[i],
					row->phase);
	for (size_t i = 1; !err && i < compare->n_sides; i++) {
		struct compare_test *test = &row->tests[i];

		*test = (struct compare_test){ .effect = NAN, .interval = { NAN, NAN, 0 },
					       .ratio = NAN, .p = NAN, .p_adjusted = NAN };
		err = make_test(row->metric, test, &row->cells[0], &row->cells[i]);
		test->floor = compare_floor_of(row->metric, &row->cells[0], period_ms(compare));
		test->worse = row->metric->higher_is_better ? test->effect < 0 : test->effect > 0;
		test->flagged = compare_flagged(compare, row->phase, compare->sides[i].label);
	}
	return err;
}

static int fill_rows(struct compare *compare)
{
	int err = 0;

	compare->n_rows = 0;
	compare->rows = calloc(compare->n_phases * compare_n_metrics + 1,
			       sizeof(compare->rows[0]));
	if (!compare->rows)
		return -ENOMEM;
	for (size_t i = 0; !err && i < compare->n_phases; i++)
		for (size_t j = 0; !err && j < compare_n_metrics; j++) {
			struct compare_row *row = &compare->rows[compare->n_rows++];

			row->phase = compare->phases[i];
			row->metric = &compare_metrics[j];
			err = fill_row(compare, row);
		}
	return err;
}

/* ---- the family ---- */

/* Phases that both sides measured: what was run decides, not what came out. */
static bool measured(const struct compare_side *side, const char *phase)
{
	const json_t *run;
	size_t i;

	json_array_foreach(side->runs, i, run)
		if (json_array_size(json_object_get(compare_phase(run, phase), "threads")))
			return true;
	return false;
}

/* Tests of one phase of one side against the reference. */
static size_t tests_per_phase(void)
{
	size_t tests = 0;

	for (size_t i = 0; i < compare_n_metrics; i++)
		tests += compare_metrics[i].family;
	return tests;
}

static size_t runs_for(size_t family)
{
	size_t runs = stats_runs_needed(family, COMPARE_ALPHA);

	return runs > COMPARE_MIN_RUNS ? runs : COMPARE_MIN_RUNS;
}

size_t compare_runs_needed(size_t n_phases, size_t n_sides)
{
	return runs_for(n_sides ? tests_per_phase() * n_phases * (n_sides - 1) : 0);
}

static size_t family_size(const struct compare *compare)
{
	size_t pairs = 0;

	for (size_t i = 0; i < compare->n_phases; i++)
		for (size_t j = 1; j < compare->n_sides; j++)
			pairs += measured(&compare->sides[0], compare->phases[i]) &&
				 measured(&compare->sides[j], compare->phases[i]);
	return tests_per_phase() * pairs;
}

static int adjust(struct compare *compare)
{
	size_t n = 0, most = compare->n_rows * compare->n_sides;
	/* An array of pointers. NOLINTNEXTLINE(bugprone-sizeof-expression) */
	struct compare_test **tests = calloc(most + 1, sizeof(tests[0]));
	double *p = calloc(most + 1, sizeof(p[0])), *adjusted = calloc(most + 1, sizeof(p[0]));
	int err = tests && p && adjusted ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < compare->n_rows; i++)
		for (size_t j = 1; compare->rows[i].metric->family && j < compare->n_sides; j++) {
			tests[n] = &compare->rows[i].tests[j];
			p[n] = tests[n]->p;
			n++;
		}
	if (!err)
		err = stats_holm(p, n, compare->family, adjusted);
	for (size_t i = 0; !err && i < n; i++)
		tests[i]->p_adjusted = adjusted[i];
	free(tests);
	free(p);
	free(adjusted);
	return err;
}

/* ---- marks ---- */

static const char *cannot_tell(const struct compare *compare, const struct compare_test *test,
			       size_t n_reference, size_t n)
{
	if (!n_reference || !n)
		return no_figures;
	if (json_array_size(compare->refusals))
		return conditions;
	if (n_reference == 1 && n == 1)
		return one_run;
	if (isnan(test->p_adjusted))
		return test->why ? test->why : no_figures;
	if (n_reference < COMPARE_MIN_RUNS || n < COMPARE_MIN_RUNS ||
	    stats_least_p(n_reference, n) * (double)compare->family >= COMPARE_ALPHA)
		return few_runs;
	return NULL;
}

static void mark(const struct compare *compare, struct compare_row *row, size_t side)
{
	struct compare_test *test = &row->tests[side];

	if (!row->metric->family)
		return;
	test->why = cannot_tell(compare, test, row->cells[0].n, row->cells[side].n);
	test->too_few = test->why == one_run || test->why == few_runs;
	if (test->why)
		test->mark = MARK_CANNOT_TELL;
	else if (!(test->p_adjusted < COMPARE_ALPHA))
		test->mark = MARK_NOT_SHOWN;
	else if (fabs(test->effect) >= test->floor)
		test->mark = MARK_DIFFERENT;
	else if (isnan(test->effect)) {
		test->mark = MARK_CANNOT_TELL;
		test->why = no_figures;
	} else {
		test->mark = MARK_NOT_SHOWN;
		test->why = below_floor;
	}
}

size_t compare_worse(const struct compare *compare)
{
	size_t worse = 0;

	for (size_t i = 0; i < compare->n_rows; i++)
		for (size_t j = 1; j < compare->n_sides; j++)
			worse += compare->rows[i].tests[j].mark == MARK_DIFFERENT &&
				 compare->rows[i].tests[j].worse;
	return worse;
}

/* ---- all of it ---- */

static int add_phase(struct compare *compare, const char *name)
{
	const char **phases;

	for (size_t i = 0; i < compare->n_phases; i++)
		if (!strcmp(compare->phases[i], name))
			return 0;
	phases = realloc(compare->phases, (compare->n_phases + 1) * sizeof(phases[0]));
	if (!phases)
		return -ENOMEM;
	phases[compare->n_phases++] = name;
	compare->phases = phases;
	return 0;
}

static int list_phases(struct compare *compare)
{
	const json_t *run, *phase;
	size_t i, j;
	int err = 0;

	for (size_t side = 0; side < compare->n_sides; side++)
		json_array_foreach(compare->sides[side].runs, i, run)
			json_array_foreach(json_object_get(run, "phases"), j, phase)
				if (!err && json_is_string(json_object_get(phase, "name")))
					err = add_phase(compare, jx_text(phase, "name"));
	return err;
}

static int evaluate(struct compare *compare)
{
	int err = fill_rows(compare);

	compare->family = family_size(compare);
	compare->runs_needed = runs_for(compare->family);
	if (!err)
		err = adjust(compare);
	for (size_t i = 0; !err && i < compare->n_rows; i++)
		for (size_t j = 1; j < compare->n_sides; j++)
			mark(compare, &compare->rows[i], j);
	return err;
}

int compare_evaluate(struct compare *compare, struct fault *fault)
{
	int err;

	if (compare->n_sides < 2)
		return fault_set(fault, -EINVAL, "there is one side only (%s): nothing to compare "
						 "it with",
				 compare->n_sides ? compare->sides[0].label : "none");
	compare->refusals = json_array();
	compare->flags = json_array();
	compare->notes = json_array();
	err = list_phases(compare);
	if (!err)
		err = compare_list_differences(compare);
	if (!err)
		compare_check(compare);
	if (!err && json_array_size(compare->refusals) && !compare->force)
		return fault_set(fault, -EPERM, "this is no comparison: %s",
				 json_string_value(json_array_get(compare->refusals, 0)));
	if (!err)
		err = evaluate(compare);
	if (err)
		return fault_set(fault, err, "compare: %s", strerror(-err));
	if (!compare->family)
		return fault_set(fault, -EINVAL, "no phase was measured on both sides");
	compare_add_notes(compare);
	return 0;
}
