/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "system/environment.h"
#include "system/environment_parts.h"

static int put(json_t *settings, const char *key, const json_t *value)
{
	const char *text = json_string_value(value);

	if (!text || !strcmp(text, "unknown"))
		return 0;
	return json_object_set_new(settings, key, json_string(text));
}

/* The elevators of a device, an object as in test_directory, and of those below it. */
static int put_elevators(json_t *settings, const json_t *device)
{
	const char *name = json_string_value(json_object_get(device, "disk"));
	const json_t *below;
	char key[300];
	size_t i;

	snprintf(key, sizeof(key), "elevator of %s", name ? name : "");
	if (name && put(settings, key, json_object_get(device, "elevator")))
		return -1;
	json_array_foreach(json_object_get(device, "devices_below"), i, below)
		if (put_elevators(settings, below))
			return -1;
	return 0;
}

json_t *environment_settings(const json_t *environment)
{
	const json_t *preemption = json_object_get(environment, "preemption");
	json_t *settings = json_object();

	if (settings &&
	    (put(settings, "preemption model", json_object_get(preemption, "model")) ||
	     put(settings, "governor", json_object_get(environment, "governor")) ||
	     put_elevators(settings, json_object_get(environment, "test_directory")))) {
		json_decref(settings);
		settings = NULL;
	}
	return settings;
}

json_t *environment_settings_now(const struct environment_params *params)
{
	json_t *facts = json_object(), *settings = NULL;

	if (facts && !kernel_facts(facts) && !cpu_facts(facts, params->cpu) &&
	    !storage_facts(facts, params))
		settings = environment_settings(facts);
	json_decref(facts);
	return settings;
}
