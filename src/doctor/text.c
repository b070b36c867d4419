/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "doctor/doctor.h"
#include "util/jx.h"
#include "util/paragraph.h"

#define STATUS_COLUMNS 10 /* of "not good  " */
#define MATTERS_MAX 5     /* titles in the verdict */

static void put(FILE *out, size_t column, size_t indent, size_t columns, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

static void put(FILE *out, size_t column, size_t indent, size_t columns, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	paragraph_vprintf(out, column, indent, columns, fmt, args);
	va_end(args);
}

static bool has_status(const json_t *finding, const char *status)
{
	return !strcmp(jx_text(finding, "status"), status);
}

static void put_finding(FILE *out, const json_t *finding, enum doctor_detail detail, size_t columns)
{
	const char *cure = jx_text(finding, "cure");
	bool good = has_status(finding, "good");

	fprintf(out, "%-*s", STATUS_COLUMNS - 1, jx_text(finding, "status"));
	put(out, STATUS_COLUMNS - 1, STATUS_COLUMNS + 2, columns, "%s: %s",
	    jx_text(finding, "title"), jx_text(finding, "evidence"));
	if (good && detail != DOCTOR_VERBOSE)
		return;
	fprintf(out, "%*s", STATUS_COLUMNS + 2, "why:");
	put(out, STATUS_COLUMNS + 2, STATUS_COLUMNS + 4, columns, "%s", jx_text(finding, "why"));
	if (!*cure)
		return;
	fprintf(out, "%*s", STATUS_COLUMNS + 2, "cure:");
	put(out, STATUS_COLUMNS + 2, STATUS_COLUMNS + 4, columns, "%s", cure);
}

/* What spoils results comes first. */
static void list_matters(const json_t *findings, bool spoils, char *list, size_t size, size_t *n)
{
	const json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding) {
		size_t used = strlen(list);

		if (!has_status(finding, "not good") || *n == MATTERS_MAX ||
		    json_is_true(json_object_get(finding, "spoils_results")) != spoils)
			continue;
		snprintf(list + used, size - used, "%s%s", used ? ", " : "",
			 jx_text(finding, "title"));
		++*n;
	}
}

static void put_verdict(FILE *out, const json_t *findings, size_t columns)
{
	size_t bad = doctor_count(findings, "not good"), n = 0;
	char matters[400] = "";

	list_matters(findings, true, matters, sizeof(matters), &n);
	list_matters(findings, false, matters, sizeof(matters), &n);
	put(out, 0, 2, columns, "%zu good, %zu not good, %zu unknown%s%s%s.",
	    doctor_count(findings, "good"), bad, doctor_count(findings, "unknown"),
	    bad ? ". What matters most: " : "", matters, bad > n ? " ..." : "");
}

void doctor_text(FILE *out, const json_t *findings, enum doctor_detail detail, size_t columns)
{
	const char *group = "";
	const json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding) {
		if (detail == DOCTOR_BRIEF && !has_status(finding, "not good"))
			continue;
		if (strcmp(group, jx_text(finding, "group"))) {
			fprintf(out, "%s%s\n", *group ? "\n" : "", jx_text(finding, "group"));
			group = jx_text(finding, "group");
		}
		put_finding(out, finding, detail, columns);
	}
	if (*group)
		fputc('\n', out);
	put_verdict(out, findings, columns);
}

char *doctor_line(const json_t *finding)
{
	char *line;

	return asprintf(&line, "%s: %s", jx_text(finding, "title"), jx_text(finding,
									    "evidence")) < 0
		       ? NULL : line;
}
