/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/drift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"
#include "report/stats.h"
#include "util/jx.h"

#define ALPHA COMPARE_ALPHA

/* NaN where the run does not have it; infinite for a quantile among missed cycles. */
static double quantile_of(const json_t *thread, const char *key)
{
	const json_t *value = json_object_get(thread, key);

	if (json_is_string(value) && !strcmp(json_string_value(value), "missed"))
		return INFINITY;
	return jx_number(thread, key);
}

static double bad_cycles_of(const json_t *thread, const char *key)
{
	(void)key;
	return (jx_number(thread, "overruns") + jx_number(thread, "missed_cycles")) /
	       compare_exposure(thread);
}

static const struct metric {
	const char *name, *key;
	double (*value)(const json_t *thread, const char *key);
} metrics[] = {
	{ "overruns and missed cycles", NULL, bad_cycles_of },
	{ "lateness p99", "lateness_p99_us", quantile_of },
	{ "finish p99", "finish_p99_ms", quantile_of },
	{ "max diff", "max_diff_ms", quantile_of },
};

#define N_METRICS (sizeof(metrics) / sizeof(metrics[0]))

/* The values of one metric of one phase, by position. */
struct series {
	double *position, *value, *scratch;
	size_t *label;
	size_t n;
};

static void series_free(struct series *series)
{
	free(series->position);
	free(series->value);
	free(series->scratch);
	free(series->label);
}

static int series_init(struct series *series, size_t n)
{
	series->position = calloc(n + 1, sizeof(series->position[0]));
	series->value = calloc(n + 1, sizeof(series->value[0]));
	series->scratch = calloc(n + 1, sizeof(series->scratch[0]));
	series->label = calloc(n + 1, sizeof(series->label[0]));
	series->n = 0;
	return series->position && series->value && series->scratch && series->label ? 0 : -1;
}

static void collect(struct series *series, const struct plan *plan, json_t *const *runs,
		    const char *phase_name, const struct metric *metric)
{
	for (size_t i = 0; i < plan->n; i++) {
		const json_t *phase = runs[i] ? compare_phase(runs[i], phase_name) : NULL;
		double value = NAN;

		if (phase && compare_usable(phase))
			value = metric->value(json_array_get(json_object_get(phase, "threads"), 0),
					      metric->key);
		if (isnan(value))
			continue;
		series->position[series->n] = (double)i;
		series->label[series->n] = plan->positions[i];
		series->value[series->n++] = value;
	}
}

/* Less the median of its label. Two infinite values differ by nothing. */
static void take_out_labels(const struct series *series, double *values, size_t n_labels)
{
	for (size_t label = 0; label < n_labels; label++) {
		size_t n = 0;
		double median;

		for (size_t i = 0; i < series->n; i++)
			if (series->label[i] == label)
				series->scratch[n++] = values[i];
		median = stats_median(series->scratch, n);
		for (size_t i = 0; i < series->n; i++)
			if (series->label[i] == label)
				values[i] = values[i] == median ? 0 : values[i] - median;
	}
}

static int test_one(json_t *object, const struct plan *plan, json_t *const *runs,
		    const char *phase, const struct metric *metric)
{
	struct stats_spearman test = { .rho = NAN, .p = NAN };
	struct series series;
	int err = series_init(&series, plan->n);

	if (!err) {
		collect(&series, plan, runs, phase, metric);
		take_out_labels(&series, series.value, plan->n_labels);
		take_out_labels(&series, series.position, plan->n_labels);
		/* Too few values have no test. */
		stats_spearman(series.position, series.value, series.n, plan->n_labels - 1, &test);
		jx_put_text(object, "phase", phase);
		jx_put_text(object, "metric", metric->name);
		jx_put_count(object, "n", series.n);
		jx_put_real(object, "rho", test.rho);
		jx_put_real(object, "p", test.p);
		jx_put(object, "exact", json_boolean(test.exact));
	}
	series_free(&series);
	return err;
}

