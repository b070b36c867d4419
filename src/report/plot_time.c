/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The classic picture: diff and burn over time, with the period and the deadline. */
#include "report/plot_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Linear up to so many periods, beyond that the spikes would press all else flat. */
#define LINEAR_PERIODS 10.0
#define LOG_LEAST_SHARE 1e-3 /* of the period: below this the logarithmic axis ends */
#define NS_PER_S 1e9
#define SECONDS_MAX 10800.0  /* longer ones are told in hours */
#define DOTTED_MAX 80        /* so few points are marked one by one */
#define MISSED_STRIP 12.0

void time_y_axis(struct plot_axis *y, const struct plot_reference *reference, double greatest_ns,
		 double least_ns, unsigned int want)
{
	double period = reference->period_ns;
	double top = fmax(fmax(period, reference->deadline_ns), greatest_ns);
	double low;

	if (!(top > 0))
		top = PLOT_NS_PER_MS;
	if (period <= 0 || top <= LINEAR_PERIODS * period) {
		y->title = "diff and burn in ms";
		axis_linear(y, 0, top * 1.08 / PLOT_NS_PER_MS, want);
		return;
	}
	low = fmax(fmin(least_ns, period / 2), period * LOG_LEAST_SHARE);
	y->title = "diff and burn in ms (log scale)";
	axis_log(y, low * 0.8 / PLOT_NS_PER_MS, top * 1.5 / PLOT_NS_PER_MS, want);
}

static double length_ns(const struct timeline *timeline)
{
	return (double)timeline->n * (double)timeline->bin_ns;
}

static double unit_ns(const struct timeline *timeline)
{
	return length_ns(timeline) > SECONDS_MAX * NS_PER_S ? 3600 * NS_PER_S : NS_PER_S;
}

void time_x_axis(struct plot_axis *x, const struct timeline *timeline, unsigned int want)
{
	double unit = unit_ns(timeline);

	x->title = unit > NS_PER_S ? "time since the start of the phase in hours" :
				     "time since the start of the phase in s";
	axis_linear(x, 0, length_ns(timeline) / unit, want);
}

/* A column of the picture: whole stretches of the timeline, at most one per pixel. */
struct column {
	double x;
	struct timeline_bin bin;
};

static size_t columns(const struct timeline *timeline, const struct plot_box *box)
{
	size_t pixels = (size_t)fmax(box->w, 1);

	return timeline->n < pixels ? timeline->n : pixels;
}

static struct column column(const struct timeline *timeline, const struct plot_axis *x, size_t i,
			    size_t n)
{
	int64_t first = (int64_t)(i * timeline->n / n), end = (int64_t)((i + 1) * timeline->n / n);
	double middle = (double)(first + end) / 2 * (double)timeline->bin_ns;
	struct column result = {
		.x = axis_px(x, middle / unit_ns(timeline)),
		.bin = timeline_range(timeline, first * timeline->bin_ns, end * timeline->bin_ns),
	};

	return result;
}

static void put_point(struct plot *plot, double x, double y)
{
	cairo_line_to(plot->cr, plot_round(x), plot_round(y));
}

/* One line through least and greatest of each column, so that every spike is there. */
static void trace(struct plot *plot, const struct plot_box *box, const struct timeline *timeline,
		  const struct plot_axis *x, const struct plot_axis *y, bool burn)
{
	size_t n = columns(timeline, box);
	double last = y->from;

	cairo_new_path(plot->cr);
	for (size_t i = 0; i < n; i++) {
		struct column c = column(timeline, x, i, n);
		double low, high;

		if (!c.bin.n)
			continue;
		low = axis_px(y, (double)(burn ? c.bin.min_burn_ns : c.bin.min_diff_ns) /
				 PLOT_NS_PER_MS);
		high = axis_px(y, (double)(burn ? c.bin.max_burn_ns : c.bin.max_diff_ns) /
				  PLOT_NS_PER_MS);
		if (fabs(low - last) > fabs(high - last)) {
			double swap = low;

			low = high;
			high = swap;
		}
		put_point(plot, c.x, low);
		if (fabs(high - low) >= 0.25)
			put_point(plot, c.x, high);
		last = high;
	}
	cairo_stroke(plot->cr);
}

static void dot(struct plot *plot, double x, double y)
{
	cairo_arc(plot->cr, x, y, 2.2, 0, 2 * M_PI);
	cairo_fill(plot->cr);
}

static void dots(struct plot *plot, const struct plot_box *box, const struct timeline *timeline,
		 const struct plot_axis *x, const struct plot_axis *y, bool burn)
{
	size_t n = columns(timeline, box);

	for (size_t i = 0; n <= DOTTED_MAX && i < n; i++) {
		struct column c = column(timeline, x, i, n);
		int64_t low = burn ? c.bin.min_burn_ns : c.bin.min_diff_ns;
		int64_t high = burn ? c.bin.max_burn_ns : c.bin.max_diff_ns;

		if (!c.bin.n)
			continue;
		dot(plot, c.x, axis_px(y, (double)high / PLOT_NS_PER_MS));
		if (low < high)
			dot(plot, c.x, axis_px(y, (double)low / PLOT_NS_PER_MS));
	}
}

static void reference_line(struct plot *plot, const struct plot_box *box,
			   const struct plot_axis *y, double ns, uint32_t colour,
			   enum plot_line line)
{
	double at = axis_px(y, ns / PLOT_NS_PER_MS);

	if (ns <= 0)
		return;
	plot_pen(plot, colour, 1.5, line);
	plot_segment(plot, box->x, at, box->x + box->w, at);
}

