/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the page. Private to html*.c. */
#ifndef LT_REPORT_HTML_PARTS_H
#define LT_REPORT_HTML_PARTS_H

#include <jansson.h>
#include <stdio.h>

#include "report/view.h"

/* The text of a key, or "unknown". */
const char *html_string(const json_t *object, const char *key);

/* printf, with the whole result escaped. */
void html_printf(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A badge with the status of a phase or run, told by word as well as by colour. */
void html_badge(FILE *out, const char *status);

/* ---- html_style.c ---- */

void html_style(FILE *out);

/* ---- html_figures.c: what the keys of a result are called ---- */

/* One figure under its name, with its unit where the key holds one ("max_diff_ms"). */
void html_name(FILE *out, const char *key);
void html_value(FILE *out, const char *key, const json_t *value);

/* Every figure of a thread in groups. */
void html_thread(FILE *out, const json_t *thread);

/* ---- html_tables.c ---- */

/* The tables of summary.txt. */
void html_summary(FILE *out, const json_t *run);

/* Any JSON object as a table, what is nested in tables of its own. */
void html_object(FILE *out, const json_t *object);

/* Interrupts and softirqs of the measuring CPU during a phase. */
void html_interrupts(FILE *out, const json_t *phase);

#endif
