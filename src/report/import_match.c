/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text against patterns: like scanf, but nothing is taken that is not wholly there. */
#include "report/import_parts.h"

#include <math.h>
#include <string.h>

#include "util/number.h"

#define COUNT_MAX 1000000000000000
#define REAL_MAX 1e300

/* The field at text, ended by what no number has in it: its length, 0 where it is none. */
static size_t read_field(char kind, const char *text, struct import_field *field)
{
	size_t length = strspn(text, kind == 'u' ? "0123456789" : "0123456789+-.eEnaif");
	int64_t count = 0;
	int err = 0;

	if (!length || length >= sizeof(field->text))
		return 0;
	memcpy(field->text, text, length);
	field->text[length] = '\0';
	if (kind == 'u') {
		err = number_i64(field->text, 0, COUNT_MAX, &count);
		field->real = (double)count;
	} else if (!strcmp(field->text, "nan") || !strcmp(field->text, "-nan")) {
		field->real = NAN;
	} else {
		err = number_double(field->text, -REAL_MAX, REAL_MAX, &field->real);
	}
	field->count = (uint64_t)count;
	return err ? 0 : length;
}

enum import_match import_match(const char *pattern, const char *text, struct import_field *fields)
{
	unsigned int n = 0;

	for (; *pattern; pattern++) {
		size_t length;
		bool field;

		if (*pattern == ' ') {
			text += strspn(text, " \t");
			continue;
		}
		field = *pattern == '%' && *++pattern != '%';
		if (!*text)
			return n || field ? IMPORT_MATCH_PART : IMPORT_MATCH_NOT;
		if (!field) {
			if (*text++ != *pattern)
				return n ? IMPORT_MATCH_BAD : IMPORT_MATCH_NOT;
			continue;
		}
		length = read_field(*pattern, text, &fields[n++]);
		if (!length)
			return IMPORT_MATCH_BAD;
		text += length;
	}
	return *text ? IMPORT_MATCH_BAD : IMPORT_MATCH_WHOLE;
}

int import_counts(const char *text, uint64_t *counts, int max)
{
	int n = 0;

	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		struct import_field field;
		size_t length = read_field('u', text, &field);

		if (!length || n == max || (text[length] && !strchr(" \t", text[length])))
			return -1;
		counts[n++] = field.count;
		text += length;
	}
	return n;
}
