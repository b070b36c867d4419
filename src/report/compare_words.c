/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all writers say alike: values, marks, notes, the legend. */
#include "report/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

#define PER 1e5 /* cycles that a rate is told for */

const char *compare_mark_text(const struct compare_test *test)
{
	static const char *const plain[] = { "", "*", "~", "?" };
	static const char *const flagged[] = { "!", "*!", "~!", "?!" };

	return test->flagged ? flagged[test->mark] : plain[test->mark];
}

const char *compare_method_name(const struct compare_test *test)
{
	switch (test->method) {
	case COMPARE_BINOMIAL:
		return "conditional binomial";
	case COMPARE_PERMUTATION:
		return test->exact ? "permutation of runs, exact" : "permutation of runs, drawn";
	case COMPARE_RANKS:
		return test->exact ? "Mann-Whitney, exact" : "Mann-Whitney, normal";
	case COMPARE_NO_TEST:
		break;
	}
	return "none";
}

void compare_value_text(char *buf, size_t size, const struct compare_metric *metric, double value,
			bool with_sign)
{
	if (isnan(value))
		snprintf(buf, size, "n/a");
	else if (isinf(value))
		snprintf(buf, size, "%s", !with_sign ? "missed" : value < 0 ? "-inf" : "+inf");
	else if (metric->decimals == 0 && fabs(value - round(value)) > 1e-9 && fabs(value) < 1e6)
		snprintf(buf, size, with_sign ? "%+.1f" : "%.1f", value);
	else
		snprintf(buf, size, with_sign ? "%+.*f" : "%.*f", metric->decimals, value);
}

/* " [low, high]"; braces where it has less confidence than asked; nothing where there is none. */
static void put_interval(char *buf, size_t size, const struct compare_metric *metric,
			 const struct stats_interval *interval, bool with_sign)
{
	bool full = interval->confidence >= COMPARE_CONFIDENCE - 1e-9;
	char low[48], high[48];

	buf[0] = '\0';
	if (isnan(interval->low) || isnan(interval->high))
		return;
	compare_value_text(low, sizeof(low), metric, interval->low, with_sign);
	compare_value_text(high, sizeof(high), metric, interval->high, with_sign);
	snprintf(buf, size, " %c%s, %s%c", full ? '[' : '{', low, high, full ? ']' : '}');
}

void compare_cell_text(char *buf, size_t size, const struct compare_metric *metric,
		       const struct compare_cell *cell)
{
	struct compare_metric finer = *metric;
	char value[48], interval[128];

	compare_value_text(value, sizeof(value), metric, cell->n ? cell->median : NAN, false);
	if (cell->n == 1 && metric->kind == COMPARE_COUNT)
		finer.decimals = 2;
	put_interval(interval, sizeof(interval), &finer, &cell->interval, false);
	snprintf(buf, size, "%s%s", value, cell->n ? interval : "");
}

static void rate_text(char *buf, size_t size, const struct compare_test *test)
{
	double effect = test->effect * PER;
	char ratio[128] = "";

	/* Rounding leaves that much of equal rates, and no run is so long. */
	if (fabs(effect) < 1e-6)
		effect = 0;
	if (test->method == COMPARE_BINOMIAL && isnan(test->ratio))
		snprintf(ratio, sizeof(ratio), " (no event on either side)");
	else if (test->method == COMPARE_BINOMIAL && isinf(test->interval.high))
		snprintf(ratio, sizeof(ratio), " (%.3g times or more)", test->interval.low);
	else if (test->method == COMPARE_BINOMIAL)
		snprintf(ratio, sizeof(ratio), " (x %.3g [%.3g, %.3g])", test->ratio,
			 test->interval.low, test->interval.high);
	snprintf(buf, size, "%+.4g/100k%s", effect, ratio);
}

void compare_effect_text(char *buf, size_t size, const struct compare_metric *metric,
			 const struct compare_test *test)
{
	char value[48], interval[128];

	if (isnan(test->effect)) {
		snprintf(buf, size, "n/a");
	} else if (metric->kind == COMPARE_COUNT) {
		rate_text(buf, size, test);
	} else {
		compare_value_text(value, sizeof(value), metric, test->effect, true);
		put_interval(interval, sizeof(interval), metric, &test->interval, true);
		snprintf(buf, size, "%s%s", value, interval);
	}
}

void compare_p_text(char *buf, size_t size, double p)
{
	char number[32];

	if (isnan(p)) {
		snprintf(buf, size, "-");
		return;
	}
	snprintf(number, sizeof(number), "%.4f", p);
	if (p < 0.0001)
		snprintf(buf, size, "<.0001");
	else
		snprintf(buf, size, "%s", number[0] == '0' ? number + 1 : number);
}

void compare_n_text(char *buf, size_t size, const struct compare_cell *reference,
		    const struct compare_cell *cell)
{
	snprintf(buf, size, "%zu+%zu", reference->n, cell->n);
}

void compare_test_text(char *buf, size_t size, const struct compare *compare,
		       const struct compare_test *test)
{
	bool tested = test->method != COMPARE_NO_TEST;
	char needed[48] = "";

	if (test->too_few)
		snprintf(needed, sizeof(needed), " (it takes %zu)", compare->runs_needed);
	snprintf(buf, size, "%s%s%s%s", tested ? compare_method_name(test) : "",
		 tested && test->why ? "; " : "", test->why ? test->why : "", needed);
}

/* ---- notes ---- */

