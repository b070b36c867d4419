/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the gaps of the spin test are taken for, and what is made of them. */
#include "doctor/text.h"
#include "visit.h"

#define MS 1000000LL
#define US 1000LL

static const struct spin_budget throttling[] = { { "sched_rt_runtime_us", 950 * MS, 1000 * MS } };

static struct spin sorted(int priority, const struct spin_gap *gap, size_t n,
			  const struct spin_budget *budget, size_t n_budgets)
{
	struct spin spin = { .priority = priority, .elapsed_ns = 1200 * MS };

	spin_sort(&spin, gap, n, budget, n_budgets);
	return spin;
}

static void noise_is_counted(void **state)
{
	const struct spin_gap gaps[] = { { 10 * MS, 30 * US }, { 20 * MS, 90 * US }, { 30 * MS,
										       21 * US } };
	struct spin spin = sorted(80, gaps, COUNT(gaps), throttling, 1);

	(void)state;
	assert_int_equal(spin.gaps, 3);
	assert_int_equal(spin.longest_ns, 90 * US);
	assert_int_equal(spin.lost_ns, 141 * US);
	assert_int_equal(spin.throttlings, 0);
}

/* As it was seen: the kernel notices at a tick, up to 10 ms late. */
static void throttling_is_no_noise(void **state)
{
	const struct spin_gap gaps[] = { { 10 * MS, 30 * US }, { 951 * MS, 52 * MS }, { 1100 * MS,
											40 * US },
					 { 1953 * MS, 50 * MS } };
	struct spin spin = sorted(80, gaps, COUNT(gaps), throttling, 1);

	(void)state;
	assert_int_equal(spin.gaps, 2);
	assert_int_equal(spin.lost_ns, 70 * US);
	assert_int_equal(spin.throttlings, 2);
	assert_int_equal(spin.throttled_ns, 102 * MS);
	assert_int_equal(spin.throttling.at_ns, 951 * MS);
	assert_int_equal(spin.throttling.ns, 52 * MS);
	assert_string_equal(spin.rule.name, "sched_rt_runtime_us");
}

static void other_long_gaps_are_noise(void **state)
{
	const struct spin_gap cases[] = {
		{ 930 * MS, 24 * MS },  /* shorter than the kernel's */
		{ 951 * MS, 68 * MS },  /* longer */
		{ 400 * MS, 50 * MS },  /* too soon after the start */
		{ 2100 * MS, 50 * MS }, /* too late */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct spin spin = sorted(80, &cases[i], 1, throttling, 1);

		assert_case(spin.gaps == 1 && !spin.throttlings, "case %zu", i);
		assert_int_equal(spin.longest_ns, cases[i].ns);
	}
	/* The kernel's period may have begun before: a shorter gap when the runtime is used up. */
	{
		const struct spin_gap gaps[] = { { 955 * MS, 20 * MS }, { 1925 * MS, 20 * MS } };
		struct spin spin = sorted(80, gaps, COUNT(gaps), throttling, 1);

		assert_int_equal(spin.throttlings, 1);
		assert_int_equal(spin.gaps, 1);
		assert_int_equal(sorted(80, &(struct spin_gap){ 955 * MS, 4 * MS }, 1, throttling,
					1).gaps, 1);
		assert_int_equal(sorted(80, &(struct spin_gap){ 900 * MS, 20 * MS }, 1, throttling,
					1).gaps, 1);
	}
	/* Others may have had some of the runtime before. */
	assert_int_equal(sorted(80, &(struct spin_gap){ 905 * MS, 44 * MS }, 1, throttling, 1)
				 .throttlings,
			 1);
	assert_int_equal(sorted(80, &(struct spin_gap){ 755 * MS, 44 * MS }, 1, throttling, 1)
				 .throttlings,
			 0);
	/* The burn counts from the last throttling on. */
	{
		const struct spin_gap gaps[] = { { 950 * MS, 50 * MS }, { 1300 * MS, 50 * MS } };
		struct spin spin = sorted(80, gaps, COUNT(gaps), throttling, 1);

		assert_int_equal(spin.throttlings, 1);
		assert_int_equal(spin.gaps, 1);
	}
}

