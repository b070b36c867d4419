/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often which diff and which lateness came. */
#include "report/plot_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BARS_MAX 160
#define BAR_BUCKETS 4   /* a bar is so many buckets wide at least, else the counts would comb */
#define LOG_RATIO 8.0   /* greatest beyond so many medians: a logarithmic axis */
#define UNIT_MS_NS 1e7  /* from here on lateness is told in ms */

struct panel {
	const struct histogram *h;
	const char *name;
	uint32_t colour;
	double unit_ns;
	const char *unit;
	struct plot_reference reference; /* drawn where it lies within the range; 0: not at all */
	char title[96];
	struct plot_axis x;
	size_t bars;
	double counts[BARS_MAX];
};

/* The middle value of those that the buckets hold; for scaling only. */
static double middle(const struct histogram *h)
{
	uint64_t seen = h->underflow;

	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
		seen += h->count[bucket];
		if (2 * seen >= h->n)
			return (double)histogram_high(bucket);
	}
	return (double)h->max;
}

static double bucket_width(double value_ns)
{
	unsigned int bucket;

	if (value_ns < 0)
		return 1;
	if (value_ns >= (double)((int64_t)1 << HISTOGRAM_MAX_BITS))
		return value_ns / (1 << HISTOGRAM_SUB_BITS);
	bucket = histogram_bucket((int64_t)value_ns);
	return (double)(histogram_high(bucket) - histogram_low(bucket) + 1);
}

static void choose_range(struct panel *panel)
{
	const struct histogram *h = panel->h;
	double low = (double)h->min, high = (double)h->max, unit = panel->unit_ns;
	double width = bucket_width(high), pad;

	/* An axis holds the period as well, so that one sees on which side of it the cycles lie. */
	if (panel->reference.period_ns > 0) {
		low = fmin(low, panel->reference.period_ns);
		high = fmax(high, panel->reference.period_ns);
	}
	if (low >= 0 && high > LOG_RATIO * fmax(middle(h), 1)) {
		axis_log(&panel->x, fmax(low, 1) * 0.9 / unit, high * 1.1 / unit, 6);
		panel->bars = BARS_MAX;
	} else {
		pad = fmax((high - low) * 0.03, 4 * BAR_BUCKETS * width);
		low = low >= 0 && low < pad ? 0 : low - pad;
		high += pad;
		axis_linear(&panel->x, low / unit, high / unit, 6);
		panel->bars = (size_t)fmin(fmax((high - low) / (BAR_BUCKETS * width), 1), BARS_MAX);
	}
	snprintf(panel->title, sizeof(panel->title), "%s in %s%s", panel->name, panel->unit,
		 panel->x.log ? " (log scale)" : "");
	panel->x.title = panel->title;
}

/* Puts a count where its value lies; the axis runs from 0 to 1 for this. */
static void put_count(struct panel *panel, double value_ns, uint64_t count)
{
	struct plot_axis axis = panel->x;
	size_t bar;

	axis.from = 0;
	axis.to = (double)panel->bars;
	bar = (size_t)axis_px(&axis, value_ns / panel->unit_ns);
	panel->counts[bar < panel->bars ? bar : panel->bars - 1] += (double)count;
}

static double fill_bars(struct panel *panel)
{
	const struct histogram *h = panel->h;
	double greatest = 1;

	memset(panel->counts, 0, sizeof(panel->counts));
	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
		double value;

		if (!h->count[bucket])
			continue;
		value = (double)(histogram_low(bucket) + histogram_high(bucket)) / 2;
		put_count(panel, fmin(fmax(value, (double)h->min), (double)h->max),
			  h->count[bucket]);
	}
	/* Those have no bucket; they stand at the end they lie beyond. */
	if (h->underflow)
		put_count(panel, (double)h->min, h->underflow);
	if (h->overflow)
		put_count(panel, (double)h->max, h->overflow);
	for (size_t i = 0; i < panel->bars; i++)
		greatest = fmax(greatest, panel->counts[i]);
	return greatest;
}

static void draw_bars(struct plot *plot, const struct plot_box *box, const struct panel *panel,
		      const struct plot_axis *y)
{
	double bottom = box->y + box->h, width = box->w / (double)panel->bars;

	plot_colour(plot, panel->colour, 0.85);
	for (size_t i = 0; i < panel->bars; i++) {
		double left = plot_round(box->x + (double)i * width);
		double right = plot_round(box->x + (double)(i + 1) * width);
		double top = plot_round(axis_px(y, panel->counts[i]));

		if (panel->counts[i] <= 0)
			continue;
		/* A lone bar of an almost empty picture stays narrow. */
		cairo_rectangle(plot->cr, left, top, fmin(right - left, 24), bottom - top);
	}
	cairo_fill(plot->cr);
}

