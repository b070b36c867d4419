/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"
#include "util/jx.h"

void compare_init(struct compare *compare)
{
	memset(compare, 0, sizeof(*compare));
}

static void free_side(struct compare_side *side)
{
	for (size_t i = 0; i < side->n_samples; i++) {
		free(side->samples[i].phase);
		free(side->samples[i].diff);
		free(side->samples[i].lateness);
		free(side->samples[i].finish);
	}
	free(side->samples);
	free(side->label);
	json_decref(side->runs);
	json_decref(side->names);
	json_decref(side->figures);
	json_decref(side->copies);
	json_decref(side->damage);
}

void compare_free(struct compare *compare)
{
	for (size_t i = 0; i < compare->n_rows; i++)
		for (size_t j = 0; j < compare->n_sides; j++)
			compare_free_cell(&compare->rows[i].cells[j]);
	free(compare->rows);
	free(compare->phases);
	json_decref(compare->refusals);
	json_decref(compare->flags);
	json_decref(compare->differences);
	json_decref(compare->notes);
	for (size_t i = 0; i < compare->n_sides; i++)
		free_side(&compare->sides[i]);
	memset(compare, 0, sizeof(*compare));
}

struct compare_side *compare_find(struct compare *compare, const char *label)
{
	for (size_t i = 0; i < compare->n_sides; i++)
		if (!strcmp(compare->sides[i].label, label))
			return &compare->sides[i];
	return NULL;
}

bool compare_damaged(const struct compare *compare)
{
	for (size_t i = 0; i < compare->n_sides; i++)
		if (json_array_size(compare->sides[i].damage))
			return true;
	return false;
}

static int new_side(struct compare *compare, const char *label, struct compare_side **result,
		    struct fault *fault)
{
	struct compare_side *side = &compare->sides[compare->n_sides];

	if (compare->n_sides == COMPARE_MAX_SIDES)
		return fault_set(fault, -E2BIG, "%s: more than %d labels to compare", label,
				 COMPARE_MAX_SIDES);
	side->label = strdup(label);
	side->runs = json_array();
	side->names = json_array();
	side->figures = json_object();
	side->copies = json_array();
	side->damage = json_array();
	if (!side->label || !side->runs || !side->names || !side->figures || !side->copies ||
	    !side->damage) {
		free_side(side);
		memset(side, 0, sizeof(*side));
		return fault_set(fault, -ENOMEM, "no memory");
	}
	compare->n_sides++;
	*result = side;
	return 0;
}

/* ---- copies: a result that is given twice is one run ---- */

/* A later program may add members when it reads the samples again: these all have. */
static void put_figures(FILE *out, const json_t *thread)
{
	static const char *const keys[] = {
		"cycles", "missed_cycles", "overruns", "late_finishes", "max_diff_ms",
		"deviation_ms", "burn_max_ms", "load_achieved", "lateness_min_us",
		"lateness_median_us", "lateness_p99_us", "lateness_max_us", "finish_median_ms",
		"finish_p99_ms", "finish_max_ms",
	};

	/* Less digits than run.json has. */
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		fprintf(out, " %.10g", jx_number(thread, keys[i]));
}

/*
 * What was measured in all phases, as text (free() it); "" where that is nothing. Times in ns do
 * not come out alike twice, unless time itself is computed: then the second run says no more than
 * the first.
 */
static char *figures_of(const json_t *run)
{
	bool imported = !strcmp(jx_text(run, "status"), "imported");
	const json_t *phase, *thread;
	char *text = NULL;
	size_t size, i, j;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		json_array_foreach(json_object_get(phase, "threads"), j, thread) {
			fprintf(out, "\n%s %zu", jx_text(phase, "name"), j);
			if (imported)
				json_dumpf(thread, out, JSON_COMPACT | JSON_SORT_KEYS |
								JSON_ENCODE_ANY);
			else
				put_figures(out, thread);
		}
	}
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static int add_run(struct compare_side *side, const char *name, json_t *run)
{
	char *figures = figures_of(run);
	int err = 0;

	if (!figures)
		return -ENOMEM;
	if (json_object_get(side->figures, figures))
		err = json_array_append_new(side->copies, json_string(name));
	else if (json_array_append(side->runs, run) ||
		 json_array_append_new(side->names, json_string(name)) ||
		 (figures[0] && json_object_set_new(side->figures, figures, json_true())))
		err = -1;
	free(figures);
	return err ? -ENOMEM : 0;
}

int compare_add(struct compare *compare, const char *label, const char *name, json_t *run,
		struct fault *fault)
{
	/* From here on, label and name are UTF-8 without control characters. */
	char *clean = text_clean(label), *clean_name = text_clean(name);
	struct compare_side *side = NULL;
	int err;

	if (!clean || !clean_name) {
		err = fault_set(fault, -ENOMEM, "no memory");
	} else {
		side = compare_find(compare, clean);
		err = side ? 0 : new_side(compare, clean, &side, fault);
	}
	if (side && add_run(side, clean_name, run))
		err = fault_set(fault, -ENOMEM, "no memory");
	free(clean);
	free(clean_name);
	return err;
}
