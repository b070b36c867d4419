/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In what the sides differ, apart from what came out: that is what is compared. */
#include "report/compare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

#define DEPTH_MAX 6
#define VALUES_MAX 3 /* of one side: more are "..." */

/* What is otherwise from run to run, or told elsewhere. */
static const char *const ignored[] = {
	"environment.load_average_1min", "environment.rt_threads", "environment.rt_thread_count",
	"environment.cpu_hz", "environment.test_directory.path",
	"environment.test_directory.file_bytes", "environment.cgroup_rt.path",
	"conditions.directory", "conditions.limits", "conditions.cpu_latency_ms",
	"conditions.source_asked", "conditions.stress",
};

static bool is_ignored(const char *key)
{
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		size_t length = strlen(ignored[i]);

		if (!strncmp(key, ignored[i], length) && (!key[length] || key[length] == '.'))
			return true;
	}
	return false;
}

/* Members of members as a.b.c = text. */
static void flatten(json_t *flat, const char *prefix, const json_t *object, unsigned int depth)
{
	const json_t *value;
	const char *name;

	json_object_foreach((json_t *)object, name, value) {
		char *key = NULL, *text = NULL;

		if (asprintf(&key, "%s.%s", prefix, name) < 0)
			return;
		if (json_is_object(value) && depth < DEPTH_MAX && !is_ignored(key)) {
			flatten(flat, key, value, depth + 1);
		} else if (!is_ignored(key)) {
			text = json_is_string(value) ?
				       strdup(json_string_value(value)) :
				       json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT |
								JSON_REAL_PRECISION(10));
			if (text && (json_is_null(value) || !text[0]))
				jx_put(flat, key, json_string("none"));
			else if (text)
				jx_put_text(flat, key, text);
		}
		free(key);
		free(text);
	}
}

static json_t *facts_of(const json_t *run)
{
	json_t *flat = json_object();

	jx_put_text(flat, "program", jx_text(run, "program"));
	flatten(flat, "environment", json_object_get(run, "environment"), 0);
	flatten(flat, "conditions", json_object_get(run, "conditions"), 0);
	return flat;
}

/* What the runs of a side have under a key: one text, or several with "; " between. */
static json_t *text_of_side(const json_t *facts, const char *key)
{
	const json_t *run, *seen_text;
	json_t *seen = json_array(), *joined;
	char *text = NULL;
	size_t size, i, j;
	FILE *out = open_memstream(&text, &size);

	json_array_foreach(facts, i, run) {
		json_t *value = json_string(jx_text(run, key));

		json_array_foreach(seen, j, seen_text)
			if (json_equal(seen_text, value))
				break;
		if (j == json_array_size(seen)) {
			if (out && j < VALUES_MAX)
				fprintf(out, "%s%s", j ? "; " : "", json_string_value(value));
			else if (out && j == VALUES_MAX)
				fputs("; ...", out);
			json_array_append(seen, value);
		}
		json_decref(value);
	}
	json_decref(seen);
	joined = out && !fclose(out) ? json_string(text) : NULL;
	free(text);
	return joined;
}

static void compare_key(struct compare *compare, json_t *const *facts, const char *key)
{
	json_t *values = json_object(), *object, *reference = NULL;
	bool differs = false;

	for (size_t i = 0; i < compare->n_sides; i++) {
		json_t *text = text_of_side(facts[i], key);

		if (i)
			differs |= !json_equal(text, reference);
		else
			reference = json_incref(text);
		jx_put(values, compare->sides[i].label, text);
	}
	if (differs) {
		object = json_object();
		jx_put_text(object, "key", key);
		jx_put(object, "values", json_incref(values));
		json_array_append_new(compare->differences, object);
	}
	json_decref(reference);
	json_decref(values);
}

/* Every key of any run, in the order in which they are met. */
static json_t *all_keys(const struct compare *compare, json_t *const *facts)
{
	json_t *keys = json_object(), *value;
	const json_t *run;
	const char *key;
	size_t i;

	for (size_t side = 0; side < compare->n_sides; side++)
		json_array_foreach(facts[side], i, run)
			json_object_foreach((json_t *)run, key, value)
				jx_put(keys, key, json_true());
	return keys;
}

int compare_list_differences(struct compare *compare)
{
	json_t *facts[COMPARE_MAX_SIDES], *keys, *value;
	const json_t *run;
	const char *key;
	size_t i;

	compare->differences = json_array();
	for (size_t side = 0; side < compare->n_sides; side++) {
		facts[side] = json_array();
		json_array_foreach(compare->sides[side].runs, i, run)
			json_array_append_new(facts[side], facts_of(run));
	}
	keys = all_keys(compare, facts);
	json_object_foreach(keys, key, value)
		compare_key(compare, facts, key);
	json_decref(keys);
	for (size_t side = 0; side < compare->n_sides; side++)
		json_decref(facts[side]);
	return compare->differences ? 0 : -ENOMEM;
}
