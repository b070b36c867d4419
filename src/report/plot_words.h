/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a picture shows, in words: its title, and a description for whoever cannot see it. */
#ifndef LT_REPORT_PLOT_WORDS_H
#define LT_REPORT_PLOT_WORDS_H

#include "report/plot.h"

/* The lines a picture is judged by, in ns; 0 where unknown. */
struct plot_reference {
	double period_ns;
	double deadline_ns;
};

/* From the samples, else from the conditions of the run. phase may be NULL. */
struct plot_reference plot_reference(const struct run_view *view, const struct phase_view *phase);

/* Status of a phase ("valid", ...), or "unknown". */
const char *plot_status(const struct phase_view *phase);

/* "x11 (suspect): diff and burn over time". The caller frees it; NULL without memory. */
char *plot_title(const struct run_view *view, const struct phase_view *phase, enum plot_kind kind);

/* Some sentences with the figures that are to be seen. Likewise. */
char *plot_description(const struct run_view *view, const struct phase_view *phase,
		       enum plot_kind kind);

#endif
