/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/compare_plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot_draw.h"

#define BARS 120
#define LOG_RATIO 8.0    /* greatest beyond so many medians: a logarithmic axis */
#define LEGEND_STEP 18.0
#define TOP 76.0
#define LABEL_MAX 36        /* bytes in the legend */

/* A picture in the making. */
struct overlay {
	const struct compare *compare;
	const char *phase;
	enum compare_plot_kind kind;
};

/* One histogram of every side, NULL where it has none. */
struct panel {
	const char *name;
	const struct histogram *of[COMPARE_MAX_SIDES];
	uint64_t missed[COMPARE_MAX_SIDES];
	double least, greatest, middle; /* in ns, over all sides; the middle of the lowest side */
	uint64_t most;                  /* cycles of the side that has most */
};

enum what { DIFF, LATENESS, FINISH };

static const struct compare_samples *samples_of(const struct compare_side *side, const char *phase)
{
	for (size_t i = 0; i < side->n_samples; i++)
		if (!strcmp(side->samples[i].phase, phase) && side->samples[i].diff)
			return &side->samples[i];
	return NULL;
}

bool compare_plot_possible(const struct compare *compare, const char *phase)
{
	for (size_t i = 0; i < compare->n_sides; i++)
		if (samples_of(&compare->sides[i], phase))
			return true;
	return false;
}

/* ---- colours and legend ---- */

static uint32_t side_colour(const struct plot *plot, size_t side)
{
	const struct plot_palette *p = plot->palette;
	const uint32_t colours[] = { p->diff, p->lateness, p->deadline, p->finish,
				     p->missed, p->period, p->muted };

	return colours[side % (sizeof(colours) / sizeof(colours[0]))];
}

static enum plot_line side_line(size_t side)
{
	static const enum plot_line lines[] = { LINE_SOLID, LINE_SOLID, LINE_DASH, LINE_DASH_DOT };

	return lines[side % (sizeof(lines) / sizeof(lines[0]))];
}

/* A long label loses its middle: what tells it from others is often at the end. */
static void short_label(char *buf, size_t size, const char *label)
{
	size_t length = strlen(label), head = length, tail = length;

	if (length > LABEL_MAX) {
		for (head = LABEL_MAX / 2; head && ((unsigned char)label[head] & 0xc0) == 0x80;)
			head--;
		tail = length - LABEL_MAX / 2;
		while (tail < length && ((unsigned char)label[tail] & 0xc0) == 0x80)
			tail++;
	}
	snprintf(buf, size, "%.*s%s%s", (int)head, label, length > LABEL_MAX ? "\xe2\x80\xa6" : "",
		 label + tail);
}

static struct plot_legend legend_of(struct plot *plot, const struct overlay *overlay, size_t side)
{
	const struct compare_side *here = &overlay->compare->sides[side];
	const struct compare_samples *samples = samples_of(here, overlay->phase);
	size_t n = json_array_size(here->runs);
	struct plot_legend legend = { MARK_LINE, side_line(side), side_colour(plot, side), "" };
	char label[LABEL_MAX + 8];

	short_label(label, sizeof(label), here->label);
	snprintf(legend.text, sizeof(legend.text), "%s (%zu run%s%s)", label, n,
		 n == 1 ? "" : "s", samples ? "" : ", no samples");
	return legend;
}

/* As many rows as it takes; returns the height of them all. */
static double draw_legend(struct plot *plot, const struct overlay *overlay, bool measure)
{
	double x = 16, y = 50;

	for (size_t i = 0; i < overlay->compare->n_sides; i++) {
		struct plot_legend legend = legend_of(plot, overlay, i);
		double width = 36 + plot_text_width(plot, legend.text) + 22;

		if (x > 16 && x + width > PLOT_WIDTH) {
			x = 16;
			y += LEGEND_STEP;
		}
		if (!measure)
			plot_legend(plot, x, y, &legend, 1);
		x += width;
	}
	return y - 50;
}

/* ---- panels ---- */

static double middle_of(const struct histogram *h)
{
	int64_t value = 0;

	return histogram_quantile(h, 0, 0.5, &value) == QUANTILE_KNOWN ? (double)value :
									 (double)h->max;
}

