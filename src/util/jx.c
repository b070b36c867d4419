/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/jx.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void jx_put(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

void jx_put_count(json_t *object, const char *key, uint64_t value)
{
	jx_put(object, key, json_integer((json_int_t)value));
}

void jx_put_real(json_t *object, const char *key, double value)
{
	jx_put(object, key, isfinite(value) ? json_real(value) : json_null());
}

void jx_put_text(json_t *object, const char *key, const char *value)
{
	json_t *text = json_string(value);

	jx_put(object, key, text ? text : json_string("(not UTF-8)"));
}

void jx_add_line(json_t *array, const char *fmt, ...)
{
	char *line;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&line, fmt, args) < 0)
		line = NULL;
	va_end(args);
	if (line)
		json_array_append_new(array, json_string(line));
	free(line);
}

double jx_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

long long jx_count(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

const char *jx_text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "unknown";
}
