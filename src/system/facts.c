/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "system/procfile.h"
#include "util/textfile.h"

int facts_unknown(json_t *facts, const char *key)
{
	return json_object_set_new(facts, key, json_string("unknown"));
}

int facts_text(json_t *facts, const char *key, const char *text)
{
	json_t *value;
	char *copy, *p;

	if (!text)
		return facts_unknown(facts, key);
	value = json_string(text);
	if (!value) {
		/* Refused for its encoding, most likely: file names may hold any bytes. */
		copy = strdup(text);
		if (!copy)
			return -1;
		for (p = copy; *p; p++)
			if ((unsigned char)*p > 126)
				*p = '?';
		value = json_string(copy);
		free(copy);
	}
	return json_object_set_new(facts, key, value);
}

int facts_int(json_t *facts, const char *key, int64_t value)
{
	return json_object_set_new(facts, key, json_integer(value));
}

int facts_bool(json_t *facts, const char *key, bool value)
{
	return json_object_set_new(facts, key, json_boolean(value));
}

int facts_real(json_t *facts, const char *key, double value)
{
	return json_object_set_new(facts, key, isfinite(value) ? json_real(value) : json_null());
}

int facts_file_text(json_t *facts, const char *key, const char *path)
{
	char text[8192];

	return facts_text(facts, key, text_read(path, text, sizeof(text)) < 0 ? NULL : text);
}

int facts_file_int(json_t *facts, const char *key, const char *path)
{
	int64_t value;

	if (text_read_i64(path, &value) < 0)
		return facts_unknown(facts, key);
	return facts_int(facts, key, value);
}

int facts_file_bool(json_t *facts, const char *key, const char *path)
{
	int64_t value;

	if (text_read_i64(path, &value) < 0 || value < 0 || value > 1)
		return facts_unknown(facts, key);
	return facts_bool(facts, key, value == 1);
}

int facts_file_marked(json_t *facts, const char *key, const char *path)
{
	char word[64];

	return facts_text(facts, key,
			  procfile_read_marked(path, word, sizeof(word)) < 0 ? NULL : word);
}
