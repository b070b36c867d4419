/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor.h"

#include <string.h>

#include "system/facts.h"

static const char *status_name(enum doctor_status status)
{
	switch (status) {
	case DOCTOR_GOOD:
		return "good";
	case DOCTOR_NOT_GOOD:
		return "not good";
	case DOCTOR_UNKNOWN:
		break;
	}
	return "unknown";
}

/* Evidence comes from files and may hold any bytes: facts_text() makes text of them. */
static json_t *finding_json(const struct check *check, const struct finding *finding)
{
	json_t *object = json_object();

	if (object && !facts_text(object, "id", check->id) &&
	    !facts_text(object, "group", check->group) &&
	    !facts_text(object, "title", check->title) &&
	    !facts_text(object, "status", status_name(finding->status)) &&
	    !facts_text(object, "evidence", finding->evidence) &&
	    !facts_text(object, "why", check->why) && !facts_text(object, "cure", finding->cure) &&
	    !facts_bool(object, "spoils_results", finding->spoils))
		return object;
	json_decref(object);
	return NULL;
}

json_t *doctor_examine(const struct doctor_params *params, bool slow_too)
{
	json_t *array = json_array();

	for (const struct check *const *check = checks; array && *check; check++) {
		struct finding finding = { .status = DOCTOR_UNKNOWN };

		if ((*check)->slow && !slow_too)
			continue;
		(*check)->examine(params, &finding);
		if ((*check)->realtime && !params->realtime)
			finding.spoils = false;
		if (json_array_append_new(array, finding_json(*check, &finding))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

size_t doctor_count(const json_t *findings, const char *status)
{
	const json_t *finding;
	size_t count = 0, i;

	json_array_foreach(findings, i, finding) {
		const char *text = json_string_value(json_object_get(finding, "status"));

		count += text && !strcmp(text, status);
	}
	return count;
}
