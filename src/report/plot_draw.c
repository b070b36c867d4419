/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/plot_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"

static const struct plot_palette palettes[] = {
	[PLOT_LIGHT] = {
		.background = 0xffffff, .panel = 0xfbfbfa, .ink = 0x22272e, .muted = 0x57606a,
		.grid = 0xe3e5e8, .diff = 0x1b1f24, .burn = 0x009e73, .period = 0xb98600,
		.deadline = 0xd03a00, .missed = 0xa8448c, .lateness = 0x0072b2, .finish = 0x008a64,
	},
	[PLOT_DARK] = {
		.background = 0x14171a, .panel = 0x0f1113, .ink = 0xe8eaec, .muted = 0xa3abb3,
		.grid = 0x2b3036, .diff = 0xf4f5f6, .burn = 0x14b88a, .period = 0xf0e442,
		.deadline = 0xff6a3d, .missed = 0xe08fc0, .lateness = 0x56b4e9, .finish = 0x14b88a,
	},
};

struct type {
	double size;
	bool bold;
};

static const struct type plain = { PLOT_SMALL, false }, bold = { PLOT_SMALL, true },
			 heading = { PLOT_LARGE, true };

const struct plot_palette *plot_palette(enum plot_theme theme)
{
	return &palettes[theme == PLOT_DARK ? PLOT_DARK : PLOT_LIGHT];
}

void plot_colour(struct plot *plot, uint32_t colour, double alpha)
{
	cairo_set_source_rgba(plot->cr, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0,
			      (colour & 0xff) / 255.0, alpha);
}

double plot_round(double pixels)
{
	return round(pixels * 4) / 4;
}

