/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans of sweeps: labels, blocks, the order that a seed makes. */
#include "unit.h"

#include <errno.h>

#include "sweep/plan.h"
#include "sweep/settings.h"

static struct plan_words words(const char *a, const char *b, const char *c, const char *d)
{
	const char *all[] = { a, b, c, d };
	struct plan_words list = { .n = 0 };

	for (size_t i = 0; i < 4 && all[i]; i++)
		strcpy(list.words[list.n++], all[i]);
	return list;
}

static void labels(void **state)
{
	static const char *const both[] = { "bfq+none", "bfq+full", "kyber+none", "kyber+full" };
	struct plan_words elevators = words("bfq", "kyber", NULL, NULL), nothing = { .n = 0 };
	struct plan_words preempts = words("none", "full", NULL, NULL);
	struct plan plan = { .n = 0 };

	(void)state;
	assert_int_equal(plan_set_labels(&plan, &elevators, &preempts), 0);
	assert_int_equal(plan.n_labels, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(plan.labels[i].name, both[i]);
	assert_string_equal(plan.labels[1].elevator, "bfq");
	assert_string_equal(plan.labels[1].preempt, "full");

	assert_int_equal(plan_set_labels(&plan, &elevators, &nothing), 0);
	assert_int_equal(plan.n_labels, 2);
	assert_string_equal(plan.labels[0].name, "bfq");
	assert_string_equal(plan.labels[0].preempt, "");

	assert_int_equal(plan_set_labels(&plan, &nothing, &preempts), 0);
	assert_string_equal(plan.labels[1].name, "full");
	assert_string_equal(plan.labels[1].elevator, "");

	assert_int_equal(plan_set_labels(&plan, &nothing, &nothing), 0);
	assert_int_equal(plan.n_labels, 1);
	assert_string_equal(plan.labels[0].name, "run");

	elevators.n = 8;
	preempts.n = 2;
	assert_int_equal(plan_set_labels(&plan, &elevators, &preempts), 0);
	elevators.n = 9;
	assert_int_equal(plan_set_labels(&plan, &elevators, &preempts), -E2BIG);
}

static void make(struct plan *plan, size_t n_labels, size_t runs, enum plan_order order,
		 int64_t seed)
{
	plan->n_labels = n_labels;
	plan->runs = runs;
	plan->order = order;
	plan->seed = seed;
	assert_int_equal(plan_make(plan), 0);
	assert_int_equal(plan->n, n_labels * runs);
}

static void in_blocks(void **state)
{
	struct plan plan = { .n = 0 };

	(void)state;
	make(&plan, 3, 2, PLAN_BLOCKS, 5);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(plan.positions[i], i / 2);
		assert_int_equal(plan_block(&plan, i), i / 2);
	}
	assert_int_equal(plan_n_blocks(&plan), 3);
	plan_free(&plan);
}

/*
 * By an implementation of its own in another language, from the published splitmix64 (whose first
 * numbers from seed 1234567 are 6457827717110365317, 3203168211198807973) and Fisher and Yates.
 */
static void order_of_a_seed(void **state)
{
	static const size_t wanted_7[] = { 1, 2, 0, 3, 0, 2, 1, 3, 3, 1, 0, 2 };
	static const size_t wanted_0[] = { 2, 3, 1, 4, 0, 1, 0, 3, 4, 2 };
	struct plan plan = { .n = 0 };

	(void)state;
	make(&plan, 4, 3, PLAN_INTERLEAVED, 7);
	assert_memory_equal(plan.positions, wanted_7, sizeof(wanted_7));
	assert_int_equal(plan_block(&plan, 3), 0);
	assert_int_equal(plan_block(&plan, 4), 1);
	assert_int_equal(plan_n_blocks(&plan), 3);
	plan_free(&plan);
	make(&plan, 5, 2, PLAN_INTERLEAVED, 0);
	assert_memory_equal(plan.positions, wanted_0, sizeof(wanted_0));
	plan_free(&plan);
}

static void complete_blocks(void **state)
{
	uint64_t random = 99;

	(void)state;
	for (int i = 0; i < 200; i++) {
		size_t n_labels = (size_t)unit_random_in(&random, 1, PLAN_MAX_LABELS);
		size_t runs = (size_t)unit_random_in(&random, 1, 20);
		struct plan plan = { .n = 0 };

		make(&plan, n_labels, runs, PLAN_INTERLEAVED,
		     unit_random_in(&random, 0, PLAN_MAX_SEED));
		for (size_t block = 0; block < runs; block++) {
			unsigned int seen = 0;

			for (size_t j = 0; j < n_labels; j++)
				seen |= 1u << plan.positions[block * n_labels + j];
			assert_case(seen == (1u << n_labels) - 1, "block %zu of %zu labels", block,
				    n_labels);
		}
		plan_free(&plan);
	}
}

/* Each of the 6 orders of 3 labels is as likely: chi-square with 5 degrees of freedom. */
static void fair_orders(void **state)
{
	double seen[27] = { 0 }, expected = PLAN_MAX_RUNS * 60 / 6.0, chi_square = 0;
	size_t orders = 0;

	(void)state;
	for (int64_t seed = 0; seed < 60; seed++) {
		struct plan plan = { .n = 0 };

		make(&plan, 3, PLAN_MAX_RUNS, PLAN_INTERLEAVED, seed);
		for (size_t i = 0; i < plan.n; i += 3)
			seen[plan.positions[i] * 9 + plan.positions[i + 1] * 3 +
			     plan.positions[i + 2]]++;
		plan_free(&plan);
	}
	for (size_t i = 0; i < COUNT(seen); i++) {
		orders += seen[i] > 0;
		chi_square +=
			seen[i] > 0 ? (seen[i] - expected) * (seen[i] - expected) / expected : 0;
	}
	assert_int_equal(orders, 6);
	/* Its 99.9 % quantile. */
	assert_case(chi_square < 20.5, "%g", chi_square);
}

static void lists(void **state)
{
	struct plan_words got;
	struct fault fault;

	(void)state;
	assert_int_equal(settings_parse_elevators("noop,deadline,cfq,kyber", &got, &fault), 0);
	assert_int_equal(got.n, 4);
	assert_string_equal(got.words[0], "none");
	assert_string_equal(got.words[1], "mq-deadline");
	assert_string_equal(got.words[2], "bfq");
	assert_string_equal(got.words[3], "kyber");
	assert_int_equal(settings_parse_elevators("all", &got, &fault), 0);
	assert_int_equal(got.n, 0);
	assert_int_equal(settings_parse_elevators("bfq,as", &got, &fault), -EINVAL);
	assert_int_equal(settings_parse_elevators("bfq,cfq", &got, &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "cfq: named twice under another name"));
	assert_int_equal(settings_parse_elevators("bfq,", &got, &fault), -EINVAL);
	assert_int_equal(settings_parse_preempts("none,full", &got, &fault), 0);
	assert_int_equal(settings_parse_preempts("full,none,full", &got, &fault), -EINVAL);
	assert_int_equal(settings_parse_preempts("", &got, &fault), -EINVAL);
	assert_int_equal(
		settings_parse_preempts("0123456789012345678901234567890123", &got, &fault),
		-EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels),	  cmocka_unit_test(in_blocks),
		cmocka_unit_test(order_of_a_seed), cmocka_unit_test(complete_blocks),
		cmocka_unit_test(fair_orders),	  cmocka_unit_test(lists),
	};

	return unit_run(tests);
}
