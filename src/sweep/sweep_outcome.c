/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a complete sweep tells: the comparison of its labels, and drift. */
#include "sweep/sweep_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"
#include "report/replacement.h"
#include "sweep/drift.h"
#include "sweep/sweep_words.h"
#include "util/stream.h"

static int find_drift(struct sweep_state *state, struct fault *fault)
{
	struct sweep_record *record = &state->record;
	/* An array of pointers. NOLINTNEXTLINE(bugprone-sizeof-expression) */
	json_t **runs = calloc(record->plan.n + 1, sizeof(runs[0])), *drift;

	for (size_t i = 0; runs && i < record->plan.n; i++)
		runs[i] = record->positions[i].run;
	drift = runs ? drift_test(&record->plan, runs) : NULL;
	free(runs);
	if (!drift)
		return fault_set(fault, -ENOMEM, "no memory");
	json_decref(record->drift);
	record->drift = drift;
	return 0;
}

/* The first label is the first side, the reference, whatever was run first. */
static int load_label(const struct sweep_state *state, struct compare *compare, size_t label,
		      struct fault *fault)
{
	const struct sweep_record *record = &state->record;
	char path[PATH_MAX + 192];
	int err = 0;

	for (size_t i = 0; !err && i < record->plan.n; i++) {
		if (record->plan.positions[i] != label ||
		    record->positions[i].status != POSITION_COMPLETE)
			continue;
		snprintf(path, sizeof(path), "%s/%s", state->dir, record->positions[i].directory);
		err = compare_load_directory(compare, record->plan.labels[label].name, path, true,
					     fault);
	}
	return err;
}

static void write_head(FILE *out, const struct sweep_state *state)
{
	const struct plan *plan = &state->record.plan;

	fprintf(out, "sweep of %zu label%s, %zu run%s each, order %s, seed %lld, kernel %s\n\n",
		plan->n_labels, plan->n_labels == 1 ? "" : "s", plan->runs,
		plan->runs == 1 ? "" : "s", plan_order_name(plan->order), (long long)plan->seed,
		state->record.kernel_release);
}

static int write_text(FILE *out, const struct sweep_state *state, const struct compare *compare)
{
	write_head(out, state);
	return stream_finish(out, compare_write_text(out, compare));
}

static int save(const struct sweep_state *state, const struct compare *compare, const char *suffix,
		struct fault *fault)
{
	struct replacement r;
	struct fault why = { "" };
	int err = replacement_open(&r, state->dir, "compare", suffix, fault);

	if (err)
		return err;
	if (!strcmp(suffix, ".txt"))
		err = write_text(r.file, state, compare);
	else
		err = compare_write_html(r.file, compare, &why);
	return replacement_finish(&r, err, fault);
}

/* Drift stands among the notes of the comparison, in every form that it is written in. */
static int compare_labels(struct sweep_state *state, json_t *sentences, struct fault *fault)
{
	struct compare compare;
	int err = 0;

	compare_init(&compare);
	for (size_t i = 0; !err && i < state->record.plan.n_labels; i++)
		err = load_label(state, &compare, i, fault);
	if (!err)
		err = compare_evaluate(&compare, fault);
	if (!err)
		json_array_extend(compare.notes, sentences);
	if (!err)
		err = save(state, &compare, ".txt", fault);
	if (!err)
		err = save(state, &compare, ".html", fault);
	/* Whether stdout takes it is seen at the very end. */
	if (!err && !state->options->quiet) {
		putchar('\n');
		write_text(stdout, state, &compare);
	}
	compare_free(&compare);
	return err;
}

int sweep_outcome(struct sweep_state *state, struct fault *fault)
{
	const struct plan *plan = &state->record.plan;
	json_t *sentences;
	const json_t *line;
	int err = find_drift(state, fault);
	size_t i;

	if (err)
		return err;
	sentences = drift_sentences(state->record.drift, plan);
	if (plan->n_labels > 1) {
		err = compare_labels(state, sentences, fault);
	} else {
		sweep_say(state->options->quiet,
			  "\none label (%s, %zu run%s): nothing to compare it "
			  "with",
			  plan->labels[0].name, plan->runs, plan->runs == 1 ? "" : "s");
		json_array_foreach(sentences, i, line)
			sweep_say(state->options->quiet, "%s", json_string_value(line));
	}
	json_decref(sentences);
	return err;
}
