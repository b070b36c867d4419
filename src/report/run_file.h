/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a result directory back: run.json and the sample files beside it. */
#ifndef LT_REPORT_RUN_FILE_H
#define LT_REPORT_RUN_FILE_H

#include "report/view.h"
#include "util/fault.h"

/*
 * What the metrics of a run need besides what its sample files say: period, deadline, nominal
 * burn, and the real-time throttling that was in force.
 */
struct metrics_params run_file_metrics_params(const json_t *run);

/*
 * Reads DIR/run.json and evaluates the samples of every phase; figures that the samples give take
 * the place of those in the file, in memory only. A phase that was being measured when the run was
 * killed is not in run.json: it is added, as interrupted, from its sample file. A phase whose
 * sample file is cut, damaged or at odds with itself becomes invalid, with the reason. 0 or a
 * negative errno with the reason in fault; end with run_file_close(). Nothing is written.
 */
int run_file_open(struct run_view *view, const char *dir, struct fault *fault);
void run_file_close(struct run_view *view);

/*
 * Control characters in all text below value, keys too, become '?' (line breaks and tabs blanks):
 * what others wrote into a run.json must not steer the terminal it is shown on.
 */
void run_file_clean(json_t *value);

/* Whether the object has what nothing can be reported without. Likewise; path is told. */
int run_file_check(const json_t *run, const char *path, struct fault *fault);

#endif
