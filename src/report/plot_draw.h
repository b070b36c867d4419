/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the pictures are drawn with: canvas, palette, axes, legend. Private to plot*.c and
 * compare_plot.c.
 */
#ifndef LT_REPORT_PLOT_DRAW_H
#define LT_REPORT_PLOT_DRAW_H

#include <cairo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/plot.h"
#include "report/plot_words.h"

#define PLOT_WIDTH 1000.0
#define PLOT_HEIGHT 400.0
#define PLOT_SMALL 12.0 /* sizes of type */
#define PLOT_LARGE 15.0
#define PLOT_MAX_TICKS 64
#define PLOT_NS_PER_MS 1e6

/* Colours as 0xRRGGBB, after Okabe and Ito, darker or lighter where the background needs it. */
struct plot_palette {
	uint32_t background, panel, ink, muted, grid;
	uint32_t diff, burn, period, deadline, missed, lateness, finish;
};

struct plot {
	cairo_t *cr;
	const struct plot_palette *palette;
	/*
	 * Where an SVG collects its words as <text>, NULL for a PNG: cairo would write the outline
	 * of each letter, longer than all the rest, and nobody could search or copy them.
	 */
	FILE *words;
};

struct plot_box {
	double x, y, w, h;
};

enum plot_line { LINE_SOLID, LINE_DASH, LINE_DASH_DOT, LINE_DOT };

struct plot_tick {
	double at;
	bool major;     /* has a line across the picture */
	char label[24]; /* "": none */
};

struct plot_axis {
	bool log;
	double low, high;    /* in the unit of the axis */
	double from, to;     /* in pixels: where low and high lie */
	const char *title;
	size_t n;
	struct plot_tick ticks[PLOT_MAX_TICKS];
};

enum plot_mark { MARK_LINE, MARK_AREA, MARK_TRIANGLE };

struct plot_legend {
	enum plot_mark mark;
	enum plot_line line;
	uint32_t colour;
	char text[72];
};

/* ---- plot.c ---- */

/* Any picture: the heading is drawn for it, the rest by its function. */
struct plot_picture {
	const char *title, *description;
	double height;
	void (*draw)(struct plot *plot, const void *subject);
	const void *subject;
};

/* As plot_render(). */
int plot_paint(const struct plot_picture *picture, enum plot_format format, enum plot_theme theme,
	       unsigned char **bytes, size_t *length, struct fault *fault);

/* ---- plot_draw.c: colour, text, lines ---- */

const struct plot_palette *plot_palette(enum plot_theme theme);
void plot_colour(struct plot *plot, uint32_t colour, double alpha);

/* To a quarter of a pixel: short numbers in the SVG. */
double plot_round(double pixels);

/* Text with its base line at y; align 0: begins at x, 0.5: centred, 1: ends at x. */
void plot_text(struct plot *plot, double x, double y, double align, uint32_t colour,
	       const char *text);
void plot_heading(struct plot *plot, double x, double y, double width, const char *text);
double plot_text_width(struct plot *plot, const char *text);

/* 12 345 rather than 12345, and 1.23e7 where it is larger still. */
const char *plot_number(char *buf, size_t size, double value, int decimals);

/* Text that is cut (with an ellipsis) to fit into width; bold. */
void plot_text_fitted(struct plot *plot, double x, double y, double width, uint32_t colour,
		      const char *text);

/* Sets the width and the dashes of the next stroke. */
void plot_pen(struct plot *plot, uint32_t colour, double width, enum plot_line line);
void plot_segment(struct plot *plot, double x1, double y1, double x2, double y2);

/* A triangle that points down to x, y. */
void plot_triangle(struct plot *plot, double x, double y, double size);

/* One row of entries that begins at x; returns where it ends. */
double plot_legend(struct plot *plot, double x, double y, const struct plot_legend *entries,
		   size_t n);

/* A sentence in the middle of a box where there is nothing to draw. */
void plot_nothing(struct plot *plot, const struct plot_box *box, const char *text);

/* ---- plot_axes.c ---- */

/* Range and ticks at round numbers, at most about `want` of them with labels. */
void axis_linear(struct plot_axis *axis, double low, double high, unsigned int want);
void axis_log(struct plot_axis *axis, double low, double high, unsigned int want);
void axis_add_tick(struct plot_axis *axis, double at, bool major, const char *label);

/* Where a value lies, kept within the axis. */
double axis_px(const struct plot_axis *axis, double value);

/* Places both axes along the box, then draws grid, frame, labels and titles. */
void axes_draw(struct plot *plot, const struct plot_box *box, struct plot_axis *x,
	       struct plot_axis *y);

/* ---- plot_time.c: what the picture over time shares with the overview ---- */

/* The y axis in ms for the greatest value: linear up to a few deadlines, then logarithmic. */
void time_y_axis(struct plot_axis *y, const struct plot_reference *reference, double greatest_ns,
		 double least_ns, unsigned int want);
void time_x_axis(struct plot_axis *x, const struct timeline *timeline, unsigned int want);

/* Diff, burn, period, deadline and the marks of missed cycles inside the box. */
void time_traces(struct plot *plot, const struct plot_box *box, const struct timeline *timeline,
		 const struct plot_axis *x, const struct plot_axis *y,
		 const struct plot_reference *reference);

/* ---- plot_percentile.c: what it shares with comparisons ---- */

/* The axis of percentiles for so many cycles, as far as these support them. */
void percentile_x_axis(struct plot_axis *x, uint64_t total);
/* In ms, for values between least and greatest. */
void percentile_y_axis(struct plot_axis *y, double least_ns, double greatest_ns);
/* With the pen that is set; missed cycles are later than all. */
void percentile_curve(struct plot *plot, const struct histogram *h, uint64_t missed,
		      const struct plot_axis *x, const struct plot_axis *y);
/* How far the axis goes, above its right end. */
void percentile_end(struct plot *plot, const struct plot_box *box, double end, uint64_t total);

/* ---- one function per kind ---- */

void plot_draw_time(struct plot *plot, const struct run_view *view,
		    const struct phase_view *phase);
void plot_draw_histogram(struct plot *plot, const struct run_view *view,
			 const struct phase_view *phase);
void plot_draw_percentile(struct plot *plot, const struct run_view *view,
			  const struct phase_view *phase);
void plot_draw_overview(struct plot *plot, const struct run_view *view);
double plot_overview_height(const struct run_view *view);

#endif
