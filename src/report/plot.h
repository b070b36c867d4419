/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures of a phase and of a whole run, as SVG or PNG, for light and dark pages. */
#ifndef LT_REPORT_PLOT_H
#define LT_REPORT_PLOT_H

#include <stddef.h>

#include "report/view.h"
#include "util/fault.h"

enum plot_kind {
	PLOT_TIME,       /* the classic picture: diff and burn over time, period and deadline */
	PLOT_HISTOGRAM,  /* how often which diff and lateness came, counts logarithmic */
	PLOT_PERCENTILE, /* lateness and finish by percentile, spaced by nines */
	PLOT_OVERVIEW,   /* all phases over time on one scale */
};

enum plot_format { PLOT_SVG, PLOT_PNG };
enum plot_theme { PLOT_LIGHT, PLOT_DARK };

/*
 * Draws one picture into memory that the caller frees. phase is NULL for PLOT_OVERVIEW; a phase
 * without samples gives a picture that says so. 0, or a negative errno with the reason in fault.
 */
int plot_render(const struct run_view *view, const struct phase_view *phase, enum plot_kind kind,
		enum plot_format format, enum plot_theme theme, unsigned char **bytes,
		size_t *length, struct fault *fault);

#endif
