/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures are compared, and what they are in each run. */
#include "report/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

const struct compare_metric compare_metrics[] = {
	{ .key = "overruns", .name = "overruns", .unit = "", .kind = COMPARE_COUNT, .family = true,
	  .floor = { .rate = 1e-5 } },
	{ .key = "missed_cycles", .name = "missed cycles", .unit = "", .kind = COMPARE_COUNT,
	  .family = true, .floor = { .rate = 1e-5 } },
	{ .key = "lateness_p99_us", .name = "lateness p99", .unit = "\xc2\xb5s", .decimals = 1,
	  .kind = COMPARE_QUANTILE, .family = true, .period_scale = 1e3,
	  .floor = { .reference_share = 0.05, .value = 1 } },
	{ .key = "finish_p99_ms", .name = "finish p99", .unit = "ms", .decimals = 3,
	  .kind = COMPARE_QUANTILE, .family = true, .period_scale = 1,
	  .floor = { .period_share = 0.01 } },
	{ .key = "max_diff_ms", .name = "max diff", .unit = "ms", .decimals = 3,
	  .kind = COMPARE_MAXIMUM, .family = true, .period_scale = 1,
	  .floor = { .period_share = 0.01 } },
	{ .key = "late_finishes", .name = "late finishes", .unit = "", .kind = COMPARE_COUNT },
	{ .key = "lateness_median_us", .name = "lateness median", .unit = "\xc2\xb5s",
	  .decimals = 1, .kind = COMPARE_PLAIN },
	{ .key = "lateness_p99_9_us", .name = "lateness p99.9", .unit = "\xc2\xb5s", .decimals = 1,
	  .kind = COMPARE_PLAIN },
	{ .key = "lateness_max_us", .name = "lateness max", .unit = "\xc2\xb5s", .decimals = 1,
	  .kind = COMPARE_PLAIN },
	{ .key = "finish_p99_9_ms", .name = "finish p99.9", .unit = "ms", .decimals = 3,
	  .kind = COMPARE_PLAIN },
	{ .key = "finish_max_ms", .name = "finish max", .unit = "ms", .decimals = 3,
	  .kind = COMPARE_PLAIN },
	{ .key = "within_1ms_percent", .name = "within 1 ms", .unit = "%", .decimals = 3,
	  .kind = COMPARE_PLAIN, .higher_is_better = true },
	{ .key = "deviation_ms", .name = "deviation", .unit = "ms", .decimals = 4,
	  .kind = COMPARE_PLAIN, .not_imported = true },
	{ .key = "load_achieved", .name = "load achieved", .unit = "", .decimals = 3,
	  .kind = COMPARE_PLAIN },
	{ .key = "stolen_percent", .name = "stolen", .unit = "%", .decimals = 2,
	  .kind = COMPARE_PLAIN },
	{ .key = "units_per_second", .name = "stressor progress", .unit = "/s", .decimals = 0,
	  .kind = COMPARE_PLAIN, .of_stressor = true, .higher_is_better = true },
};

const size_t compare_n_metrics = sizeof(compare_metrics) / sizeof(compare_metrics[0]);

const json_t *compare_phase(const json_t *run, const char *name)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (!strcmp(jx_text(phase, "name"), name))
			return phase;
	return NULL;
}

static const json_t *thread_of(const json_t *phase)
{
	return json_array_get(json_object_get(phase, "threads"), 0);
}

bool compare_usable(const json_t *phase)
{
	const char *status = jx_text(phase, "status");

	return json_is_object(thread_of(phase)) && strcmp(status, "invalid") &&
	       strcmp(status, "skipped");
}

/* The cycles that were due: what rates are over. Old logs tell the number of diffs only. */
double compare_exposure(const json_t *thread)
{
	double expected = jx_number(thread, "expected_cycles");
	double cycles = jx_number(thread, "cycles"), missed = jx_number(thread, "missed_cycles");

	if (isnan(expected) && !isnan(cycles))
		expected = cycles + (isnan(missed) ? 0 : missed);
	if (isnan(expected))
		expected = jx_number(thread, "diffs");
	return expected > 0 && isfinite(expected) ? expected : NAN;
}

/* NaN where the run does not have it. */
static double value_of(const struct compare_metric *metric, const json_t *run, const json_t *phase)
{
	const json_t *object = metric->of_stressor ? json_object_get(phase, "stressor") :
						     thread_of(phase);
	const json_t *value = json_object_get(object, metric->key);
	double number = jx_number(object, metric->key);

	if (metric->not_imported && !strcmp(jx_text(run, "status"), "imported"))
		return NAN;
	if (json_is_string(value) && !strcmp(json_string_value(value), "missed"))
		return INFINITY;
	if (metric->kind == COMPARE_COUNT && (!json_is_integer(value) || number < 0))
		return NAN;
	return number;
}

static int allocate(struct compare_cell *cell, size_t n)
{
	cell->values = calloc(n + 1, sizeof(cell->values[0]));
	cell->rates = calloc(n + 1, sizeof(cell->rates[0]));
	cell->exposures = calloc(n + 1, sizeof(cell->exposures[0]));
	return cell->values && cell->rates && cell->exposures ? 0 : -ENOMEM;
}

void compare_free_cell(struct compare_cell *cell)
{
	free(cell->values);
	free(cell->rates);
	free(cell->exposures);
	memset(cell, 0, sizeof(*cell));
}

/* Median and interval of the values, which are sorted by it. */
static void summarize(struct compare_cell *cell, const struct compare_metric *metric)
{
	struct stats_interval ranks = stats_median_ranks(cell->n, COMPARE_CONFIDENCE);

	cell->median = stats_median(cell->values, cell->n);
	cell->interval = (struct stats_interval){ NAN, NAN, 0 };
	if (cell->n == 1 && metric->kind == COMPARE_COUNT)
		cell->interval = stats_garwood(cell->count, COMPARE_CONFIDENCE);
	else if (cell->n > 1)
		cell->interval = (struct stats_interval){
			cell->values[(size_t)ranks.low - 1], cell->values[(size_t)ranks.high - 1],
			ranks.confidence
		};
}

int compare_fill_cell(struct compare_cell *cell, const struct compare_metric *metric,
		      const struct compare_side *side, const char *name)
{
	const json_t *run;
	size_t i;

	if (allocate(cell, json_array_size(side->runs)))
		return -ENOMEM;
	json_array_foreach(side->runs, i, run) {
		const json_t *phase = compare_phase(run, name);
		double exposure = compare_exposure(thread_of(phase)), value;

		if (!phase || !compare_usable(phase))
			continue;
		value = value_of(metric, run, phase);
		if (isnan(value) || (metric->kind == COMPARE_COUNT && isnan(exposure)))
			continue;
		cell->values[cell->n] = value;
		cell->exposures[cell->n] = exposure;
		if (metric->kind == COMPARE_COUNT) {
			cell->rates[cell->n] = value / exposure;
			cell->count += value;
			cell->exposure += exposure;
		}
		cell->n++;
	}
	summarize(cell, metric);
	return 0;
}

double compare_floor_of(const struct compare_metric *metric, const struct compare_cell *reference,
			double period_ms)
{
	const struct compare_floor *floor = &metric->floor;
	double share = isfinite(reference->median) ? reference->median : 0;

	if (metric->kind == COMPARE_COUNT)
		return floor->rate;
	return fmax(fmax(floor->value, floor->reference_share * share),
		    floor->period_share * (period_ms > 0 ? period_ms : 0) * metric->period_scale);
}
