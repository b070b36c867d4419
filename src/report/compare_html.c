/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison as one page that needs neither a network nor scripts. */
#include "report/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare_plot.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "util/jx.h"
#include "util/stream.h"

#define TEXT 256

static void put_head(FILE *out, const struct compare *compare)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>latencytest: ", out);
	for (size_t i = 0; i < compare->n_sides; i++)
		html_printf(out, "%s%s", i ? " / " : "", compare->sides[i].label);
	fputs("</title>\n", out);
	html_style(out);
	fputs("<style>.wide td.t,.wide thead th.t{text-align:left;white-space:normal}"
	      ".wide td.t{min-width:11rem}"
	      ".wide td.l{text-align:left;white-space:normal;min-width:7rem;max-width:14rem;"
	      "overflow-wrap:anywhere}"
	      ".wide td.m{font-weight:700}"
	      "tr.first>th,tr.first>td{border-top:1px solid var(--muted)}"
	      "</style>\n</head>\n<body>\n", out);
}

/* What the marks come to, in a sentence. */
static void put_verdict(FILE *out, const struct compare *compare)
{
	size_t worse = compare_worse(compare), different = 0, shown = 0;

	for (size_t i = 0; i < compare->n_rows; i++)
		for (size_t j = 1; j < compare->n_sides; j++) {
			enum compare_mark mark = compare->rows[i].tests[j].mark;

			different += mark == MARK_DIFFERENT;
			shown += mark == MARK_DIFFERENT || mark == MARK_NOT_SHOWN;
		}
	fputs("<p class=\"verdict\"><strong>Verdict:</strong> ", out);
	if (json_array_size(compare->refusals))
		fputs("this is no comparison: the conditions differ.", out);
	else if (!shown)
		html_printf(out, "nothing can be told from so few runs; it takes %zu a side.",
			    compare->runs_needed);
	else if (!different)
		html_printf(out, "no difference shown in %zu tests of %zu.", shown,
			    compare->family);
	else
		html_printf(out, "of %zu tests, %zu show a difference: %zu worse and %zu better "
				 "than %s.", compare->family, different, worse, different - worse,
			    compare->sides[0].label);
	fputs("</p>\n", out);
}

static void put_header(FILE *out, const struct compare *compare)
{
	fputs("<header>\n<h1>", out);
	if (compare->n_sides == 2)
		html_printf(out, "%s against %s", compare->sides[0].label,
			    compare->sides[1].label);
	else
		html_printf(out, "%s against %zu others", compare->sides[0].label,
			    compare->n_sides - 1);
	fputs("</h1>\n<p class=\"muted\">", out);
	for (size_t i = 0; i < compare->n_sides; i++)
		html_printf(out, "%s%s: %zu run(s)%s", i ? " \xc2\xb7 " : "",
			    compare->sides[i].label, json_array_size(compare->sides[i].runs),
			    i ? "" : ", the reference");
	fputs("</p>\n", out);
	put_verdict(out, compare);
	fputs("</header>\n<nav aria-label=\"Contents\"><ul>\n"
	      "<li><a href=\"#differences\">What differs</a></li>\n", out);
	for (size_t i = 0; i < compare->n_phases; i++) {
		fprintf(out, "<li><a href=\"#phase-%zu\">", i + 1);
		html_escape(out, compare->phases[i]);
		fputs("</a></li>\n", out);
	}
	fputs("<li><a href=\"#legend\">Legend and notes</a></li>\n</ul></nav>\n", out);
}

