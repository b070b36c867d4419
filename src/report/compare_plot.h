/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sides of a comparison over each other. */
#ifndef LT_REPORT_COMPARE_PLOT_H
#define LT_REPORT_COMPARE_PLOT_H

#include "report/compare.h"
#include "report/plot.h"

enum compare_plot_kind {
	COMPARE_PLOT_PERCENTILES, /* lateness and finish by percentile */
	COMPARE_PLOT_HISTOGRAMS,  /* diff and lateness, as shares of the cycles */
};

/* Whether any side has samples of the phase. */
bool compare_plot_possible(const struct compare *compare, const char *phase);

/* What is to be seen, in words. The caller frees it; NULL without memory. */
char *compare_plot_title(const char *phase, enum compare_plot_kind kind);
char *compare_plot_description(const struct compare *compare, const char *phase,
			       enum compare_plot_kind kind);

/* As plot_render(): the cycles of all runs of a side are drawn together. */
int compare_plot_render(const struct compare *compare, const char *phase,
			enum compare_plot_kind kind, enum plot_format format,
			enum plot_theme theme, unsigned char **bytes, size_t *length,
			struct fault *fault);

#endif
