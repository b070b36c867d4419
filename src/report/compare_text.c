/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison for terminals and mails, and as Markdown. */
#include "report/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

#define COLUMNS 9
#define TEXT 192

static const char *const headings[COLUMNS] = {
	"metric", "label", "value", "difference", "", "p", "adj", "n", "test",
};

/* One line of the table. */
struct line {
	char text[COLUMNS][TEXT];
};

struct table {
	struct line *lines;
	size_t n;
	int widths[COLUMNS];
};

/* Characters, not bytes: all but the continuations of UTF-8. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void put_padded(FILE *out, const char *text, int width)
{
	fprintf(out, "%s%*s", text, width > width_of(text) ? width - width_of(text) : 0, "");
}

/* Cut to the size, but not within a character. */
static void copy_text(char *to, const char *from)
{
	size_t length = strlen(from);

	if (length >= TEXT)
		for (length = TEXT - 1; length && ((unsigned char)from[length] & 0xc0) == 0x80;)
			length--;
	memcpy(to, from, length);
	to[length] = '\0';
}

static void name_text(char *to, const struct compare_metric *metric)
{
	snprintf(to, TEXT, "%s%s%s", metric->name, metric->unit[0] ? ", " : "", metric->unit);
}

static bool row_is_known(const struct compare *compare, const struct compare_row *row)
{
	for (size_t i = 0; i < compare->n_sides; i++)
		if (row->cells[i].n)
			return true;
	return false;
}

static void fill_line(struct line *line, const struct compare *compare,
		      const struct compare_row *row, size_t side)
{
	const struct compare_test *test = &row->tests[side];

	if (!side)
		name_text(line->text[0], row->metric);
	copy_text(line->text[1], compare->sides[side].label);
	compare_cell_text(line->text[2], TEXT, row->metric, &row->cells[side]);
	if (!side)
		return;
	compare_effect_text(line->text[3], TEXT, row->metric, test);
	copy_text(line->text[4], compare_mark_text(test));
	compare_p_text(line->text[5], TEXT, test->p);
	compare_p_text(line->text[6], TEXT, test->p_adjusted);
	compare_n_text(line->text[7], TEXT, &row->cells[0], &row->cells[side]);
	compare_test_text(line->text[8], TEXT, compare, test);
}

/* The lines of a phase; free(table->lines). */
static int make_table(struct table *table, const struct compare *compare, const char *phase)
{
	memset(table, 0, sizeof(*table));
	table->lines = calloc(compare_n_metrics * compare->n_sides + 1, sizeof(table->lines[0]));
	if (!table->lines)
		return -ENOMEM;
	for (size_t i = 0; i < compare->n_rows; i++) {
		const struct compare_row *row = &compare->rows[i];

		if (strcmp(row->phase, phase) || !row_is_known(compare, row))
			continue;
		for (size_t side = 0; side < compare->n_sides; side++)
			fill_line(&table->lines[table->n++], compare, row, side);
	}
	for (size_t column = 0; column < COLUMNS; column++) {
		table->widths[column] = width_of(headings[column]);
		for (size_t i = 0; i < table->n; i++)
			if (width_of(table->lines[i].text[column]) > table->widths[column])
				table->widths[column] = width_of(table->lines[i].text[column]);
	}
	return 0;
}

static void put_line(FILE *out, const struct table *table, const struct line *line)
{
	int blanks = 0;

	for (size_t column = 0; column < COLUMNS; column++) {
		const char *text = line ? line->text[column] : headings[column];

		/* Blanks only where something follows. */
		if (text[0]) {
			fprintf(out, "%*s%s", blanks, "", text);
			blanks = 0;
		}
		blanks += table->widths[column] + 2 - width_of(text);
	}
	fputc('\n', out);
}

/* A line, or a flag as one (free() it); NULL without memory. */
static char *line_text(const json_t *line)
{
	const char *phase = json_string_value(json_object_get(line, "phase"));
	char *text;

	if (json_is_string(line))
		return strdup(json_string_value(line));
	if (asprintf(&text, "%s%s%s: %s", jx_text(line, "label"), phase ? ", " : "",
		     phase ? phase : "", jx_text(line, "text")) < 0)
		return NULL;
	return text;
}

static void put_lines(FILE *out, const char *heading, const json_t *lines)
{
	const json_t *line;
	size_t i;

	if (!json_array_size(lines))
		return;
	fprintf(out, "\n%s\n", heading);
	json_array_foreach(lines, i, line) {
		char *text = line_text(line);

		fprintf(out, "  %s\n", text ? text : "(no memory)");
		free(text);
	}
}

