/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All phases of a run side by side on one scale. */
#include "report/plot_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW_MAX 6
#define LEFT 76.0
#define GAP 20.0
#define HEAD 146.0     /* above the panels of the first row: title, legend, names */
#define PANEL 210.0
#define ROW_HEAD 80.0  /* above the panels of each later row */
#define FOOT 52.0

static size_t rows(const struct run_view *view)
{
	return view->n ? (view->n + ROW_MAX - 1) / ROW_MAX : 1;
}

static size_t per_row(const struct run_view *view)
{
	return view->n ? (view->n + rows(view) - 1) / rows(view) : 1;
}

static double row_y(size_t row)
{
	return HEAD + (double)row * (PANEL + ROW_HEAD + 46);
}

/* cairo's surfaces end at 32767 pixels: so many phases are not drawn. */
double plot_overview_height(const struct run_view *view)
{
	return fmin(row_y(rows(view) - 1) + PANEL + FOOT, 30000);
}

static bool drawable(const struct phase_view *phase)
{
	return phase->timeline && phase->timeline->n && phase->evaluation &&
	       phase->evaluation->metrics.diff->n;
}

static void scale(const struct run_view *view, struct plot_reference *reference,
		  struct plot_axis *y)
{
	double greatest = 0, least = INFINITY;

	*reference = plot_reference(view, view->n ? &view->phases[0] : NULL);
	for (size_t i = 0; i < view->n; i++) {
		const struct phase_view *phase = &view->phases[i];
		struct plot_reference own = plot_reference(view, phase);
		const struct metrics *m;

		reference->period_ns = fmax(reference->period_ns, own.period_ns);
		reference->deadline_ns = fmax(reference->deadline_ns, own.deadline_ns);
		if (!drawable(phase))
			continue;
		m = &phase->evaluation->metrics;
		greatest = fmax(greatest, fmax((double)m->diff->max, (double)m->burn->max));
		least = fmin(least, fmin((double)m->diff->min, (double)m->burn->min));
	}
	time_y_axis(y, reference, greatest, least, 7);
}

static void panel_words(struct plot *plot, const struct plot_box *box,
			const struct phase_view *phase)
{
	const struct plot_palette *palette = plot->palette;
	const char *status = plot_status(phase);
	const struct metrics *m = drawable(phase) ? &phase->evaluation->metrics : NULL;
	char name[160], line[96], number[32];

	snprintf(name, sizeof(name), "%.100s%s%.40s", phase->name,
		 strcmp(status, "valid") ? ", " : "", strcmp(status, "valid") ? status : "");
	plot_text_fitted(plot, box->x, box->y - 62, box->w, palette->ink, name);
	if (!m)
		return;
	snprintf(line, sizeof(line), "max diff %s ms",
		 plot_number(number, sizeof(number), (double)m->diff->max / PLOT_NS_PER_MS, 3));
	plot_text(plot, box->x, box->y - 46, 0, palette->muted, line);
	snprintf(line, sizeof(line), "%" PRIu64 " overrun%s", m->overruns,
		 m->overruns == 1 ? "" : "s");
	plot_text(plot, box->x, box->y - 30, 0, m->overruns ? palette->deadline : palette->muted,
		  line);
	snprintf(line, sizeof(line), "%" PRIu64 " missed", m->missed);
	plot_text(plot, box->x, box->y - 14, 0, m->missed ? palette->missed : palette->muted, line);
}

static void draw_panel(struct plot *plot, const struct plot_box *box,
		       const struct run_view *view, const struct phase_view *phase,
		       const struct plot_axis *shared, bool leftmost)
{
	struct plot_reference reference = plot_reference(view, phase);
	struct plot_axis x = { .n = 0 }, y = *shared;

	panel_words(plot, box, phase);
	if (!drawable(phase)) {
		plot_nothing(plot, box, "no samples");
		return;
	}
	time_x_axis(&x, phase->timeline, (unsigned int)fmax(2, box->w / 60));
	x.title = x.title && strstr(x.title, "hours") ? "time in hours" : "time in s";
	if (!leftmost) {
		y.title = NULL;
		for (size_t i = 0; i < y.n; i++)
			y.ticks[i].label[0] = '\0';
	}
	axes_draw(plot, box, &x, &y);
	time_traces(plot, box, phase->timeline, &x, &y, &reference);
}

void plot_draw_overview(struct plot *plot, const struct run_view *view)
{
	const struct plot_palette *palette = plot->palette;
	struct plot_legend entries[] = {
		{ MARK_LINE, LINE_SOLID, palette->diff, "diff" },
		{ MARK_LINE, LINE_SOLID, palette->burn, "burn" },
		{ MARK_LINE, LINE_DASH, palette->period, "" },
		{ MARK_LINE, LINE_DASH_DOT, palette->deadline, "" },
		{ MARK_TRIANGLE, LINE_SOLID, palette->missed, "missed cycles" },
	};
	struct plot_reference reference;
	struct plot_axis y = { .n = 0 };
	size_t n = per_row(view);
	double width = (PLOT_WIDTH - LEFT - 16 - GAP * (double)(n - 1)) / (double)n;
	struct plot_box whole = { LEFT, HEAD, PLOT_WIDTH - LEFT - 16, PANEL };
	bool labelled = false;

	if (!view->n) {
		plot_nothing(plot, &whole, "no phases");
		return;
	}
	scale(view, &reference, &y);
	snprintf(entries[2].text, sizeof(entries[2].text), "period P (%.3f ms)",
		 reference.period_ns / PLOT_NS_PER_MS);
	snprintf(entries[3].text, sizeof(entries[3].text), "deadline (%.3f ms)",
		 reference.deadline_ns / PLOT_NS_PER_MS);
	plot_legend(plot, 16, 50, entries, sizeof(entries) / sizeof(entries[0]));
	for (size_t i = 0; i < view->n; i++) {
		struct plot_box box = { LEFT + (double)(i % n) * (width + GAP), row_y(i / n), width,
					PANEL };

		/* The leftmost picture of a row bears the labels, for want of it the next one. */
		labelled = i % n && labelled;
		draw_panel(plot, &box, view, &view->phases[i], &y, !labelled);
		labelled = labelled || (drawable(&view->phases[i]) && i % n == 0);
	}
}
