/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a result directory that are made from run.json: itself, the logs, the summary. */
#ifndef LT_REPORT_RESULT_H
#define LT_REPORT_RESULT_H

#include <jansson.h>

#include "report/view.h"
#include "util/fault.h"

#define RESULT_SCHEMA_VERSION 1

/*
 * Writes DIR/run.json: whole or not at all (a temporary file, fsync, rename). 0 or a negative errno
 * with the reason in fault.
 */
int result_save_run(const char *dir, const json_t *run, struct fault *fault);

/*
 * Writes DIR/NAME.log of a phase that has cycles, in the classic format after `#` lines; none where
 * a phase was imported from a tool that has no such figures.
 */
int result_save_log(const char *dir, const json_t *run, const json_t *phase, struct fault *fault);

/* Writes DIR/summary.txt. */
int result_save_summary(const char *dir, const json_t *run, struct fault *fault);

/*
 * Writes what is derived and can be looked at: DIR/plots/ with every plot as SVG and PNG, and
 * DIR/report.html. 0 or a negative errno with the reason in fault.
 */
int result_save_plots(const char *dir, const struct run_view *view, struct fault *fault);
int result_save_html(const char *dir, const struct run_view *view, struct fault *fault);

#endif
