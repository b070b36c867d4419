/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a run of a sweep left: whether it counts as a result, and what is wrong with it. */
#ifndef LT_SWEEP_WHOLE_RUN_H
#define LT_SWEEP_WHOLE_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * run.json of a run that came to its end with all its phases, be they valid or not: a new
 * reference. NULL where there is none such: it is missing, damaged, or of a run that was ended.
 */
json_t *whole_run_load(const char *dir, const char *name);

/* Whether one of its phases is invalid. */
bool whole_run_has_invalid(const json_t *run);

/* Why such a run ends with status 1, "proc: killed by ...", of several the first; else "". */
void whole_run_flaw(const json_t *run, char *buf, size_t size);

#endif
