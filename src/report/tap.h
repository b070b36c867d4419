/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phases as test results, for CI: KTAP, which TAP readers understand too. */
#ifndef LT_REPORT_TAP_H
#define LT_REPORT_TAP_H

#include <jansson.h>
#include <stdio.h>

/*
 * The version line and plan for a given number of results; then each run adds its phases, numbered
 * from *number on. A phase is ok when it is valid, or suspect with no limit given, and within the
 * limits of its run; the reasons follow as diagnostics. 0 or a negative errno.
 */
int tap_plan(FILE *out, size_t results);
int tap_run(FILE *out, const json_t *run, const char *prefix, size_t *number);

#endif
