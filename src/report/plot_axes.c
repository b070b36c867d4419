/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_draw.h"

#include <math.h>
#include <stdio.h>

/* The round number (1, 2 or 5 times a power of ten) at or above value. */
static double nice_step(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	if (digit <= 1 + 1e-9)
		return power;
	if (digit <= 2 + 1e-9)
		return 2 * power;
	return (digit <= 5 + 1e-9 ? 5 : 10) * power;
}

void axis_add_tick(struct plot_axis *axis, double at, bool major, const char *label)
{
	struct plot_tick *tick;

	if (axis->n == PLOT_MAX_TICKS)
		return;
	tick = &axis->ticks[axis->n++];
	tick->at = at;
	tick->major = major;
	snprintf(tick->label, sizeof(tick->label), "%s", label);
}

void axis_linear(struct plot_axis *axis, double low, double high, unsigned int want)
{
	double step, first;
	int decimals;

	if (!(high > low))
		high = low + fmax(fabs(low) * 1e-3, 1e-6);
	axis->log = false;
	axis->low = low;
	axis->high = high;
	axis->n = 0;
	step = nice_step((high - low) / (want ? want : 1));
	decimals = (int)fmin(fmax(-floor(log10(step) + 1e-9), 0), 9);
	first = ceil(low / step - 1e-9);
	for (unsigned int i = 0; i < PLOT_MAX_TICKS; i++) {
		double at = (first + i) * step;
		char label[24];

		if (at > high + 1e-9 * step)
			break;
		plot_number(label, sizeof(label), at, decimals);
		axis_add_tick(axis, at, true, label);
	}
}

static void add_log_tick(struct plot_axis *axis, int decade, int digit, bool labelled)
{
	double at = digit * pow(10, decade);
	char label[24] = "";

	if (at < axis->low * (1 - 1e-9) || at > axis->high * (1 + 1e-9))
		return;
	if (labelled)
		plot_number(label, sizeof(label), at, decade < 0 ? (decade > -9 ? -decade : 9) : 0);
	axis_add_tick(axis, at, digit == 1, label);
}

void axis_log(struct plot_axis *axis, double low, double high, unsigned int want)
{
	int first, last, stride;
	double decades;

	low = fmax(low, 1e-9);
	if (!(high > low * 1.01))
		high = low * 10;
	axis->log = true;
	axis->low = low;
	axis->high = high;
	axis->n = 0;
	decades = log10(high / low);
	first = (int)floor(log10(low));
	last = (int)ceil(log10(high));
	stride = (int)fmax(1, ceil(decades / (want ? want : 1)));
	for (int decade = first; decade <= last; decade++) {
		bool labelled = (decade - first) % stride == 0;

		add_log_tick(axis, decade, 1, labelled);
		for (int digit = 2; digit <= 9 && decades < 6; digit++)
			add_log_tick(axis, decade, digit,
				     (digit == 2 || digit == 5) && decades * 3 <= want);
	}
}

double axis_px(const struct plot_axis *axis, double value)
{
	double share = 0;

	if (!axis->log)
		share = (value - axis->low) / (axis->high - axis->low);
	else if (value > axis->low)
		share = log(value / axis->low) / log(axis->high / axis->low);
	if (!(share > 0))
		share = 0;
	if (share > 1)
		share = 1;
	return axis->from + share * (axis->to - axis->from);
}

static void draw_x_ticks(struct plot *plot, const struct plot_box *box,
			 const struct plot_axis *axis)
{
	double bottom = box->y + box->h, end = -1e9;

	for (size_t i = 0; i < axis->n; i++) {
		const struct plot_tick *tick = &axis->ticks[i];
		double x = axis_px(axis, tick->at), half = plot_text_width(plot, tick->label) / 2;

		plot_pen(plot, plot->palette->grid, 1, LINE_SOLID);
		if (tick->major)
			plot_segment(plot, x, box->y, x, bottom);
		plot_pen(plot, plot->palette->muted, 1, LINE_SOLID);
		plot_segment(plot, x, bottom, x, bottom + (tick->label[0] ? 5 : 3));
		/* A label that would touch the one before is left out. */
		if (!tick->label[0] || x - half < end + 6)
			continue;
		plot_text(plot, x, bottom + 18, 0.5, plot->palette->muted, tick->label);
		end = x + half;
	}
}

static void draw_y_ticks(struct plot *plot, const struct plot_box *box,
			 const struct plot_axis *axis)
{
	double last = 1e9;

	for (size_t i = 0; i < axis->n; i++) {
		const struct plot_tick *tick = &axis->ticks[i];
		double y = axis_px(axis, tick->at);

		plot_pen(plot, plot->palette->grid, 1, LINE_SOLID);
		if (tick->major)
			plot_segment(plot, box->x, y, box->x + box->w, y);
		plot_pen(plot, plot->palette->muted, 1, LINE_SOLID);
		plot_segment(plot, box->x - (tick->label[0] ? 5 : 3), y, box->x, y);
		if (!tick->label[0] || y > last - 12)
			continue;
		plot_text(plot, box->x - 8, y + 4, 1, plot->palette->muted, tick->label);
		last = y;
	}
}

/* Upwards along the left edge of what the tick labels take. */
static void draw_y_title(struct plot *plot, const struct plot_box *box,
			 const struct plot_axis *axis)
{
	double widest = 0;

	for (size_t i = 0; i < axis->n; i++)
		widest = fmax(widest, plot_text_width(plot, axis->ticks[i].label));
	cairo_save(plot->cr);
	cairo_translate(plot->cr, fmax(box->x - widest - 18, 14), box->y + box->h / 2);
	cairo_rotate(plot->cr, -M_PI / 2);
	plot_text(plot, 0, 0, 0.5, plot->palette->ink, axis->title);
	cairo_restore(plot->cr);
}

void axes_draw(struct plot *plot, const struct plot_box *box, struct plot_axis *x,
	       struct plot_axis *y)
{
	x->from = box->x;
	x->to = box->x + box->w;
	y->from = box->y + box->h;
	y->to = box->y;
	plot_colour(plot, plot->palette->panel, 1);
	cairo_rectangle(plot->cr, box->x, box->y, box->w, box->h);
	cairo_fill(plot->cr);
	draw_x_ticks(plot, box, x);
	draw_y_ticks(plot, box, y);
	plot_pen(plot, plot->palette->muted, 1, LINE_SOLID);
	cairo_rectangle(plot->cr, box->x, box->y, box->w, box->h);
	cairo_stroke(plot->cr);
	if (x->title)
		plot_text(plot, box->x + box->w / 2, box->y + box->h + 38, 0.5, plot->palette->ink,
			  x->title);
	if (y->title)
		draw_y_title(plot, box, y);
}
