/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What plots and pages are made of: run.json, and per phase what one pass over its samples gave. */
#ifndef LT_REPORT_VIEW_H
#define LT_REPORT_VIEW_H

#include <jansson.h>
#include <stddef.h>

#include "report/evaluate.h"
#include "report/timeline.h"

struct phase_view {
	const json_t *phase;           /* its object in run.json; never NULL */
	const char *name;
	struct evaluation *evaluation; /* NULL where there are no samples (skipped, imported) */
	struct timeline *timeline;     /* likewise */
};

struct run_view {
	const char *dir;               /* result directory */
	json_t *run;                   /* the object of run.json */
	struct phase_view *phases;
	size_t n;
};

#endif