static void put_lines(FILE *out, const char *heading, const json_t *lines)
{
	const json_t *line;
	size_t i;

	if (!json_array_size(lines))
		return;
	fprintf(out, "<h3>%s</h3>\n<ul class=\"reasons\">\n", heading);
	json_array_foreach(lines, i, line) {
		const char *phase = json_string_value(json_object_get(line, "phase"));

		fputs("<li>", out);
		if (json_is_string(line))
			html_escape(out, json_string_value(line));
		else
			html_printf(out, "%s%s%s: %s", jx_text(line, "label"), phase ? ", " : "",
				    phase ? phase : "", jx_text(line, "text"));
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void put_differences(FILE *out, const struct compare *compare)
{
	const json_t *difference;
	size_t i;

	fputs("<section id=\"differences\"><h2>What differs, and is compared</h2>\n", out);
	if (!json_array_size(compare->differences)) {
		fputs("<p class=\"muted\">Nothing that was recorded.</p>\n", out);
		return;
	}
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	      "aria-label=\"What differs\">\n"
	      "<table class=\"pairs\"><thead><tr><th scope=\"col\">recorded</th>", out);
	for (size_t side = 0; side < compare->n_sides; side++) {
		fputs("<th scope=\"col\">", out);
		html_escape(out, compare->sides[side].label);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	json_array_foreach(compare->differences, i, difference) {
		fputs("<tr><th scope=\"row\">", out);
		html_escape(out, jx_text(difference, "key"));
		fputs("</th>", out);
		for (size_t side = 0; side < compare->n_sides; side++) {
			fputs("<td>", out);
			html_escape(out, jx_text(json_object_get(difference, "values"),
						 compare->sides[side].label));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

/* ---- the table of a phase ---- */

static void put_cell(FILE *out, const char *class, const char *text)
{
	fprintf(out, "<td%s%s%s>", class ? " class=\"" : "", class ? class : "",
		class ? "\"" : "");
	html_escape(out, text);
	fputs("</td>", out);
}

static void put_test(FILE *out, const struct compare *compare, const struct compare_row *row,
		     size_t side)
{
	const struct compare_test *test = &row->tests[side];
	char text[TEXT];

	compare_effect_text(text, sizeof(text), row->metric, test);
	put_cell(out, NULL, text);
	put_cell(out, "m", compare_mark_text(test));
	compare_p_text(text, sizeof(text), test->p);
	put_cell(out, NULL, text);
	compare_p_text(text, sizeof(text), test->p_adjusted);
	put_cell(out, NULL, text);
	compare_n_text(text, sizeof(text), &row->cells[0], &row->cells[side]);
	put_cell(out, NULL, text);
	compare_test_text(text, sizeof(text), compare, test);
	put_cell(out, "t", text);
}

static void put_row(FILE *out, const struct compare *compare, const struct compare_row *row)
{
	char text[TEXT];

	for (size_t side = 0; side < compare->n_sides; side++) {
		fprintf(out, "<tr%s><th scope=\"row\">", side ? "" : " class=\"first\"");
		if (!side)
			html_printf(out, "%s%s%s", row->metric->name,
				    row->metric->unit[0] ? ", " : "", row->metric->unit);
		fputs("</th>", out);
		put_cell(out, "l", compare->sides[side].label);
		compare_cell_text(text, sizeof(text), row->metric, &row->cells[side]);
		put_cell(out, NULL, text);
		if (side)
			put_test(out, compare, row, side);
		else
			fputs("<td></td><td></td><td></td><td></td><td></td><td></td>", out);
		fputs("</tr>\n", out);
	}
}

static void put_table(FILE *out, const struct compare *compare, const char *phase)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">\n"
	      "<table class=\"wide\"><thead><tr><th scope=\"col\">metric</th>"
	      "<th scope=\"col\" class=\"t\">label</th><th scope=\"col\">value</th>"
	      "<th scope=\"col\">difference</th><th scope=\"col\"></th><th scope=\"col\">p</th>"
	      "<th scope=\"col\">adj</th>"
	      "<th scope=\"col\">n</th><th scope=\"col\" class=\"t\">test</th></tr></thead>\n"
	      "<tbody>\n", out);
	for (size_t i = 0; i < compare->n_rows; i++) {
		const struct compare_row *row = &compare->rows[i];
		bool known = false;

		for (size_t side = 0; side < compare->n_sides; side++)
			known |= row->cells[side].n > 0;
		if (known && !strcmp(row->phase, phase))
			put_row(out, compare, row);
	}
	fputs("</tbody></table></div>\n", out);
}

/* ---- pictures ---- */

static int put_image(FILE *out, const struct compare *compare, const char *phase,
		     enum compare_plot_kind kind, enum plot_theme theme, const char *description,
		     struct fault *fault)
{
	unsigned char *bytes;
	size_t length;
	int err = compare_plot_render(compare, phase, kind, PLOT_SVG, theme, &bytes, &length,
				      fault);

	if (err)
		return err;
	fprintf(out, "<img class=\"%s\" src=\"data:image/svg+xml;base64,",
		theme == PLOT_DARK ? "dark" : "light");
	html_base64(out, bytes, length);
	fputs("\" alt=\"", out);
	html_escape(out, description);
	fputs("\"/>\n", out);
	free(bytes);
	return 0;
}

static int put_figure(FILE *out, const struct compare *compare, const char *phase,
		      enum compare_plot_kind kind, const char *caption, struct fault *fault)
{
	char *description = compare_plot_description(compare, phase, kind);
	int err;

	if (!description)
		return fault_set(fault, -ENOMEM, "no memory");
	fputs("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
	      "aria-label=\"Picture\">\n", out);
	err = put_image(out, compare, phase, kind, PLOT_LIGHT, description, fault);
	if (!err)
		err = put_image(out, compare, phase, kind, PLOT_DARK, description, fault);
	fprintf(out, "</div>\n<figcaption>%s</figcaption></figure>\n", caption);
	free(description);
	return err;
}

static const char percentile_caption[] =
	"Which share of the cycles woke (lateness) and had done their work (finish) within which "
	"time. Each nine takes the same room; a line that leaves through the top does so where the "
	"missed cycles begin. The cycles of all runs of a side are drawn together, which no test "
	"does.";
static const char histogram_caption[] =
	"Which share of its cycles each side had at which diff and lateness. Shares are on a "
	"logarithmic axis, so that a single bad cycle can be seen beside millions of good ones.";

static int put_phase(FILE *out, const struct compare *compare, size_t number, struct fault *fault)
{
	const char *phase = compare->phases[number];
	int err = 0;

	fprintf(out, "<section class=\"phase\" id=\"phase-%zu\">\n<h2>", number + 1);
	html_escape(out, phase);
	fputs("</h2>\n", out);
	put_table(out, compare, phase);
	if (compare_plot_possible(compare, phase)) {
		err = put_figure(out, compare, phase, COMPARE_PLOT_PERCENTILES,
				 percentile_caption, fault);
		if (!err)
			err = put_figure(out, compare, phase, COMPARE_PLOT_HISTOGRAMS,
					 histogram_caption, fault);
	} else {
		fputs("<p class=\"muted\">There are no samples to draw.</p>\n", out);
	}
	fputs("</section>\n", out);
	return err;
}

int compare_write_html(FILE *out, const struct compare *compare, struct fault *fault)
{
	int err = 0;

	put_head(out, compare);
	put_header(out, compare);
	fputs("<main>\n", out);
	put_differences(out, compare);
	put_lines(out, "Void", compare->refusals);
	put_lines(out, "Flagged (!)", compare->flags);
	fputs("</section>\n", out);
	for (size_t i = 0; !err && i < compare->n_phases; i++)
		err = put_phase(out, compare, i, fault);
	fputs("<section id=\"legend\"><h2>Legend and notes</h2>\n<ul class=\"reasons\">\n", out);
	for (size_t i = 0; compare_legend(i); i++) {
		fputs("<li>", out);
		html_escape(out, compare_legend(i));
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
	put_lines(out, "Notes", compare->notes);
	fputs("</section>\n</main>\n<footer>Made by latencytest compare.</footer>\n", out);
	fputs("</body>\n</html>\n", out);
	if (err)
		return err;
	err = stream_finish(out, 0);
	return err ? fault_set(fault, err, "output: %s", strerror(-err)) : 0;
}
