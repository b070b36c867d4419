/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/whole_run.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "report/run_file.h"
#include "util/jx.h"

static bool is_whole(const json_t *run)
{
	const json_t *asked = json_object_get(json_object_get(run, "conditions"), "stress");
	const json_t *phases = json_object_get(run, "phases");

	return !strcmp(jx_text(run, "status"), "complete") && json_array_size(phases) &&
	       json_array_size(phases) == json_array_size(asked);
}

json_t *whole_run_load(const char *dir, const char *name)
{
	char path[PATH_MAX + NAME_MAX + 16];
	json_t *run;

	snprintf(path, sizeof(path), "%s/%s/run.json", dir, name);
	run = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	if (run)
		run_file_clean(run);
	if (run && is_whole(run))
		return run;
	json_decref(run);
	return NULL;
}

static const json_t *first_invalid(const json_t *run)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (!strcmp(jx_text(phase, "status"), "invalid"))
			return phase;
	return NULL;
}

bool whole_run_has_invalid(const json_t *run)
{
	return first_invalid(run);
}

void whole_run_flaw(const json_t *run, char *buf, size_t size)
{
	const json_t *phase = first_invalid(run);
	const char *incident = json_string_value(json_array_get(json_object_get(run, "incidents"),
								0));
	const char *reason = json_string_value(json_array_get(json_object_get(phase, "reasons"),
							      0));

	if (phase)
		snprintf(buf, size, "%s: %s", jx_text(phase, "name"), reason ? reason : "invalid");
	else
		snprintf(buf, size, "%s", incident ? incident : "");
}