static int adjust(json_t *drift)
{
	size_t n = json_array_size(drift), i;
	double *p = calloc(2 * n + 1, sizeof(p[0]));
	json_t *object;
	int err = p ? 0 : -1;

	json_array_foreach(drift, i, object)
		if (p)
			p[i] = jx_number(object, "p");
	if (!err)
		err = stats_holm(p, n, n, p + n);
	json_array_foreach(drift, i, object) {
		double adjusted = err ? NAN : p[n + i];

		jx_put_real(object, "p_adjusted", adjusted);
		jx_put(object, "shown", json_boolean(adjusted < ALPHA));
	}
	free(p);
	return err;
}

static bool has_text(const json_t *array, const char *text)
{
	const json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (!strcmp(json_string_value(value), text))
			return true;
	return false;
}

/* Names of all phases in the order in which they were first met. */
static json_t *phase_names(const struct plan *plan, json_t *const *runs)
{
	json_t *names = json_array();
	const json_t *phase;
	size_t j;

	for (size_t i = 0; i < plan->n; i++)
		json_array_foreach(json_object_get(runs[i], "phases"), j, phase)
			if (!has_text(names, jx_text(phase, "name")))
				json_array_append_new(names, json_string(jx_text(phase, "name")));
	return names;
}

json_t *drift_test(const struct plan *plan, json_t *const *runs)
{
	json_t *drift = json_array(), *names = phase_names(plan, runs), *name;
	int err = drift && names ? 0 : -1;
	size_t i;

	json_array_foreach(names, i, name) {
		for (size_t j = 0; !err && j < N_METRICS; j++) {
			json_t *object = json_object();

			err = test_one(object, plan, runs, json_string_value(name), &metrics[j]);
			json_array_append_new(drift, object);
		}
	}
	if (!err)
		err = adjust(drift);
	json_decref(names);
	if (!err)
		return drift;
	json_decref(drift);
	return NULL;
}

/* ---- in words ---- */

static const char *what_it_means(const struct plan *plan)
{
	if (plan->n_labels == 1)
		return "the runs are not all of one machine state";
	if (plan->order == PLAN_INTERLEAVED)
		return "the order is interleaved, so that it favours no label, but the machine was "
		       "not the same all the time, and what one label differs in is harder to see";
	return "the runs were in blocks, so that it can look like a difference of labels: repeat "
	       "with --order interleaved";
}

/* The fewest runs whose clearest trend would be significant, with a constant for each label. */
static size_t runs_needed(size_t family, size_t n_labels)
{
	size_t n = 2 + n_labels;

	while (stats_spearman_least_p(n) * (double)family >= ALPHA)
		n++;
	return n;
}

/* Of the metric that most runs have: invalid phases have none. */
static size_t most_runs(const json_t *drift)
{
	const json_t *test;
	long long most = 0;
	size_t i;

	json_array_foreach(drift, i, test)
		if (jx_count(test, "n") > most)
			most = jx_count(test, "n");
	return (size_t)most;
}

json_t *drift_sentences(const json_t *drift, const struct plan *plan)
{
	json_t *lines = json_array();
	const json_t *test;
	size_t i, n = most_runs(drift);
	size_t needed = runs_needed(json_array_size(drift), plan->n_labels);

	json_array_foreach(drift, i, test) {
		double rho = jx_number(test, "rho");

		if (json_is_true(json_object_get(test, "shown")))
			jx_add_line(lines, "drift: %s of %s %s over the sweep (rho %+.2f over %lld "
				    "runs, adjusted p %.2g): %s", jx_text(test, "metric"),
				    jx_text(test, "phase"), rho > 0 ? "rose" : "fell", rho,
				    jx_count(test, "n"), jx_number(test, "p_adjusted"),
				    what_it_means(plan));
	}
	if (!json_array_size(lines) && n < needed)
		jx_add_line(lines, "drift: cannot tell: %zu run%s too few for it (it takes %zu)",
			    n, n == 1 ? " is" : "s are", needed);
	else if (!json_array_size(lines))
		jx_add_line(lines, "no drift shown: no trend over the sequence of runs in any "
				   "metric, beside what the labels differ in");
	return lines;
}
