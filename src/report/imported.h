/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs that were imported, in words: only what their text gave is told. */
#ifndef LT_REPORT_IMPORTED_H
#define LT_REPORT_IMPORTED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether the object of run.json is an imported run. */
bool imported_run(const json_t *run);

/* As summary_write(), summary_verdict() and verdict_phase(), for such a run. */
int imported_summary(FILE *out, const json_t *run);
char *imported_verdict(const json_t *run);
char *imported_phase_verdict(const json_t *run, const json_t *phase);

#endif