static void reference_line(struct plot *plot, const struct plot_box *box,
			   const struct panel *panel, double ns, uint32_t colour,
			   enum plot_line line, const char *name, double drop)
{
	double value = ns / panel->unit_ns, x;

	if (ns <= 0 || value < panel->x.low || value > panel->x.high)
		return;
	x = axis_px(&panel->x, value);
	plot_pen(plot, colour, 1.5, line);
	plot_segment(plot, x, box->y, x, box->y + box->h);
	if (x + plot_text_width(plot, name) + 6 > box->x + box->w)
		plot_text(plot, x - 5, box->y + drop, 1, colour, name);
	else
		plot_text(plot, x + 5, box->y + drop, 0, colour, name);
}

/* The figures above a panel. */
static void draw_words(struct plot *plot, const struct plot_box *box, const struct panel *panel)
{
	const struct histogram *h = panel->h;
	char line[200], median[48] = "", below[64] = "";
	int64_t value;

	if (histogram_quantile(h, 0, 0.5, &value) == QUANTILE_KNOWN)
		snprintf(median, sizeof(median), "median %.4g, ", (double)value / panel->unit_ns);
	if (h->underflow)
		snprintf(below, sizeof(below), " (%" PRIu64 " below 0, drawn at min)",
			 h->underflow);
	snprintf(line, sizeof(line), "n = %" PRIu64 ", min %.4g, %smax %.4g %s%s", h->n,
		 (double)h->min / panel->unit_ns, median, (double)h->max / panel->unit_ns,
		 panel->unit, below);
	plot_text_fitted(plot, box->x, box->y - 26, box->w, plot->palette->ink, panel->name);
	plot_text(plot, box->x, box->y - 10, 0, plot->palette->muted, line);
}

static void draw_panel(struct plot *plot, const struct plot_box *box, struct panel *panel)
{
	struct plot_axis y = { .title = "cycles (log scale)" };
	double greatest;

	choose_range(panel);
	greatest = fill_bars(panel);
	axis_log(&y, 0.6, fmax(greatest, 5) * 2.2, 7);
	/* Counts are whole: nothing between the bottom and 1. */
	axes_draw(plot, box, &panel->x, &y);
	draw_bars(plot, box, panel, &y);
	reference_line(plot, box, panel, panel->reference.period_ns, plot->palette->period,
		       LINE_DASH, "P", 14);
	reference_line(plot, box, panel, panel->reference.deadline_ns, plot->palette->deadline,
		       LINE_DASH_DOT, "deadline", 28);
	plot_pen(plot, plot->palette->muted, 1, LINE_SOLID);
	cairo_rectangle(plot->cr, box->x, box->y, box->w, box->h);
	cairo_stroke(plot->cr);
	draw_words(plot, box, panel);
}

void plot_draw_histogram(struct plot *plot, const struct run_view *view,
			 const struct phase_view *phase)
{
	struct plot_box box = { 76, 84, PLOT_WIDTH - 76 - 20, PLOT_HEIGHT - 84 - 52 };
	const struct metrics *m = phase->evaluation ? &phase->evaluation->metrics : NULL;
	struct panel diff, lateness;

	if (!m || !m->diff->n) {
		plot_nothing(plot, &box, "no samples");
		return;
	}
	diff = (struct panel){ .h = m->diff, .name = "diff (time between wake-ups)",
			       .colour = plot->palette->diff, .unit_ns = PLOT_NS_PER_MS,
			       .unit = "ms", .reference = plot_reference(view, phase) };
	if (m->lateness->n) {
		bool ms = (double)m->lateness->max >= UNIT_MS_NS;

		lateness = (struct panel){ .h = m->lateness, .name = "lateness (wake-up after due)",
					   .colour = plot->palette->lateness,
					   .unit_ns = ms ? PLOT_NS_PER_MS : 1e3,
					   .unit = ms ? "ms" : "\xc2\xb5s" };
		box.w = (PLOT_WIDTH - 2 * 76 - 20 - 14) / 2;
	}
	draw_panel(plot, &box, &diff);
	if (m->lateness->n) {
		box.x += box.w + 76 + 14;
		draw_panel(plot, &box, &lateness);
	}
}