static void fill_panel(struct panel *panel, const struct overlay *overlay, enum what what)
{
	static const char *const names[] = {
		[DIFF] = "diff (time between wake-ups)",
		[LATENESS] = "lateness (wake-up after due)",
		[FINISH] = "finish (end of the burn after due)",
	};

	*panel = (struct panel){ .name = names[what], .least = INFINITY, .middle = INFINITY };
	for (size_t i = 0; i < overlay->compare->n_sides; i++) {
		const struct compare_samples *samples = samples_of(&overlay->compare->sides[i],
								   overlay->phase);
		const struct histogram *h = !samples ? NULL : what == DIFF ? samples->diff :
					    what == LATENESS ? samples->lateness : samples->finish;

		if (!h || !h->n)
			continue;
		panel->of[i] = h;
		panel->missed[i] = samples->missed;
		panel->least = fmin(panel->least, (double)h->min);
		panel->greatest = fmax(panel->greatest, (double)h->max);
		panel->middle = fmin(panel->middle, middle_of(h));
		if (h->n + samples->missed > panel->most)
			panel->most = h->n + samples->missed;
	}
}

static void draw_percentiles(struct plot *plot, const struct plot_box *box,
			     const struct panel *panel)
{
	struct plot_axis x = { .n = 0 }, y = { .n = 0 };

	plot_text_fitted(plot, box->x, box->y - 10, box->w, plot->palette->ink, panel->name);
	if (!histogram_supports(panel->most, 0.5)) {
		plot_nothing(plot, box, "too few cycles for percentiles");
		return;
	}
	percentile_x_axis(&x, panel->most);
	x.title = "% of the expected cycles that were no later";
	percentile_y_axis(&y, panel->least, panel->greatest);
	axes_draw(plot, box, &x, &y);
	for (size_t i = 0; i < COMPARE_MAX_SIDES; i++) {
		if (!panel->of[i])
			continue;
		plot_pen(plot, side_colour(plot, i), 2, side_line(i));
		percentile_curve(plot, panel->of[i], panel->missed[i], &x, &y);
	}
}

/* Where a value lies among the bars. */
static size_t bar_of(const struct plot_axis *x, double value_ms)
{
	struct plot_axis axis = *x;
	size_t bar;

	axis.from = 0;
	axis.to = BARS;
	bar = (size_t)axis_px(&axis, value_ms);
	return bar < BARS ? bar : BARS - 1;
}

/* The share of cycles in each bar, in percent. */
static void fill_bars(double *bars, const struct histogram *h, const struct plot_axis *x)
{
	double each = 100 / (double)h->n;

	memset(bars, 0, BARS * sizeof(bars[0]));
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		double value = ((double)histogram_low(i) + (double)histogram_high(i)) / 2;

		if (!h->count[i])
			continue;
		value = fmin(fmax(value, (double)h->min), (double)h->max);
		bars[bar_of(x, value / PLOT_NS_PER_MS)] += each * (double)h->count[i];
	}
	/* Those have no bucket; they stand at the end they lie beyond. */
	bars[bar_of(x, (double)h->min / PLOT_NS_PER_MS)] += each * (double)h->underflow;
	bars[bar_of(x, (double)h->max / PLOT_NS_PER_MS)] += each * (double)h->overflow;
}

static void draw_steps(struct plot *plot, const struct plot_box *box, const double *bars,
		       const struct plot_axis *y)
{
	double width = box->w / BARS, bottom = box->y + box->h, last = bottom;

	cairo_new_path(plot->cr);
	for (size_t i = 0; i < BARS; i++) {
		double left = plot_round(box->x + (double)i * width);
		double top = bars[i] > 0 ? plot_round(axis_px(y, bars[i])) : bottom;

		if (top >= bottom && last >= bottom)
			continue;
		if (last >= bottom)
			cairo_move_to(plot->cr, left, bottom);
		cairo_line_to(plot->cr, left, top);
		cairo_line_to(plot->cr, plot_round(left + width), top);
		if (top >= bottom)
			cairo_stroke(plot->cr);
		last = top;
	}
	cairo_stroke(plot->cr);
}

static void draw_histograms(struct plot *plot, const struct plot_box *box,
			    const struct panel *panel)
{
	struct plot_axis x = { .n = 0 }, y = { .title = "share of cycles in % (log scale)" };
	double low = panel->least, high = panel->greatest, pad = fmax((high - low) * 0.03, 1e4);
	double bars[BARS];

	plot_text_fitted(plot, box->x, box->y - 10, box->w, plot->palette->ink, panel->name);
	if (low >= 0 && high > LOG_RATIO * fmax(panel->middle, 1))
		axis_log(&x, fmax(low, 1e3) * 0.9 / PLOT_NS_PER_MS, high * 1.1 / PLOT_NS_PER_MS, 6);
	else
		axis_linear(&x, (low >= 0 && low < pad ? 0 : low - pad) / PLOT_NS_PER_MS,
			    (high + pad) / PLOT_NS_PER_MS, 6);
	x.title = x.log ? "ms (log scale)" : "ms";
	axis_log(&y, 60 / (double)panel->most, 200, 6);
	axes_draw(plot, box, &x, &y);
	for (size_t i = 0; i < COMPARE_MAX_SIDES; i++) {
		if (!panel->of[i])
			continue;
		fill_bars(bars, panel->of[i], &x);
		plot_pen(plot, side_colour(plot, i), 1.5, side_line(i));
		draw_steps(plot, box, bars, &y);
	}
}

