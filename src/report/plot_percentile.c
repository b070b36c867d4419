/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lateness and finish by percentile: each nine takes as much room as the one before. */
#include "report/plot_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NINES_MAX 15.0
#define CONFIDENCE 0.05 /* as in histogram_supports() */

static double nines(double q)
{
	return q < 1 ? fmin(-log10(1 - q), NINES_MAX) : NINES_MAX;
}

/* The last quantile that so many cycles support, in nines. */
static double supported_nines(uint64_t total)
{
	return -log10(-expm1(log(CONFIDENCE) / (double)total));
}

void percentile_x_axis(struct plot_axis *x, uint64_t total)
{
	static const struct {
		double percent;
		const char *label;
	} ticks[] = {
		{ 0, "0" },          { 50, "50" },          { 75, "" },
		{ 90, "90" },        { 95, "95" },          { 99, "99" },
		{ 99.5, "" },        { 99.9, "99.9" },      { 99.95, "" },
		{ 99.99, "99.99" },  { 99.995, "" },        { 99.999, "99.999" },
		{ 99.9999, "99.9999" }, { 99.99999, "99.99999" },
	};
	double end = fmin(supported_nines(total), NINES_MAX);

	x->title = "share of the expected cycles that were no later, in % (spaced by nines)";
	x->log = false;
	x->low = 0;
	x->high = end;
	for (size_t i = 0; i < sizeof(ticks) / sizeof(ticks[0]); i++) {
		double at = nines(ticks[i].percent / 100);

		if (at > end + 1e-9)
			break;
		axis_add_tick(x, at, fabs(at - round(at)) < 1e-6, ticks[i].label);
	}
}

void percentile_y_axis(struct plot_axis *y, double least_ns, double greatest_ns)
{
	/* Not below 1 us or a millionth of the range: there is nothing to be heard. */
	least_ns = fmax(least_ns, fmax(1e3, greatest_ns * 1e-6));
	y->title = "time after due in ms (log scale)";
	axis_log(y, least_ns * 0.7 / PLOT_NS_PER_MS, greatest_ns * 1.6 / PLOT_NS_PER_MS, 7);
}

static void y_axis(struct plot_axis *y, const struct metrics *m, double deadline_ns)
{
	double low = INFINITY, high = deadline_ns;
	const struct histogram *both[] = { m->lateness, m->finish };

	for (size_t i = 0; i < 2; i++) {
		if (!both[i]->n)
			continue;
		low = fmin(low, (double)both[i]->min);
		high = fmax(high, (double)both[i]->max);
	}
	percentile_y_axis(y, low, high);
}

/* A point of the curve, unless it is where the last one was. */
static void put_point(struct plot *plot, double *last_x, double *last_y, double x, double y)
{
	x = plot_round(x);
	y = plot_round(y);
	if (fabs(x - *last_x) < 0.25 && fabs(y - *last_y) < 0.25)
		return;
	cairo_line_to(plot->cr, x, y);
	*last_x = x;
	*last_y = y;
}

/*
 * Steps: all cycles of a bucket have its greatest value, as the quantiles in the figures have. The
 * curve ends at the last quantile that its own cycles support, wherever the axis ends.
 */
void percentile_curve(struct plot *plot, const struct histogram *h, uint64_t missed,
		      const struct plot_axis *x, const struct plot_axis *y)
{
	double total = (double)(h->n + missed), last_x = -1e9, last_y = -1e9, end = 0;
	double limit = fmin(supported_nines(h->n + missed), x->high);
	uint64_t seen = h->underflow;

	if (!h->n)
		return;
	cairo_new_path(plot->cr);
	put_point(plot, &last_x, &last_y, x->from,
		  axis_px(y, (double)h->min / PLOT_NS_PER_MS));
	for (unsigned int bucket = 0; bucket < HISTOGRAM_BUCKETS && end < limit; bucket++) {
		double value;

		if (!h->count[bucket])
			continue;
		value = fmin((double)histogram_high(bucket), (double)h->max) / PLOT_NS_PER_MS;
		put_point(plot, &last_x, &last_y, axis_px(x, nines((double)seen / total)),
			  axis_px(y, value));
		seen += h->count[bucket];
		end = fmin(nines((double)seen / total), limit);
		put_point(plot, &last_x, &last_y, axis_px(x, end), axis_px(y, value));
	}
	if (h->overflow && end < limit) {
		put_point(plot, &last_x, &last_y, last_x,
			  axis_px(y, (double)h->max / PLOT_NS_PER_MS));
		end = fmin(nines((double)h->n / total), limit);
		put_point(plot, &last_x, &last_y, axis_px(x, end), last_y);
	}
	/* Missed cycles are later than all: the curve leaves through the top. */
	if (missed && nines((double)h->n / total) < limit)
		put_point(plot, &last_x, &last_y, axis_px(x, nines((double)h->n / total)), y->to);
	cairo_stroke(plot->cr);
}