static void set_font(struct plot *plot, const struct type *type)
{
	cairo_select_font_face(plot->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       type->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(plot->cr, type->size);
}

static double advance(struct plot *plot, const char *text)
{
	cairo_text_extents_t extents;

	cairo_text_extents(plot->cr, text, &extents);
	return extents.x_advance;
}

/* Text as SVG, kept to the width that cairo measured whatever font the reader has. */
static void put_svg_text(struct plot *plot, double x, double y, double width, uint32_t colour,
			 const struct type *type, const char *text)
{
	cairo_matrix_t matrix;

	cairo_get_matrix(plot->cr, &matrix);
	cairo_user_to_device(plot->cr, &x, &y);
	fprintf(plot->words, "<text x=\"%.5g\" y=\"%.5g\" fill=\"#%06x\"", x, y, colour);
	if (fabs(matrix.yx) > 1e-6)
		fprintf(plot->words, " transform=\"rotate(%.0f %.5g %.5g)\"",
			atan2(matrix.yx, matrix.xx) * 180 / M_PI, x, y);
	if (type->bold)
		fputs(" font-weight=\"bold\"", plot->words);
	if (fabs(type->size - PLOT_SMALL) > 0.1)
		fprintf(plot->words, " font-size=\"%g\"", type->size);
	if (width > 4 * type->size)
		fprintf(plot->words, " textLength=\"%.5g\" lengthAdjust=\"spacingAndGlyphs\"",
			width);
	fputc('>', plot->words);
	html_escape(plot->words, text);
	fputs("</text>\n", plot->words);
}

/* Text from outside may be anything; cairo refuses what is not UTF-8. */
static void show(struct plot *plot, double x, double y, double align, uint32_t colour,
		 const struct type *type, const char *text)
{
	char *clean = text_clean(text);
	double width;

	if (!clean)
		return;
	set_font(plot, type);
	width = advance(plot, clean);
	x -= align * width;
	if (plot->words) {
		put_svg_text(plot, x, y, width, colour, type, clean);
	} else {
		plot_colour(plot, colour, 1);
		cairo_move_to(plot->cr, x, y);
		cairo_show_text(plot->cr, clean);
		cairo_new_path(plot->cr);
	}
	free(clean);
}

void plot_text(struct plot *plot, double x, double y, double align, uint32_t colour,
	       const char *text)
{
	show(plot, x, y, align, colour, &plain, text);
}

const char *plot_number(char *buf, size_t size, double value, int decimals)
{
	char raw[64], *exponent;
	size_t digits, length, to = 0;

	if (fabs(value) >= 1e6) {
		snprintf(buf, size, "%.3g", value);
		/* 1e9, not 1e+09 */
		exponent = strstr(buf, "e+");
		if (exponent)
			memmove(exponent + 1, exponent + 1 + strspn(exponent + 1, "+0"),
				strlen(exponent + 1 + strspn(exponent + 1, "+0")) + 1);
		return buf;
	}
	snprintf(raw, sizeof(raw), "%.*f", decimals, value);
	length = strlen(raw);
	digits = strspn(raw[0] == '-' ? raw + 1 : raw, "0123456789") + (raw[0] == '-');
	for (size_t i = 0; i < length && to + 2 < size; i++) {
		buf[to++] = raw[i];
		if (digits > 4 && i + 1 < digits && (digits - i - 1) % 3 == 0 && raw[i] != '-')
			buf[to++] = ' ';
	}
	buf[to] = '\0';
	return buf;
}

double plot_text_width(struct plot *plot, const char *text)
{
	set_font(plot, &plain);
	return advance(plot, text);
}

/* Takes characters off the end until the rest and an ellipsis fit. */
static void show_fitted(struct plot *plot, double x, double y, double width, uint32_t colour,
			const struct type *type, const char *text)
{
	char *clean = text_clean(text), *cut;
	size_t length;

	if (!clean)
		return;
	set_font(plot, type);
	length = strlen(clean);
	if (length > 256)
		length = 256;
	cut = malloc(length + 4);
	if (cut && advance(plot, clean) > width) {
		do {
			while (length > 0 && ((unsigned char)clean[length] & 0xc0) == 0x80)
				length--;
			memcpy(cut, clean, length);
			memcpy(cut + length, "\xe2\x80\xa6", 4);
		} while (advance(plot, cut) > width && length-- > 0);
		show(plot, x, y, 0, colour, type, cut);
	} else {
		show(plot, x, y, 0, colour, type, clean);
	}
	free(cut);
	free(clean);
}

void plot_text_fitted(struct plot *plot, double x, double y, double width, uint32_t colour,
		      const char *text)
{
	show_fitted(plot, x, y, width, colour, &bold, text);
}

void plot_heading(struct plot *plot, double x, double y, double width, const char *text)
{
	show_fitted(plot, x, y, width, plot->palette->ink, &heading, text);
}

void plot_pen(struct plot *plot, uint32_t colour, double width, enum plot_line line)
{
	static const double dash[] = { 9, 5 }, dash_dot[] = { 12, 4, 2.5, 4 }, dot[] = { 2, 3 };

	plot_colour(plot, colour, 1);
	cairo_set_line_width(plot->cr, width);
	switch (line) {
	case LINE_SOLID:
		cairo_set_dash(plot->cr, NULL, 0, 0);
		break;
	case LINE_DASH:
		cairo_set_dash(plot->cr, dash, 2, 0);
		break;
	case LINE_DASH_DOT:
		cairo_set_dash(plot->cr, dash_dot, 4, 0);
		break;
	case LINE_DOT:
		cairo_set_dash(plot->cr, dot, 2, 0);
		break;
	}
}

void plot_segment(struct plot *plot, double x1, double y1, double x2, double y2)
{
	cairo_move_to(plot->cr, plot_round(x1), plot_round(y1));
	cairo_line_to(plot->cr, plot_round(x2), plot_round(y2));
	cairo_stroke(plot->cr);
}

void plot_triangle(struct plot *plot, double x, double y, double size)
{
	cairo_move_to(plot->cr, plot_round(x), plot_round(y));
	cairo_line_to(plot->cr, plot_round(x - size / 2), plot_round(y - size));
	cairo_line_to(plot->cr, plot_round(x + size / 2), plot_round(y - size));
	cairo_close_path(plot->cr);
}

static void draw_mark(struct plot *plot, double x, double y, const struct plot_legend *entry)
{
	switch (entry->mark) {
	case MARK_LINE:
		plot_pen(plot, entry->colour, 2, entry->line);
		plot_segment(plot, x, y - 4, x + 30, y - 4);
		break;
	case MARK_AREA:
		plot_colour(plot, entry->colour, 0.85);
		cairo_rectangle(plot->cr, x + 6, y - 9, 18, 10);
		cairo_fill(plot->cr);
		break;
	case MARK_TRIANGLE:
		plot_colour(plot, entry->colour, 1);
		plot_triangle(plot, x + 15, y, 9);
		cairo_fill(plot->cr);
		break;
	}
}

double plot_legend(struct plot *plot, double x, double y, const struct plot_legend *entries,
		   size_t n)
{
	for (size_t i = 0; i < n; i++) {
		draw_mark(plot, x, y, &entries[i]);
		plot_text(plot, x + 36, y, 0, plot->palette->ink, entries[i].text);
		x += 36 + plot_text_width(plot, entries[i].text) + 22;
	}
	return x;
}

void plot_nothing(struct plot *plot, const struct plot_box *box, const char *text)
{
	plot_colour(plot, plot->palette->panel, 1);
	cairo_rectangle(plot->cr, box->x, box->y, box->w, box->h);
	cairo_fill(plot->cr);
	plot_pen(plot, plot->palette->grid, 1, LINE_DASH);
	cairo_rectangle(plot->cr, box->x, box->y, box->w, box->h);
	cairo_stroke(plot->cr);
	plot_text(plot, box->x + box->w / 2, box->y + box->h / 2 + 4, 0.5, plot->palette->muted,
		  text);
}