static void put_differences(FILE *out, const struct compare *compare)
{
	const json_t *difference;
	int widest = 0;
	size_t i;

	fputs("\nWhat differs, and is compared:\n", out);
	if (!json_array_size(compare->differences))
		fputs("  nothing that was recorded\n", out);
	for (size_t side = 0; side < compare->n_sides; side++)
		if (width_of(compare->sides[side].label) > widest)
			widest = width_of(compare->sides[side].label);
	json_array_foreach(compare->differences, i, difference) {
		fprintf(out, "  %s\n", jx_text(difference, "key"));
		for (size_t side = 0; side < compare->n_sides; side++) {
			const char *label = compare->sides[side].label;

			fputs("    ", out);
			put_padded(out, label, widest);
			fprintf(out, "  %s\n",
				jx_text(json_object_get(difference, "values"), label));
		}
	}
}

static void put_sides(FILE *out, const struct compare *compare)
{
	for (size_t i = 0; i < compare->n_sides; i++) {
		size_t n = json_array_size(compare->sides[i].runs);

		fprintf(out, "%s%s (%zu run%s%s)", i ? ", " : "", compare->sides[i].label, n,
			n == 1 ? "" : "s", i ? "" : ", the reference");
	}
	fputc('\n', out);
}

int compare_write_text(FILE *out, const struct compare *compare)
{
	fputs("Comparison of ", out);
	put_sides(out, compare);
	put_differences(out, compare);
	put_lines(out, "Void:", compare->refusals);
	put_lines(out, "Flagged (!):", compare->flags);
	for (size_t i = 0; i < compare->n_phases; i++) {
		struct table table;

		if (make_table(&table, compare, compare->phases[i]))
			return -ENOMEM;
		fprintf(out, "\nPhase %s\n", compare->phases[i]);
		put_line(out, &table, NULL);
		for (size_t j = 0; j < table.n; j++)
			put_line(out, &table, &table.lines[j]);
		free(table.lines);
	}
	fputc('\n', out);
	for (size_t i = 0; compare_legend(i); i++)
		fprintf(out, "%s\n", compare_legend(i));
	put_lines(out, "Notes:", compare->notes);
	return ferror(out) ? -EIO : 0;
}

/* ---- Markdown ---- */

/* Text from outside means itself. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_{}[]<>#|~!&", *text))
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

static void put_list(FILE *out, const char *heading, const json_t *lines)
{
	const json_t *line;
	size_t i;

	if (!json_array_size(lines))
		return;
	fprintf(out, "\n**%s**\n\n", heading);
	json_array_foreach(lines, i, line) {
		char *text = line_text(line);

		fputs("- ", out);
		put_escaped(out, text ? text : "(no memory)");
		fputc('\n', out);
		free(text);
	}
}

static void put_markdown_row(FILE *out, const struct line *line)
{
	for (size_t column = 0; column < COLUMNS; column++) {
		fputs("| ", out);
		put_escaped(out, line ? line->text[column] : headings[column]);
		fputc(' ', out);
	}
	fputs("|\n", out);
}

static void put_markdown_differences(FILE *out, const struct compare *compare)
{
	const json_t *difference;
	size_t i;

	fputs("\n| what differs |", out);
	for (size_t side = 0; side < compare->n_sides; side++) {
		fputc(' ', out);
		put_escaped(out, compare->sides[side].label);
		fputs(" |", out);
	}
	fputs("\n|---|", out);
	for (size_t side = 0; side < compare->n_sides; side++)
		fputs("---|", out);
	fputc('\n', out);
	json_array_foreach(compare->differences, i, difference) {
		fputs("| ", out);
		put_escaped(out, jx_text(difference, "key"));
		for (size_t side = 0; side < compare->n_sides; side++) {
			fputs(" | ", out);
			put_escaped(out, jx_text(json_object_get(difference, "values"),
						 compare->sides[side].label));
		}
		fputs(" |\n", out);
	}
}

int compare_write_markdown(FILE *out, const struct compare *compare)
{
	fputs("# Comparison of ", out);
	for (size_t i = 0; i < compare->n_sides; i++) {
		fputs(i ? ", " : "", out);
		put_escaped(out, compare->sides[i].label);
	}
	fputc('\n', out);
	put_markdown_differences(out, compare);
	put_list(out, "Void", compare->refusals);
	put_list(out, "Flagged (!)", compare->flags);
	for (size_t i = 0; i < compare->n_phases; i++) {
		struct table table;

		if (make_table(&table, compare, compare->phases[i]))
			return -ENOMEM;
		fputs("\n## ", out);
		put_escaped(out, compare->phases[i]);
		fputs("\n\n", out);
		put_markdown_row(out, NULL);
		fputs("|---|---|---|---|---|---|---|---|---|\n", out);
		for (size_t j = 0; j < table.n; j++)
			put_markdown_row(out, &table.lines[j]);
		free(table.lines);
	}
	fputs("\n", out);
	for (size_t i = 0; compare_legend(i); i++) {
		fputs("- ", out);
		put_escaped(out, compare_legend(i));
		fputc('\n', out);
	}
	put_list(out, "Notes", compare->notes);
	return ferror(out) ? -EIO : 0;
}
