/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot.h"

#include <cairo-svg.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"
#include "report/plot_draw.h"

/* Bytes as cairo hands them out. */
struct sink {
	unsigned char *bytes;
	size_t length, size;
};

static cairo_status_t take(void *closure, const unsigned char *data, unsigned int length)
{
	struct sink *sink = closure;

	if (sink->length + length > sink->size) {
		size_t size = 2 * sink->size + length + 4096;
		unsigned char *bytes = realloc(sink->bytes, size);

		if (!bytes)
			return CAIRO_STATUS_NO_MEMORY;
		sink->bytes = bytes;
		sink->size = size;
	}
	memcpy(sink->bytes + sink->length, data, length);
	sink->length += length;
	return CAIRO_STATUS_SUCCESS;
}

/* Draws it all; words: see struct plot. */
static void draw(cairo_t *cr, FILE *words, const struct plot_picture *picture,
		 enum plot_theme theme)
{
	struct plot plot = { .cr = cr, .palette = plot_palette(theme), .words = words };
	cairo_font_options_t *options = cairo_font_options_create();

	/* Unhinted, so that text is as wide on every surface. */
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_set_font_options(cr, options);
	cairo_font_options_destroy(options);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	plot_colour(&plot, plot.palette->background, 1);
	cairo_paint(cr);
	plot_heading(&plot, 16, 24, PLOT_WIDTH - 32, picture->title);
	picture->draw(&plot, picture->subject);
}

#define FONTS "DejaVu Sans, Verdana, Liberation Sans, Arial, sans-serif"

/* What cairo wrote, with role, title and description at its begin and the words at its end. */
static void put_svg(FILE *out, const struct sink *svg, const char *title, const char *description,
		    const char *words)
{
	const char *text = (const char *)svg->bytes, *end = text + svg->length;
	const char *tag = memmem(text, svg->length, "<svg", 4);
	const char *open = tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;
	const char *close = open ? memmem(open, (size_t)(end - open), "</svg>", 6) : NULL;

	if (!close)
		return;
	fwrite(text, 1, (size_t)(open - text), out);
	fputs(" role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">", out);
	html_escape(out, title);
	fputs("</title>\n<desc id=\"desc\">", out);
	html_escape(out, description);
	fputs("</desc>", out);
	fwrite(open + 1, 1, (size_t)(close - open - 1), out);
	fprintf(out, "<g font-family=\"%s\" font-size=\"%g\">\n%s</g>\n", FONTS, PLOT_SMALL,
		words);
	fwrite(close, 1, (size_t)(end - close), out);
}

static int complete_svg(struct sink *svg, const struct plot_picture *picture, const char *words)
{
	char *whole = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&whole, &length);
	int err = -ENOMEM;

	if (out) {
		put_svg(out, svg, picture->title, picture->description, words);
		if (!fclose(out))
			err = length ? 0 : -EIO;
	}
	if (err) {
		free(whole);
		return err;
	}
	free(svg->bytes);
	*svg = (struct sink){ (unsigned char *)whole, length, length };
	return 0;
}

static cairo_surface_t *new_surface(enum plot_format format, double height, struct sink *sink)
{
	cairo_surface_t *surface;

	if (format == PLOT_PNG)
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)PLOT_WIDTH, (int)height);
	surface = cairo_svg_surface_create_for_stream(take, sink, PLOT_WIDTH, height);
	if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
		cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
	return surface;
}

static cairo_status_t render(struct sink *sink, FILE *words, const struct plot_picture *picture,
			     enum plot_format format, enum plot_theme theme)
{
	cairo_surface_t *surface = new_surface(format, picture->height, sink);
	cairo_t *cr = cairo_create(surface);
	cairo_status_t status;

	draw(cr, words, picture, theme);
	status = cairo_status(cr);
	cairo_destroy(cr);
	if (status == CAIRO_STATUS_SUCCESS && format == PLOT_PNG)
		status = cairo_surface_write_to_png_stream(surface, take, sink);
	cairo_surface_finish(surface);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(surface);
	cairo_surface_destroy(surface);
	return status;
}

static int status_error(cairo_status_t status)
{
	switch (status) {
	case CAIRO_STATUS_SUCCESS:
		return 0;
	case CAIRO_STATUS_NO_MEMORY:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

int plot_paint(const struct plot_picture *picture, enum plot_format format, enum plot_theme theme,
	       unsigned char **bytes, size_t *length, struct fault *fault)
{
	struct sink sink = { NULL, 0, 0 };
	cairo_status_t status;
	char *words = NULL;
	FILE *stream = NULL;
	size_t size = 0;
	int err;

	*bytes = NULL;
	*length = 0;
	if (format == PLOT_SVG) {
		stream = open_memstream(&words, &size);
		if (!stream)
			return fault_set(fault, -ENOMEM, "plot: %s", strerror(ENOMEM));
	}
	status = render(&sink, stream, picture, format, theme);
	err = status_error(status);
	if (stream && fclose(stream) && !err)
		err = -ENOMEM;
	if (stream && !err)
		err = complete_svg(&sink, picture, words);
	free(words);
	if (err) {
		free(sink.bytes);
		return fault_set(fault, err, "plot: %s",
				 status != CAIRO_STATUS_SUCCESS ? cairo_status_to_string(status) :
								  strerror(-err));
	}
	*bytes = sink.bytes;
	*length = sink.length;
	return 0;
}

/* A picture of one run. */
struct subject {
	const struct run_view *view;
	const struct phase_view *phase;
	enum plot_kind kind;
};

static void draw_subject(struct plot *plot, const void *argument)
{
	const struct subject *subject = argument;

	switch (subject->kind) {
	case PLOT_TIME:
		plot_draw_time(plot, subject->view, subject->phase);
		break;
	case PLOT_HISTOGRAM:
		plot_draw_histogram(plot, subject->view, subject->phase);
		break;
	case PLOT_PERCENTILE:
		plot_draw_percentile(plot, subject->view, subject->phase);
		break;
	case PLOT_OVERVIEW:
		plot_draw_overview(plot, subject->view);
		break;
	}
}

int plot_render(const struct run_view *view, const struct phase_view *phase, enum plot_kind kind,
		enum plot_format format, enum plot_theme theme, unsigned char **bytes,
		size_t *length, struct fault *fault)
{
	struct subject subject = { view, kind == PLOT_OVERVIEW ? NULL : phase, kind };
	char *title, *description;
	int err;

	*bytes = NULL;
	*length = 0;
	if (kind != PLOT_OVERVIEW && !phase)
		return fault_set(fault, -EINVAL, "plot: there is no phase to draw");
	title = plot_title(view, subject.phase, kind);
	description = plot_description(view, subject.phase, kind);
	if (title && description) {
		struct plot_picture picture = {
			.title = title,
			.description = description,
			.height = kind == PLOT_OVERVIEW ? plot_overview_height(view) : PLOT_HEIGHT,
			.draw = draw_subject,
			.subject = &subject,
		};

		err = plot_paint(&picture, format, theme, bytes, length, fault);
	} else {
		err = fault_set(fault, -ENOMEM, "plot: %s", strerror(ENOMEM));
	}
	free(title);
	free(description);
	return err;
}