static void only_real_time_tasks_are_throttled(void **state)
{
	const struct spin_gap gap = { 951 * MS, 52 * MS };
	struct spin spin = sorted(0, &gap, 1, throttling, 1);

	(void)state;
	assert_int_equal(spin.throttlings, 0);
	assert_int_equal(spin.gaps, 1);
	spin = sorted(80, &gap, 1, throttling, 0);
	assert_int_equal(spin.throttlings, 0);
}

/* ---- which rules are in force ---- */

static size_t budgets(const char *release, bool group_sched, const char *runtime,
		      struct spin_budget budget[SPIN_BUDGETS])
{
	const struct environment_params environment = { .dir = "/nonexistent", .cpu = -1 };
	struct doctor_params params = { .load = 0.8 };
	json_t *facts;
	size_t n;

	tree_put("/proc/sys/kernel/osrelease", release);
	tree_put("/proc/config.gz", group_sched ? "CONFIG_RT_GROUP_SCHED=y" : "CONFIG_HZ=250");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", runtime);
	facts = environment_collect(&environment);
	params.environment = facts;
	n = spin_budgets(&params, budget);
	json_decref(facts);
	return n;
}

static void rules_by_kernel(void **state)
{
	struct spin_budget budget[SPIN_BUDGETS];

	(void)state;
	machine_studio();
	assert_int_equal(budgets("6.1.0", false, "950000", budget), 1);
	assert_string_equal(budget[0].name, "sched_rt_runtime_us");
	assert_int_equal(budget[0].runtime_ns, 950 * MS);
	assert_int_equal(budget[0].period_ns, 1000 * MS);
	assert_int_equal(budgets("6.1.0", false, "-1", budget), 0);
	assert_int_equal(budgets("6.1.0", false, "1000000", budget), 0);
	/* From 6.12 on: the fair server, and throttling only with groups. */
	assert_int_equal(budgets("6.12.0", false, "950000", budget), 1);
	assert_string_equal(budget[0].name, "the fair server");
	assert_int_equal(budget[0].runtime_ns, 950 * MS);
	assert_int_equal(budgets("6.18.44", true, "950000", budget), 2);
	/* Its usual values where debugfs is shut. */
	tree_remove("/sys/kernel/debug/sched/fair_server/cpu0/runtime");
	assert_int_equal(budgets("7.0.1", false, "-1", budget), 1);
	assert_int_equal(budget[0].period_ns - budget[0].runtime_ns, 50 * MS);
}

static void the_group_has_a_rule_of_its_own(void **state)
{
	struct spin_budget budget[SPIN_BUDGETS];

	(void)state;
	machine_studio();
	tree_put("/proc/self/cgroup", "3:cpu:/audio");
	tree_put("/proc/self/mountinfo", "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup "
		 "rw,cpu");
	tree_put("/sys/fs/cgroup/cpu/audio/cpu.rt_period_us", "100000");
	tree_put("/sys/fs/cgroup/cpu/audio/cpu.rt_runtime_us", "60000");
	assert_int_equal(budgets("6.1.0", true, "950000", budget), 2);
	assert_string_equal(budget[1].name, "the control group's cpu.rt_runtime_us");
	assert_int_equal(budget[1].runtime_ns, 60 * MS);
	/* No budget is enforced while throttling is off. */
	assert_int_equal(budgets("6.1.0", true, "-1", budget), 0);
}

/* ---- what is said ---- */