static void shade_missed(struct plot *plot, const struct plot_box *box, const struct metrics *m,
			 const struct plot_axis *x)
{
	double first = nines((double)m->lateness->n / (double)(m->lateness->n + m->missed)), left;

	if (!m->missed || first >= x->high)
		return;
	left = axis_px(x, first);
	plot_colour(plot, plot->palette->missed, 0.18);
	cairo_rectangle(plot->cr, left, box->y, box->x + box->w - left, box->h);
	cairo_fill(plot->cr);
	plot_pen(plot, plot->palette->missed, 1, LINE_DOT);
	plot_segment(plot, left, box->y, left, box->y + box->h);
	if (box->x + box->w - left > plot_text_width(plot, "missed cycles") + 12)
		plot_text(plot, left + 6, box->y + box->h - 8, 0, plot->palette->missed,
			  "missed cycles");
	else
		plot_text(plot, left - 6, box->y + box->h - 8, 1, plot->palette->missed,
			  "missed cycles \xe2\x86\x92");
}

static void draw_legend(struct plot *plot, const struct metrics *m, double deadline_ns)
{
	const struct plot_palette *palette = plot->palette;
	struct plot_legend entries[] = {
		{ MARK_LINE, LINE_SOLID, palette->finish, "" },
		{ MARK_LINE, LINE_DASH, palette->lateness, "" },
		{ MARK_LINE, LINE_DASH_DOT, palette->deadline, "" },
		{ MARK_AREA, LINE_SOLID, palette->missed, "" },
	};

	snprintf(entries[0].text, sizeof(entries[0].text), "finish (max %.4g ms)",
		 (double)m->finish->max / PLOT_NS_PER_MS);
	snprintf(entries[1].text, sizeof(entries[1].text), "lateness (max %.4g ms)",
		 (double)m->lateness->max / PLOT_NS_PER_MS);
	snprintf(entries[2].text, sizeof(entries[2].text),
		 "deadline (%.3f ms, %" PRIu64 " late finish%s)", deadline_ns / PLOT_NS_PER_MS,
		 m->late_finishes, m->late_finishes == 1 ? "" : "es");
	snprintf(entries[3].text, sizeof(entries[3].text), "missed cycles (%" PRIu64 ")",
		 m->missed);
	plot_legend(plot, 16, 50, entries, sizeof(entries) / sizeof(entries[0]));
}

void percentile_end(struct plot *plot, const struct plot_box *box, double end, uint64_t total)
{
	char text[96];

	snprintf(text, sizeof(text), "ends at %.*f %%: %" PRIu64 " cycles support no more",
		 (int)fmin(fmax(ceil(end), 1), 8), 100 * (1 - pow(10, -end)), total);
	plot_text(plot, box->x + box->w, box->y - 8, 1, plot->palette->muted, text);
}

void plot_draw_percentile(struct plot *plot, const struct run_view *view,
			  const struct phase_view *phase)
{
	struct plot_reference reference = plot_reference(view, phase);
	struct plot_box box = { 76, 84, PLOT_WIDTH - 76 - 20, PLOT_HEIGHT - 84 - 52 };
	const struct metrics *m = phase->evaluation ? &phase->evaluation->metrics : NULL;
	struct plot_axis x = { .n = 0 }, y = { .n = 0 };
	uint64_t total;
	double at;

	if (!m || !m->cycles) {
		plot_nothing(plot, &box, "no samples");
		return;
	}
	total = m->lateness->n + m->missed;
	if (!m->lateness->n || !m->finish->n || !histogram_supports(total, 0.5)) {
		plot_nothing(plot, &box, m->lateness->n ? "too few cycles for percentiles" :
							  "lateness is not known");
		return;
	}
	percentile_x_axis(&x, total);
	y_axis(&y, m, reference.deadline_ns);
	draw_legend(plot, m, reference.deadline_ns);
	axes_draw(plot, &box, &x, &y);
	percentile_end(plot, &box, x.high, total);
	shade_missed(plot, &box, m, &x);
	if (reference.deadline_ns > 0) {
		at = axis_px(&y, reference.deadline_ns / PLOT_NS_PER_MS);
		plot_pen(plot, plot->palette->deadline, 1.5, LINE_DASH_DOT);
		plot_segment(plot, box.x, at, box.x + box.w, at);
	}
	plot_pen(plot, plot->palette->finish, 2, LINE_SOLID);
	percentile_curve(plot, m->finish, m->missed, &x, &y);
	plot_pen(plot, plot->palette->lateness, 2, LINE_DASH);
	percentile_curve(plot, m->lateness, m->missed, &x, &y);
}
