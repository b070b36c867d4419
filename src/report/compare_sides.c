/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"

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

static struct compare_side *new_side(struct compare *compare, const char *label,
				     struct fault *fault)
{
	struct compare_side *side = &compare->sides[compare->n_sides];

	if (compare->n_sides == COMPARE_MAX_SIDES) {
		fault_set(fault, -E2BIG, "%s: more than %d labels to compare", label,
			  COMPARE_MAX_SIDES);
		return NULL;
	}
	side->label = strdup(label);
	side->runs = json_array();
	side->names = json_array();
	if (!side->label || !side->runs || !side->names) {
		free_side(side);
		memset(side, 0, sizeof(*side));
		fault_set(fault, -ENOMEM, "no memory");
		return NULL;
	}
	compare->n_sides++;
	return side;
}

int compare_add(struct compare *compare, const char *label, const char *name, json_t *run,
		struct fault *fault)
{
	/* From here on, label and name are UTF-8 without control characters. */
	char *clean = text_clean(label), *clean_name = text_clean(name);
	struct compare_side *side = NULL;
	int err = -ENOMEM;

	if (clean && clean_name) {
		side = compare_find(compare, clean);
		if (!side)
			side = new_side(compare, clean, fault);
		err = side ? 0 : -E2BIG;
	}
	if (side && (json_array_append(side->runs, run) ||
		     json_array_append_new(side->names, json_string(clean_name))))
		err = fault_set(fault, -ENOMEM, "no memory");
	free(clean);
	free(clean_name);
	return err;
}