static void gaps_that_are_too_long(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	visit.spin.gaps = 2;
	visit.spin.longest_ns = 100 * US;
	visit.spin.lost_ns = 130 * US;
	expect(visit, "noise", "good", false,
	       "SCHED_FIFO 80 on CPU 1 for 1.2 s: 2 gaps above 20 us", "");
	visit = usual();
	visit.spin.gaps = 1;
	visit.spin.longest_ns = visit.spin.lost_ns = 9 * MS;
	visit.spin.waited_ns = 9 * MS;
	expect(visit, "noise", "not good", true, "other tasks 9 ms", "a task of higher priority");
	visit = usual();
	visit.spin.gaps = 1;
	visit.spin.longest_ns = visit.spin.lost_ns = 9 * MS;
	visit.spin.steal_ns = 10 * MS;
	expect(visit, "noise", "not good", true, "steal 10 ms", "the host");
	visit = usual();
	visit.spin.gaps = 3;
	visit.spin.longest_ns = visit.spin.lost_ns = 9 * MS;
	visit.spin.interrupts = 2;
	expect(visit, "noise", "not good", true, "2 interrupts", "more gaps than interrupts");
	visit = usual();
	visit.spin.gaps = 300;
	visit.spin.longest_ns = 21 * US;
	visit.spin.lost_ns = 300 * 21 * US;
	visit.spin.interrupts = 300;
	expect(visit, "noise", "not good", true, "0.53 % of the time", "smp_affinity");
	/* Under an ordinary policy gaps are the others' turns: nothing is proven. */
	visit = usual();
	visit.spin.priority = 0;
	visit.spin.gaps = 1;
	visit.spin.longest_ns = visit.spin.lost_ns = 9 * MS;
	expect(visit, "noise", "unknown", false, "ordinary policy (SCHED_FIFO is refused)", "");
	visit = usual();
	visit.has_spin = false;
	expect(visit, "noise", "unknown", false, "was not made", "");
}

/* Time waited while throttled was not given to other tasks. */
static void throttled_time_is_not_the_others(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	visit.spin.waited_ns = visit.spin.throttled_ns = 52 * MS;
	visit.spin.throttlings = 1;
	expect(visit, "noise", "good", false, "other tasks 0 ms", "");
}

static void throttling_against_the_load(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	expect(visit, "throttled", "good", false, "no gap of its kind in 1.2 s", "");
	visit = usual();
	visit.spin.throttlings = 1;
	visit.spin.throttling = (struct spin_gap){ 951 * MS, 52 * MS };
	visit.spin.rule = throttling[0];
	expect(visit, "throttled", "good", false, "52.0 ms after 951 ms, as sched_rt_runtime_us "
	       "makes it",
	       "");
	visit.params.load = 0.95;
	visit.rtc = visit.directory = NULL;
	expect(visit, "throttled", "not good", true, "load 0.95 is asked", "a larger budget");
	visit = usual();
	visit.spin.priority = 0;
	expect(visit, "throttled", "unknown", false, "SCHED_FIFO is refused", "");
}

/* ---- text ---- */

static char *text_of_findings(const json_t *findings, enum doctor_detail detail)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	doctor_text(out, findings, detail, 60);
	fclose(out);
	return text;
}

static json_t *made_up(const char *title, const char *status, bool spoils)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "group", "G", "title", title,
			 "status",
			 status, "evidence", "word after word after word after word after word",
			 "why",
			 "because", "cure", strcmp(status, "good") ? "do this" : "",
			 "spoils_results", spoils);
}

static void text_in_lines(void **state)
{
	json_t *findings = json_pack("[o, o, o, o]", made_up("a", "good", false),
				     made_up("b", "not good", false), made_up("c", "not "
									      "good", true),
				     made_up("d", "unknown", false));
	char *text = text_of_findings(findings, DOCTOR_NORMAL);

	(void)state;
	assert_case(!strncmp(text, "G\ngood      a: word after word after word after word after\n"
				   "            word\nnot good  b: word", 78), "%s", text);
	/* What spoils comes first in the verdict. */
	assert_case(strstr(text, "\n1 good, 2 not good, 1 unknown. What matters most: c, b.\n"),
		    "%s", text);
	assert_case(strstr(text, "\n        why: because\n       cure: do this\nunknown   d: "),
		    "%s", text);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_case(strcspn(line, "\n") <= 60, "%s", line);
	free(text);
	text = text_of_findings(findings, DOCTOR_BRIEF);
	assert_null(strstr(text, "a: "));
	assert_null(strstr(text, "d: "));
	assert_non_null(strstr(text, "not good  c: "));
	free(text);
	json_decref(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_counted),
		cmocka_unit_test(throttling_is_no_noise),
		cmocka_unit_test(other_long_gaps_are_noise),
		cmocka_unit_test(only_real_time_tasks_are_throttled),
		ON(rules_by_kernel),
		ON(the_group_has_a_rule_of_its_own),
		ON(gaps_that_are_too_long),
		ON(throttled_time_is_not_the_others),
		ON(throttling_against_the_load),
		cmocka_unit_test(text_in_lines),
	};

	return unit_run(tests);
}
