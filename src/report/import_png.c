/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What latencytest 0.42-png printed: five blocks without labels, always in the same order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/import_parts.h"
#include "util/jx.h"

enum { FRAGMENT, CPU_LATENCY, MAX_DIFF, WITHIN_1MS, WITHIN_2MS, LINES };

static const struct {
	const char *name;
	const char *pattern;
} lines[LINES] = {
	[FRAGMENT] = { "fragment latency", "fragment latency = %f ms" },
	[CPU_LATENCY] = { "cpu latency", "cpu latency = %f ms" },
	[MAX_DIFF] = { "...ms (...)|", "%fms ( %u)|" },
	[WITHIN_1MS] = { "1MS",
			 "1MS num_time_samples=%u num_times_within_1ms=%u factor=%f" },
	[WITHIN_2MS] = { "2MS",
			 "2MS num_time_samples=%u num_times_within_2ms=%u factor=%f" },
};

static const char *const names[] = { "x11", "proc", "diskwrite", "diskcopy", "diskread" };

#define PHASES (sizeof(names) / sizeof(names[0]))

struct import_png {
	int next;              /* the line of the block that is due; 0: none is open */
	bool passing;          /* the rest of a damaged block is passed over */
	unsigned int fragment; /* 1MS and 2MS lines that belong to no block */
	unsigned long line;    /* where the block begins */
	size_t position;       /* of the block in the order */
	bool quoted;           /* all blocks up to that were read before */
	struct import_field field[LINES][3];
};

struct import_png *import_png_new(void)
{
	return calloc(1, sizeof(struct import_png));
}

void import_png_free(struct import_png *png)
{
	free(png);
}

/* One block, good or not, is over; the fifth ends the run. */
static void step(struct import *im)
{
	struct import_png *png = im->png;

	png->next = 0;
	png->fragment = 0;
	if (++png->position < PHASES)
		return;
	if (im->format == &import_png_format)
		import_end_run(im);
	png->position = 0;
}

static void give_up(struct import *im)
{
	im->png->passing = true;
	im->png->quoted = false;
	step(im);
}

static void end_early(struct import *im)
{
	struct import_png *png = im->png;

	if (!png->next)
		return;
	import_damage(im, png->line, "block %zu of %zu ends after the line `%s`", png->position + 1,
		      PHASES, lines[png->next - 1].name);
	give_up(im);
}

static json_t *make_phase(const struct import_png *png)
{
	const struct import_field(*field)[3] = png->field;
	json_t *phase = import_phase(names[png->position], png->line);
	json_t *thread = import_thread(phase, 0);

	jx_put_count(thread, "cycles", field[WITHIN_1MS][0].count);
	jx_put_count(thread, "diffs", field[WITHIN_1MS][0].count);
	import_put_figures(thread, field[MAX_DIFF], field[WITHIN_1MS] + 1, field[WITHIN_2MS] + 1);
	return phase;
}

/* The factors are there twice: printed, and in the counts. Six decimals, of a float. */
static bool consistent(const struct import_png *png)
{
	uint64_t n = png->field[WITHIN_1MS][0].count;

	for (int i = WITHIN_1MS; i <= WITHIN_2MS; i++) {
		const struct import_field *field = png->field[i];
		double factor = 100.0 * (double)field[1].count / (double)n;

		if (field[0].count != n || field[1].count > n ||
		    (n && !(fabs(factor - field[2].real) < 2e-5)))
			return false;
	}
	return png->field[WITHIN_1MS][1].count <= png->field[WITHIN_2MS][1].count &&
	       png->field[MAX_DIFF][1].count <= n;
}

static void add(struct import *im, json_t *phase)
{
	struct import_png *png = im->png;
	json_t *conditions = json_object_get(im->run, "conditions");
	double period_ms = png->field[FRAGMENT][0].real, burn_ms = png->field[CPU_LATENCY][0].real;

	if (!im->run || im->format != &import_png_format ||
	    jx_number(conditions, "period_ms") != period_ms ||
	    jx_number(conditions, "cpu_latency_ms") != burn_ms) {
		conditions = json_object_get(import_begin_run(im, &import_png_format, png->line),
					     "conditions");
		jx_put_real(conditions, "period_ms", period_ms);
		jx_put_real(conditions, "cpu_latency_ms", burn_ms);
		/* Ending the run before it may have begun the order anew. */
		jx_put_text(phase, "name", names[png->position]);
	}
	import_add_phase(im, phase);
}

