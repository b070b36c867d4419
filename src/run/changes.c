/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/changes.h"

#include <string.h>

#include "util/jx.h"

static json_t *array_of(json_t *object, const char *key)
{
	json_t *array = json_object_get(object, key);

	if (!array) {
		array = json_array();
		jx_put(object, key, array);
	}
	return array;
}

static void note(json_t *changes, json_t *reasons, const char *phase, const char *key,
		 const char *at_start, const char *before, const char *now)
{
	if (strcmp(before, now)) {
		jx_add_line(changes, "%s: %s before phase %s, %s after it", key, before, phase,
			    now);
		jx_add_line(reasons, "%s changed during the phase: %s before, %s after", key,
			    before, now);
	} else if (strcmp(at_start, now)) {
		jx_add_line(reasons, "%s is %s, no longer %s as at the start of the run", key, now,
			    at_start);
	}
}

void changes_note(json_t *run, json_t *phase, const json_t *start, json_t *before,
		  const json_t *now)
{
	json_t *changes = array_of(run, "environment_changes");
	json_t *found = json_array(), *value;
	const char *status = jx_text(phase, "status"), *key;

	json_object_foreach((json_t *)start, key, value) {
		const char *current = json_string_value(json_object_get(now, key));

		if (!current)
			continue;
		note(changes, found, jx_text(phase, "name"), key, json_string_value(value),
		     jx_text(before, key), current);
		json_object_set_new(before, key, json_string(current));
	}
	if (json_array_size(found) && strcmp(status, "skipped")) {
		json_array_extend(array_of(phase, "reasons"), found);
		if (!strcmp(status, "valid"))
			jx_put_text(phase, "status", "suspect");
	}
	json_decref(found);
}

void changes_check(json_t *run, json_t *phase, const struct environment_params *params,
		   json_t **before)
{
	json_t *start = environment_settings(json_object_get(run, "environment"));
	json_t *now = environment_settings_now(params);

	if (!*before)
		*before = json_deep_copy(start);
	if (*before && now)
		changes_note(run, phase, start, *before, now);
	json_decref(start);
	json_decref(now);
}