/* Any test with this method, or this reason. */
static bool any_test(const struct compare *compare, enum compare_method method, const char *why)
{
	for (size_t i = 0; i < compare->n_rows; i++)
		for (size_t j = 1; j < compare->n_sides; j++) {
			const struct compare_test *test = &compare->rows[i].tests[j];

			if (why ? test->why && !strcmp(test->why, why) : test->method == method)
				return true;
		}
	return false;
}

static size_t fewest_runs(const struct compare *compare)
{
	size_t fewest = (size_t)-1;

	for (size_t i = 0; i < compare->n_sides; i++)
		if (json_array_size(compare->sides[i].runs) < fewest)
			fewest = json_array_size(compare->sides[i].runs);
	return fewest;
}

static void note_family(struct compare *compare)
{
	size_t n = compare->runs_needed, fewest = fewest_runs(compare), family = compare->family;

	jx_add_line(compare->notes,
		    "The family has %zu tests (overruns, missed cycles, p99 lateness, p99 finish "
		    "and max diff, of each phase and label). Corrected for so many, it takes %zu "
		    "runs a side before any outcome is significant: with %zu the least p possible "
		    "is %.2g, with %zu it is %.2g.",
		    family, n, n, stats_least_p(n, n) * (double)family, n - 1,
		    fmin(stats_least_p(n - 1, n - 1) * (double)family, 1));
	if (fewest < n)
		jx_add_line(compare->notes,
			    "Some side has %zu run%s only: `?` stands where that is too few for a "
			    "verdict. It takes %zu a side.",
			    fewest, fewest == 1 ? "" : "s", n);
}

static void note_single_runs(struct compare *compare)
{
	if (!any_test(compare, COMPARE_BINOMIAL, NULL))
		return;
	jx_add_line(
		compare->notes,
		"One run a side: only counts are tested, by the conditional binomial of the one "
		"count out of both. That takes for granted that events come singly and at the "
		"same rate in every run of a side. Runs differ, and one run each can not tell "
		"by how much: their p shows what the counts would be worth if runs did not "
		"differ, and one run each is not enough for more.");
}

static void note_bursts(struct compare *compare)
{
	for (size_t i = 0; i < compare->n_rows; i++) {
		const struct compare_row *row = &compare->rows[i];
		const struct compare_row *missed = row + 1; /* follows overruns in the table */

		if (strcmp(row->metric->key, "overruns"))
			continue;
		for (size_t side = 0; side < compare->n_sides; side++) {
			const struct compare_side *here = &compare->sides[side];
			bool bursts = missed->cells[side].count > 1 &&
				      missed->cells[side].count >= 2 * row->cells[side].count;

			for (size_t j = 0; j < here->n_samples; j++)
				bursts |= !strcmp(here->samples[j].phase, row->phase) &&
					  here->samples[j].bursts;
			if (bursts && json_array_size(here->runs) == 1)
				jx_add_line(compare->notes,
					    "%s, %s: misses come in bursts, so that they are not "
					    "single events and p of counts is too small.",
					    here->label, row->phase);
		}
	}
}

static void note_copies(struct compare *compare)
{
	for (size_t i = 0; i < compare->n_sides; i++) {
		const struct compare_side *side = &compare->sides[i];
		const json_t *name;
		char *names = NULL;
		size_t size, j;
		FILE *out = json_array_size(side->copies) ? open_memstream(&names, &size) : NULL;

		if (!out)
			continue;
		json_array_foreach(side->copies, j, name)
			fprintf(out, "%s%s", j ? ", " : "", json_string_value(name));
		if (!fclose(out))
			jx_add_line(compare->notes,
				    "%s: identical results counted once: %s (a copy is no further "
				    "run).",
				    side->label, names);
		free(names);
	}
}

void compare_add_notes(struct compare *compare)
{
	note_family(compare);
	note_copies(compare);
	note_single_runs(compare);
	note_bursts(compare);
	if (any_test(compare, COMPARE_NO_TEST, "runs of unequal length") ||
	    any_test(compare, COMPARE_NO_TEST, "length of the runs not known"))
		jx_add_line(compare->notes,
			    "The longer a run, the greater its max diff: it is tested only where "
			    "all runs are equally long (within 2 %%).");
	if (any_test(compare, COMPARE_NO_TEST, "below the floor"))
		jx_add_line(compare->notes,
			    "Some differences are significant but too small to matter (below the "
			    "floor): they have a `~`.");
	if (json_array_size(compare->refusals))
		jx_add_line(compare->notes,
			    "This is no comparison (see above); it was made because of --force.");
}

const char *compare_legend(size_t line)
{
	static const char *const lines[] = {
		"* different: Holm-adjusted p < 0.05, and an effect above the floor, and enough "
		"runs",
		"~ no difference shown (which is not: no difference)",
		"? can not tell: too few runs, or no valid comparison",
		"! flagged: see above the table what else differs",
		"value: median of the runs [95 % interval]; {all values} where fewer than 6 runs "
		"give no such interval; the count of a single run with its Garwood interval",
		"difference: to the first label; times: Hodges-Lehmann shift [95 % interval]; "
		"counts: mean rate per 100,000 expected cycles, for single runs (x ratio "
		"[Clopper-Pearson interval])",
		"floor: counts 1 per 100,000 cycles; p99 lateness 5 % of the reference and 1 us; "
		"p99 finish and max diff 1 % of the period",
		"missed: the quantile lies among the missed cycles; a difference from or to it is "
		"-inf or +inf",
		"p: two-sided, of the test by itself; adj: Holm-adjusted over the family; n: runs "
		"of the reference + of the label",
	};

	return line < sizeof(lines) / sizeof(lines[0]) ? lines[line] : NULL;
}
