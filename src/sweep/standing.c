/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"
#include "report/stats.h"
#include "sweep/whole_run.h"
#include "util/jx.h"

struct score {
	double bad;       /* overruns and missed cycles per run */
	double finish_ms; /* infinite: among the missed cycles */
	size_t n;
};

static double finish_of(const json_t *thread)
{
	const json_t *p99 = json_object_get(thread, "finish_p99_ms");

	if (json_is_string(p99))
		return INFINITY;
	return json_is_number(p99) ? json_number_value(p99) : jx_number(thread, "finish_max_ms");
}

/* A run's figures over all its phases; false where none was measured. */
static bool score_run(const json_t *run, double *bad, double *finish_ms)
{
	const json_t *phase;
	bool any = false;
	size_t i;

	*bad = 0;
	*finish_ms = -INFINITY;
	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);

		if (!compare_usable(phase))
			continue;
		any = true;
		*bad += (double)(jx_count(thread, "overruns") + jx_count(thread, "missed_cycles"));
		*finish_ms = fmax(*finish_ms, finish_of(thread));
	}
	return any;
}

static struct score score_label(const struct sweep_record *record, size_t label, double *finishes)
{
	struct score score = { 0, NAN, 0 };

	for (size_t i = 0; i < record->plan.n; i++) {
		double bad;

		/* Without one of its phases a run would look better than it is. */
		if (record->plan.positions[i] != label || !record->positions[i].run ||
		    whole_run_has_invalid(record->positions[i].run) ||
		    !score_run(record->positions[i].run, &bad, &finishes[score.n]))
			continue;
		score.n++;
		score.bad += bad;
	}
	score.bad /= (double)score.n;
	score.finish_ms = stats_median(finishes, score.n);
	return score;
}

/* A finish that is not known (-INFINITY) is no early one. */
static bool is_better(const struct score *a, const struct score *b)
{
	return a->bad < b->bad || (a->bad == b->bad && a->finish_ms < b->finish_ms &&
				   a->finish_ms > -INFINITY);
}

static void score_text(char *buf, size_t size, const struct score *score)
{
	char finish[32] = "not known";

	if (score->finish_ms > 0)
		snprintf(finish, sizeof(finish), "missed");
	if (isfinite(score->finish_ms))
		snprintf(finish, sizeof(finish), "%.3f ms", score->finish_ms);
	snprintf(buf, size, "%.3g overruns and missed a run, finish %s", score->bad, finish);
}

void standing_text(const struct sweep_record *record, char *buf, size_t size)
{
	const struct plan *plan = &record->plan;
	double *finishes = calloc(plan->n + 1, sizeof(finishes[0]));
	struct score scores[PLAN_MAX_LABELS];
	size_t best = PLAN_MAX_LABELS, worst = PLAN_MAX_LABELS;
	char best_text[96], worst_text[96];

	buf[0] = '\0';
	for (size_t i = 0; finishes && i < plan->n_labels; i++) {
		scores[i] = score_label(record, i, finishes);
		if (!scores[i].n)
			continue;
		if (best == PLAN_MAX_LABELS || is_better(&scores[i], &scores[best]))
			best = i;
		if (worst == PLAN_MAX_LABELS || !is_better(&scores[i], &scores[worst]))
			worst = i;
	}
	free(finishes);
	if (best == worst || !is_better(&scores[best], &scores[worst]))
		return;
	score_text(best_text, sizeof(best_text), &scores[best]);
	score_text(worst_text, sizeof(worst_text), &scores[worst]);
	snprintf(buf, size, "best so far: %s (%s); worst: %s (%s)", plan->labels[best].name,
		 best_text, plan->labels[worst].name, worst_text);
}
