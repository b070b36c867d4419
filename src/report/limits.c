/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/limits.h"

#include <string.h>

#include "util/jx.h"

static const struct {
	const char *key;    /* in conditions.limits */
	const char *metric; /* of a thread */
	const char *option;
} limits[] = {
	{ "max_overruns", "overruns", "--max-overruns" },
	{ "max_missed_cycles", "missed_cycles", "--max-missed" },
	{ "max_late_finishes", "late_finishes", "--max-late-finish" },
	{ "max_diff_ms", "max_diff_ms", "--max-diff" },
};

#define N_LIMITS (sizeof(limits) / sizeof(limits[0]))

static const json_t *limit_of(const json_t *run, const char *key)
{
	const json_t *conditions = json_object_get(run, "conditions");

	return json_object_get(json_object_get(conditions, "limits"), key);
}

bool limits_given(const json_t *run)
{
	for (size_t i = 0; i < N_LIMITS; i++)
		if (json_is_number(limit_of(run, limits[i].key)))
			return true;
	return false;
}

bool limits_check(const json_t *run, const json_t *phase, json_t *breached)
{
	const char *name = jx_text(phase, "name"), *status = jx_text(phase, "status");
	size_t before = json_array_size(breached), i;
	const json_t *thread;

	json_array_foreach(json_object_get(phase, "threads"), i, thread) {
		for (size_t j = 0; j < N_LIMITS; j++) {
			const json_t *limit = limit_of(run, limits[j].key);
			const json_t *value = json_object_get(thread, limits[j].metric);

			if (json_is_number(limit) && json_is_number(value) &&
			    json_number_value(value) > json_number_value(limit))
				jx_add_line(breached, "%s: %s %.10g, limit %s %.10g", name,
					 limits[j].metric, json_number_value(value),
					 limits[j].option, json_number_value(limit));
		}
	}
	if (limits_given(run) && (!strcmp(status, "skipped") || !strcmp(status, "suspect")))
		jx_add_line(breached, "%s: %s, so that its limits could not be checked", name,
			    status);
	return json_array_size(breached) > before;
}