static void missed_marks(struct plot *plot, const struct plot_box *box,
			 const struct timeline *timeline, const struct plot_axis *x)
{
	size_t n = columns(timeline, box);

	plot_colour(plot, plot->palette->missed, 1);
	for (size_t i = 0; i < n; i++) {
		struct column c = column(timeline, x, i, n);

		if (c.bin.missed)
			plot_triangle(plot, c.x, box->y, 8);
	}
	cairo_fill(plot->cr);
}

void time_traces(struct plot *plot, const struct plot_box *box, const struct timeline *timeline,
		 const struct plot_axis *x, const struct plot_axis *y,
		 const struct plot_reference *reference)
{
	const struct plot_palette *palette = plot->palette;

	plot_pen(plot, palette->burn, 1, LINE_SOLID);
	trace(plot, box, timeline, x, y, true);
	dots(plot, box, timeline, x, y, true);
	plot_pen(plot, palette->diff, 1, LINE_SOLID);
	trace(plot, box, timeline, x, y, false);
	dots(plot, box, timeline, x, y, false);
	reference_line(plot, box, y, reference->period_ns, palette->period, LINE_DASH);
	reference_line(plot, box, y, reference->deadline_ns, palette->deadline, LINE_DASH_DOT);
	missed_marks(plot, box, timeline, x);
}

/* A figure beside the right edge, at the height of its line. */
struct side_label {
	const char *name;
	double value_ns;
	double y;
	uint32_t colour;
};

static void draw_side_labels(struct plot *plot, const struct plot_box *box,
			     const struct plot_axis *y, struct side_label *labels, size_t n)
{
	/* From above to below, each at least a line apart: three or fewer, sorted by value. */
	for (size_t i = 1; i < n; i++) {
		struct side_label label = labels[i];
		size_t j = i;

		for (; j > 0 && labels[j - 1].value_ns < label.value_ns; j--)
			labels[j] = labels[j - 1];
		labels[j] = label;
	}
	for (size_t i = 0; i < n; i++) {
		labels[i].y = axis_px(y, labels[i].value_ns / PLOT_NS_PER_MS) + 4;
		if (i && labels[i].y < labels[i - 1].y + 14)
			labels[i].y = labels[i - 1].y + 14;
	}
	for (size_t i = n; i-- > 0;) {
		double limit = i + 1 < n ? labels[i + 1].y - 14 : box->y + box->h + 4;
		char text[64], number[32];

		if (labels[i].y > limit)
			labels[i].y = limit;
		snprintf(text, sizeof(text), "%s %s", labels[i].name,
			 plot_number(number, sizeof(number), labels[i].value_ns / PLOT_NS_PER_MS,
				     labels[i].value_ns < 1e9 ? 3 : 0));
		plot_text(plot, box->x + box->w + 8, labels[i].y, 0, labels[i].colour, text);
	}
}

static void draw_legend(struct plot *plot, const struct metrics *m)
{
	const struct plot_palette *palette = plot->palette;
	struct plot_legend entries[] = {
		{ MARK_LINE, LINE_SOLID, palette->diff, "diff (time between wake-ups)" },
		{ MARK_LINE, LINE_SOLID, palette->burn, "burn" },
		{ MARK_LINE, LINE_DASH, palette->period, "period P" },
		{ MARK_LINE, LINE_DASH_DOT, palette->deadline, "" },
		{ MARK_TRIANGLE, LINE_SOLID, palette->missed, "" },
	};

	snprintf(entries[3].text, sizeof(entries[3].text), "deadline (%" PRIu64 " overrun%s)",
		 m->overruns, m->overruns == 1 ? "" : "s");
	snprintf(entries[4].text, sizeof(entries[4].text), "missed cycles (%" PRIu64 ")",
		 m->missed);
	plot_legend(plot, 16, 50, entries, sizeof(entries) / sizeof(entries[0]));
}

void plot_draw_time(struct plot *plot, const struct run_view *view, const struct phase_view *phase)
{
	struct plot_reference reference = plot_reference(view, phase);
	struct plot_box box = { 76, 66 + MISSED_STRIP, PLOT_WIDTH - 76 - 124,
				PLOT_HEIGHT - 66 - MISSED_STRIP - 52 };
	const struct timeline *timeline = phase->timeline;
	const struct metrics *m = phase->evaluation ? &phase->evaluation->metrics : NULL;
	struct plot_axis x = { .n = 0 }, y = { .n = 0 };
	struct side_label labels[3];
	size_t n = 0;

	if (!timeline || !timeline->n || !m || !m->diff->n) {
		plot_nothing(plot, &box, "no samples");
		return;
	}
	draw_legend(plot, m);
	time_x_axis(&x, timeline, 10);
	time_y_axis(&y, &reference, (double)(m->diff->max > m->burn->max ? m->diff->max :
									    m->burn->max),
		    fmin((double)m->diff->min, (double)m->burn->min), 8);
	axes_draw(plot, &box, &x, &y);
	time_traces(plot, &box, timeline, &x, &y, &reference);
	labels[n++] = (struct side_label){ "max diff", (double)m->diff->max, 0,
					   plot->palette->diff };
	if (reference.deadline_ns > 0)
		labels[n++] = (struct side_label){ "deadline", reference.deadline_ns, 0,
						   plot->palette->deadline };
	if (reference.period_ns > 0)
		labels[n++] = (struct side_label){ "P", reference.period_ns, 0,
						   plot->palette->period };
	draw_side_labels(plot, &box, &y, labels, n);
}
