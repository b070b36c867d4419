/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary of a run as text, made for pasting into a mail: lines are under 72 columns. */
#ifndef LT_REPORT_SUMMARY_H
#define LT_REPORT_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

#define SUMMARY_COLUMNS 71

/*
 * Writes a line, broken at blanks where it is longer than SUMMARY_COLUMNS; the lines after the
 * first are indented.
 */
void summary_line(FILE *out, size_t indent, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Writes it from the object of run.json. 0 or a negative errno. */
int summary_write(FILE *out, const json_t *run);

/* The verdict: one plain sentence. The caller frees it; NULL without memory. */
char *summary_verdict(const json_t *run);

#endif
