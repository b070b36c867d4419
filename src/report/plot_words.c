/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1e6
#define NS_PER_S 1e9

static double condition(const struct run_view *view, const char *key)
{
	const json_t *conditions = json_object_get(view->run, "conditions");
	double value = json_number_value(json_object_get(conditions, key));

	return isfinite(value) && value > 0 ? value : 0;
}

struct plot_reference plot_reference(const struct run_view *view, const struct phase_view *phase)
{
	struct plot_reference reference = { 0, 0 };

	if (phase && phase->evaluation) {
		const struct metrics_params *params = &phase->evaluation->metrics.params;

		reference.period_ns = params->period_ns;
		reference.deadline_ns = params->deadline * params->period_ns;
	} else {
		reference.period_ns = condition(view, "period_ms") * NS_PER_MS;
		reference.deadline_ns = condition(view, "deadline_periods") * reference.period_ns;
	}
	if (!isfinite(reference.period_ns) || reference.period_ns < 0)
		reference.period_ns = 0;
	if (!isfinite(reference.deadline_ns) || reference.deadline_ns < 0)
		reference.deadline_ns = 0;
	return reference;
}

const char *plot_status(const struct phase_view *phase)
{
	const char *status = json_string_value(json_object_get(phase->phase, "status"));

	return status ? status : "unknown";
}

char *plot_title(const struct run_view *view, const struct phase_view *phase, enum plot_kind kind)
{
	static const char *const subjects[] = {
		[PLOT_TIME] = "diff and burn over time",
		[PLOT_HISTOGRAM] = "histograms of diff and lateness",
		[PLOT_PERCENTILE] = "lateness and finish by percentile",
		[PLOT_OVERVIEW] = "All phases on one scale: diff and burn over time",
	};
	const char *status = phase ? plot_status(phase) : "valid";
	bool valid = !strcmp(status, "valid");
	char *title;

	(void)view;
	if (!phase)
		return strdup(subjects[kind]);
	if (asprintf(&title, "%s%s%s%s: %s", phase->name, valid ? "" : " (", valid ? "" : status,
		     valid ? "" : ")", subjects[kind]) < 0)
		return NULL;
	return title;
}

/* Least to greatest of a histogram in ms. */
static void put_span(FILE *out, const char *what, const struct histogram *h)
{
	if (h->n)
		fprintf(out, " %s lies between %.6g and %.6g ms.", what,
			(double)h->min / NS_PER_MS, (double)h->max / NS_PER_MS);
}

static void put_time(FILE *out, const struct phase_view *phase,
		     const struct plot_reference *reference)
{
	const struct metrics *m = &phase->evaluation->metrics;
	double seconds = 0;

	if (phase->timeline)
		seconds = (double)(phase->timeline->end_ns - phase->timeline->start_ns) / NS_PER_S;
	fprintf(out, "Lines over %.4g s: the upper one is diff, the time between two wake-ups, the "
		     "green one is the burn.", seconds);
	put_span(out, "Diff", m->diff);
	put_span(out, "The burn", m->burn);
	fprintf(out, " A yellow dashed line marks the period of %.6g ms, a red dash-dotted line "
		     "the deadline of %.6g ms: diff exceeds it %" PRIu64 " times in %" PRIu64
		     " cycles. %" PRIu64 " cycles were missed.",
		reference->period_ns / NS_PER_MS, reference->deadline_ns / NS_PER_MS, m->overruns,
		m->cycles, m->missed);
}

/* Median and p99 as far as they are known, and the greatest. */
static void put_quantiles(FILE *out, const char *what, const struct histogram *h, uint64_t above)
{
	static const struct {
		const char *name;
		double q;
	} quantiles[] = { { "median", 0.5 }, { "99th percentile", 0.99 },
			  { "99.9th percentile", 0.999 } };

	if (!h->n)
		return;
	fprintf(out, " %s:", what);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		int64_t value = 0;

		switch (histogram_quantile(h, above, quantiles[i].q, &value)) {
		case QUANTILE_KNOWN:
			fprintf(out, " %s %.4g ms,", quantiles[i].name, (double)value / NS_PER_MS);
			break;
		case QUANTILE_MISSED:
			fprintf(out, " %s among missed cycles,", quantiles[i].name);
			break;
		case QUANTILE_TOO_FEW:
			break;
		}
	}
	fprintf(out, " greatest %.6g ms.", (double)h->max / NS_PER_MS);
}

static void put_histogram(FILE *out, const struct phase_view *phase)
{
	const struct metrics *m = &phase->evaluation->metrics;

	fprintf(out, "Histograms with a logarithmic axis of counts for %" PRIu64 " cycles.",
		m->cycles);
	put_quantiles(out, "Diff", m->diff, 0);
	put_quantiles(out, "Lateness", m->lateness, 0);
	if (!m->lateness->n)
		fputs(" Lateness is not known.", out);
	if (m->missed)
		fprintf(out, " %" PRIu64 " missed cycles have no place in it.", m->missed);
}

static void put_percentile(FILE *out, const struct phase_view *phase,
			   const struct plot_reference *reference)
{
	const struct metrics *m = &phase->evaluation->metrics;

	if (!m->lateness->n && !m->finish->n) {
		fputs("Lateness is not known: there is no curve.", out);
		return;
	}
	fputs("Curves of lateness and finish over the share of expected cycles, spaced by nines.",
	      out);
	put_quantiles(out, "Lateness", m->lateness, m->missed);
	put_quantiles(out, "Finish", m->finish, m->missed);
	fprintf(out, " The deadline is %.6g ms; %" PRIu64 " finishes came later. %" PRIu64
		     " missed cycles rank above all others.",
		reference->deadline_ns / NS_PER_MS, m->late_finishes, m->missed);
}

static void put_overview(FILE *out, const struct run_view *view)
{
	struct plot_reference reference = plot_reference(view, view->n ? &view->phases[0] : NULL);

	fprintf(out, "One small picture for each of %zu phases, all on the same scale in ms; the "
		     "period is %.6g ms, the deadline %.6g ms.",
		view->n, reference.period_ns / NS_PER_MS, reference.deadline_ns / NS_PER_MS);
	for (size_t i = 0; i < view->n; i++) {
		const struct phase_view *phase = &view->phases[i];
		const struct metrics *m = phase->evaluation ? &phase->evaluation->metrics : NULL;

		fprintf(out, " %s (%s): ", phase->name, plot_status(phase));
		if (m && m->diff->n)
			fprintf(out, "max diff %.6g ms, %" PRIu64 " overruns, %" PRIu64 " missed.",
				(double)m->diff->max / NS_PER_MS, m->overruns, m->missed);
		else
			fputs("no samples.", out);
	}
}

char *plot_description(const struct run_view *view, const struct phase_view *phase,
		       enum plot_kind kind)
{
	struct plot_reference reference = plot_reference(view, phase);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (kind == PLOT_OVERVIEW) {
		put_overview(out, view);
	} else {
		fprintf(out, "Phase %s, %s. ", phase->name, plot_status(phase));
		if (!phase->evaluation || !phase->evaluation->metrics.cycles)
			fputs("There are no samples to show.", out);
		else if (kind == PLOT_TIME)
			put_time(out, phase, &reference);
		else if (kind == PLOT_HISTOGRAM)
			put_histogram(out, phase);
		else
			put_percentile(out, phase, &reference);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