static void draw_panel(struct plot *plot, const struct plot_box *box,
		       const struct overlay *overlay, enum what what)
{
	struct panel panel;

	fill_panel(&panel, overlay, what);
	if (!panel.most)
		plot_nothing(plot, box, what == DIFF ? "no samples" : "not known");
	else if (overlay->kind == COMPARE_PLOT_PERCENTILES)
		draw_percentiles(plot, box, &panel);
	else
		draw_histograms(plot, box, &panel);
}

static void draw(struct plot *plot, const void *subject)
{
	const struct overlay *overlay = subject;
	bool percentiles = overlay->kind == COMPARE_PLOT_PERCENTILES;
	double legend = draw_legend(plot, overlay, false);
	struct plot_box box = { 76, TOP + 14 + legend, (PLOT_WIDTH - 2 * 76 - 20 - 14) / 2,
				PLOT_HEIGHT - TOP - 14 - 52 };

	draw_panel(plot, &box, overlay, percentiles ? LATENESS : DIFF);
	box.x += box.w + 76 + 14;
	draw_panel(plot, &box, overlay, percentiles ? FINISH : LATENESS);
}

/* ---- words, and the whole ---- */

char *compare_plot_title(const char *phase, enum compare_plot_kind kind)
{
	char *title;

	if (asprintf(&title, "%s: %s", phase, kind == COMPARE_PLOT_PERCENTILES ?
			     "lateness and finish of the sides by percentile" :
			     "diff and lateness of the sides, as shares of their cycles") < 0)
		return NULL;
	return title;
}

static void put_words(FILE *out, const char *name, const struct histogram *h, uint64_t missed)
{
	int64_t median = 0, p99 = 0;

	if (!h || !h->n)
		return;
	fprintf(out, " %s:", name);
	if (histogram_quantile(h, missed, 0.5, &median) == QUANTILE_KNOWN)
		fprintf(out, " median %.4g ms,", (double)median / PLOT_NS_PER_MS);
	if (histogram_quantile(h, missed, 0.99, &p99) == QUANTILE_KNOWN)
		fprintf(out, " 99th percentile %.4g ms,", (double)p99 / PLOT_NS_PER_MS);
	fprintf(out, " greatest %.4g ms.", (double)h->max / PLOT_NS_PER_MS);
}

char *compare_plot_description(const struct compare *compare, const char *phase,
			       enum compare_plot_kind kind)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("One line per side.", out);
	for (size_t i = 0; i < compare->n_sides; i++) {
		const struct compare_samples *samples = samples_of(&compare->sides[i], phase);

		fprintf(out, " %s:", compare->sides[i].label);
		if (!samples) {
			fputs(" no samples.", out);
			continue;
		}
		if (kind == COMPARE_PLOT_HISTOGRAMS)
			put_words(out, "diff", samples->diff, 0);
		put_words(out, "lateness", samples->lateness, samples->missed);
		if (kind == COMPARE_PLOT_PERCENTILES)
			put_words(out, "finish", samples->finish, samples->missed);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* How much higher the legend makes the picture: a canvas of its own measures it. */
static double legend_height(const struct overlay *overlay)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8);
	cairo_t *cr = cairo_create(surface);
	struct plot plot = { .cr = cr, .palette = plot_palette(PLOT_LIGHT) };
	double height = draw_legend(&plot, overlay, true);

	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	return height;
}

int compare_plot_render(const struct compare *compare, const char *phase,
			enum compare_plot_kind kind, enum plot_format format,
			enum plot_theme theme, unsigned char **bytes, size_t *length,
			struct fault *fault)
{
	struct overlay overlay = { compare, phase, kind };
	char *title = compare_plot_title(phase, kind);
	char *description = compare_plot_description(compare, phase, kind);
	int err = -ENOMEM;

	*bytes = NULL;
	*length = 0;
	if (title && description) {
		struct plot_picture picture = {
			.title = title,
			.description = description,
			.height = PLOT_HEIGHT + legend_height(&overlay),
			.draw = draw,
			.subject = &overlay,
		};

		err = plot_paint(&picture, format, theme, bytes, length, fault);
	} else {
		fault_set(fault, err, "plot: %s", strerror(ENOMEM));
	}
	free(title);
	free(description);
	return err;
}