static void finish_block(struct import *im)
{
	struct import_png *png = im->png;
	json_t *phase;

	if (!consistent(png)) {
		import_damage(im, png->line, "block %zu of %zu: the counts contradict the factors",
			      png->position + 1, PHASES);
		give_up(im);
		return;
	}
	phase = make_phase(png);
	if (import_duplicate(im, phase)) {
		json_decref(phase);
		png->quoted = png->quoted || !png->position;
	} else {
		add(im, phase);
		png->quoted = false;
	}
	step(im);
}

/* A line that is not the one that is due. */
static void out_of_order(struct import *im, const struct import_line *line, int i)
{
	struct import_png *png = im->png;

	if (png->next)
		import_damage(im, line->number,
			      "block %zu of %zu: the line `%s` stands where `%s` is due",
			      png->position + 1, PHASES, lines[i].name, lines[png->next].name);
	else if (png->passing || ++png->fragment < 2)
		return;
	else
		import_damage(im, line->number, "block %zu of %zu without its first line `%s`",
			      png->position + 1, PHASES, lines[FRAGMENT].name);
	give_up(im);
}

static void take(struct import *im, const struct import_line *line, int i,
		 const struct import_field *field, bool bad)
{
	struct import_png *png = im->png;

	if (i == FRAGMENT) {
		end_early(im);
		png->passing = false;
		png->fragment = 0;
		png->line = line->number;
	} else if (!png->next || i != png->next) {
		out_of_order(im, line, i);
		return;
	}
	if (bad) {
		import_damage(im, line->number, "block %zu of %zu: `%.60s` cannot be read",
			      png->position + 1, PHASES, line->text);
		give_up(im);
		return;
	}
	memcpy(png->field[i], field, sizeof(png->field[i]));
	png->next = i + 1;
	if (png->next == LINES)
		finish_block(im);
}

static enum import_taken png_line(struct import *im, const struct import_line *line,
				  enum import_try how)
{
	struct import_png *png = im->png;

	if (!line->length)
		return IMPORT_OTHER;
	for (int i = 0; i < LINES; i++) {
		struct import_field field[IMPORT_FIELDS];
		enum import_taken taken;
		bool bad;

		/* Elsewhere these two may be anything; cpu latency stands in other logs too. */
		if ((i == CPU_LATENCY || i == MAX_DIFF) &&
		    png->next != CPU_LATENCY && png->next != MAX_DIFF)
			continue;
		taken = import_try_match(lines[i].pattern, line, how, field, &bad);
		if (i == MAX_DIFF && taken == IMPORT_TAKEN && bad && png->next != MAX_DIFF)
			continue;
		if (taken == IMPORT_TAKEN)
			take(im, line, i, field, bad);
		if (taken != IMPORT_OTHER)
			return taken;
	}
	if (how == IMPORT_JOINED)
		return IMPORT_OTHER;
	end_early(im);
	png->fragment = 0;
	/* What was only quoted again does not count as the first blocks of what comes. */
	if (png->quoted && strncmp(line->text, "PIXEL_PER_MS", 12) && line->text[0] != '-')
		png->position = 0;
	return IMPORT_OTHER;
}

static void png_flush(struct import *im)
{
	end_early(im);
	im->png->passing = false;
	im->png->fragment = 0;
	if (im->format != &import_png_format || !im->run)
		im->png->position = 0;
}

/* With a block missing nobody can say which one: then the names are none. */
static void png_finish(struct import *im, json_t *run)
{
	json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		char name[32];

		if (im->png->position < PHASES) {
			snprintf(name, sizeof(name), "unlabelled-%zu", i + 1);
			jx_put_text(phase, "name", name);
			jx_add_line(json_object_get(phase, "reasons"),
				    "which stressor it was is not known: the text has only %zu of "
				    "the %zu blocks", im->png->position, PHASES);
		}
	}
	im->png->position = 0;
	import_put_stress(run);
}

const struct import_format import_png_format = {
	.program = "latencytest 0.42-png",
	.name = "latencytest-0.42-png",
	.line = png_line,
	.flush = png_flush,
	.finish = png_finish,
};
