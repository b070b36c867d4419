/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void finding_set(struct finding *finding, enum doctor_status status, const char *fmt, ...)
{
	va_list args;

	finding->status = status;
	va_start(args, fmt);
	vsnprintf(finding->evidence, sizeof(finding->evidence), fmt, args);
	va_end(args);
}

void finding_cure(struct finding *finding, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(finding->cure, sizeof(finding->cure), fmt, args);
	va_end(args);
}

void finding_spoils(struct finding *finding, const char *fmt, ...)
{
	va_list args;

	finding->status = DOCTOR_NOT_GOOD;
	finding->spoils = true;
	va_start(args, fmt);
	vsnprintf(finding->evidence, sizeof(finding->evidence), fmt, args);
	va_end(args);
}

bool fact_int(const json_t *facts, const char *key, int64_t *value)
{
	const json_t *fact = json_object_get(facts, key);

	if (!json_is_integer(fact))
		return false;
	*value = json_integer_value(fact);
	return true;
}

bool fact_bool(const json_t *facts, const char *key, bool *value)
{
	const json_t *fact = json_object_get(facts, key);

	if (!json_is_boolean(fact))
		return false;
	*value = json_is_true(fact);
	return true;
}

const char *fact_text(const json_t *facts, const char *key)
{
	const char *text = json_string_value(json_object_get(facts, key));

	return text && strcmp(text, "unknown") ? text : NULL;
}

void list_add(char *list, size_t size, const char *fmt, ...)
{
	size_t used = strlen(list);
	char word[160];
	va_list args;

	va_start(args, fmt);
	vsnprintf(word, sizeof(word), fmt, args);
	va_end(args);
	if (used + strlen(word) + 3 < size)
		snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}
