/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Logs of latencytest 0.5: eight lines under a label as "x11.log:". */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/import_parts.h"
#include "util/jx.h"

#define PHASES_MAX 64    /* of one run; its names, with those of damaged blocks, are no more */
/* So many lines of a block that has no beginning are damage; fewer are a quotation. */
#define FRAGMENT_LINES 3
#define LABEL_BYTES 33

enum { CPU_HZ, LOAD, TOTAL, CPU_LATENCY, MAX_DIFF, WITHIN_1MS, WITHIN_2MS, DEVIATION, LINES };

static const struct {
	const char *name;
	const char *pattern;
} lines[LINES] = {
	[CPU_HZ] = { "cpu_hz", "cpu_hz = %f" },
	[LOAD] = { "cpu_load", "cpu_load = %f loops per run = %u" },
	[TOTAL] = { "total latency", "total latency = %f ms" },
	[CPU_LATENCY] = { "cpu latency", "cpu latency = %f ms" },
	[MAX_DIFF] = { "max diff", "max diff = %f ms (overrun %u)" },
	[WITHIN_1MS] = { "within 1ms", "within 1ms = %u, factor = %f%%" },
	[WITHIN_2MS] = { "within 2ms", "within 2ms = %u, factor = %f%%" },
	[DEVIATION] = { "deviation", "deviation = %f" },
};

struct import_classic {
	char label[LABEL_BYTES];     /* stands above the block; "" none */
	unsigned long label_line;
	bool waiting;                /* for the block under the label */
	int next;                    /* the line of the block that is due; 0: no block is open */
	int dead;                    /* the last line of a damaged block; -1: none */
	unsigned int fragments;      /* lines in a row that belong to no block */
	unsigned long line;          /* where the block begins */
	struct import_field field[LINES][2];
	json_t *names;               /* of the phases of this run, damaged ones too */
	bool any_label;
};

struct import_classic *import_classic_new(void)
{
	struct import_classic *classic = calloc(1, sizeof(*classic));

	if (!classic)
		return NULL;
	classic->dead = -1;
	classic->names = json_object();
	if (!classic->names) {
		free(classic);
		return NULL;
	}
	return classic;
}

void import_classic_free(struct import_classic *classic)
{
	if (classic)
		json_decref(classic->names);
	free(classic);
}

/* ---- labels ---- */

/* NAME of "NAME.log" with or without directories. */
static bool read_label(char label[LABEL_BYTES], const char *text, size_t length)
{
	const char *name = text;

	if (length < 5 || strncmp(text + length - 4, ".log", 4))
		return false;
	length -= 4;
	for (size_t i = 0; i < length; i++)
		if (text[i] == '/')
			name = text + i + 1;
	length -= (size_t)(name - text);
	if (!length || length >= LABEL_BYTES)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' && name[i] != '-')
			return false;
	memcpy(label, name, length);
	label[length] = '\0';
	return true;
}

/* "x11.log:", or what head and tail print above a file: "==> x11.log <==". */
static bool is_label(const struct import_line *line, char label[LABEL_BYTES])
{
	size_t length = line->length;

	if (length > 1 && line->text[length - 1] == ':')
		return read_label(label, line->text, length - 1);
	if (length > 8 && !strncmp(line->text, "==> ", 4) &&
	    !strcmp(line->text + length - 4, " <=="))
		return read_label(label, line->text + 4, length - 8);
	return false;
}

/* A log by itself has its label in the name of its file. */
static void label_from_file(struct import *im)
{
	static const char *const known[] = { "x11",      "proc",     "diskwrite",
					     "diskcopy", "diskread", "none" };
	struct import_classic *classic = im->classic;

	if (classic->any_label || !read_label(classic->label, im->name, strlen(im->name)))
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(classic->label, known[i]))
			return;
	classic->label[0] = '\0';
}

/* ---- damage ---- */

static const char *what(const struct import_classic *classic)
{
	return classic->label[0] ? classic->label : "(no label)";
}

/* The block is over; what still follows of a damaged one is passed over. */
static void give_up(struct import_classic *classic, int last)
{
	/* Its name is taken: a block of that name further below is another run's. */
	if (classic->label[0] && json_object_size(classic->names) < PHASES_MAX)
		jx_put(classic->names, classic->label, json_true());
	classic->next = 0;
	classic->waiting = false;
	classic->label[0] = '\0';
	classic->dead = last;
	classic->fragments = 0;
}

static void end_early(struct import *im)
{
	struct import_classic *classic = im->classic;

	if (classic->next) {
		import_damage(im, classic->line, "block %s ends after the line `%s`", what(classic),
			      lines[classic->next - 1].name);
		give_up(classic, classic->next - 1);
	} else if (classic->waiting) {
		import_damage(im, classic->label_line, "no figures under the label %s",
			      what(classic));
		give_up(classic, -1);
	}
}

/* ---- whole blocks ---- */

static void put_diffs(json_t *thread, uint64_t min, uint64_t max)
{
	if (min == max) {
		jx_put_count(thread, "cycles", min);
		jx_put_count(thread, "diffs", min);
	} else if (max != IMPORT_DIFFS_UNBOUNDED) {
		jx_put_count(thread, "diffs_min", min);
		jx_put_count(thread, "diffs_max", max);
	}
}

static json_t *make_phase(struct import *im, uint64_t min, uint64_t max)
{
	struct import_classic *classic = im->classic;
	struct import_field(*field)[2] = classic->field;
	json_t *phase = import_phase(classic->label, classic->line), *thread;

	jx_put_real(phase, "cpu_hz", field[CPU_HZ][0].real);
	jx_put_count(phase, "loops_per_run", field[LOAD][1].count);
	thread = import_thread(phase, 0);
	put_diffs(thread, min, max);
	import_put_figures(thread, field[MAX_DIFF], field[WITHIN_1MS], field[WITHIN_2MS]);
	jx_put_real(thread, "deviation_ms", field[DEVIATION][0].real);
	return phase;
}

/* What "Test condition:" says, where the log does not contradict it. */
static void put_tests(const struct import_place *place, json_t *conditions)
{
	double period_ms = jx_number(conditions, "period_ms");

	if (!(fabs(1000 * place->wakeups / place->rate_hz - period_ms) < 1e-6) ||
	    (!isnan(place->load) && !(fabs(place->load - jx_number(conditions, "load")) < 1e-6)))
		return;
	jx_put_count(conditions, "rate_hz", (uint64_t)place->rate_hz);
	jx_put_count(conditions, "wakeups", (uint64_t)place->wakeups);
	jx_put_real(conditions, "deadline_periods", place->deadline > 0 ? place->deadline : NAN);
	if (!isnan(place->file_bytes))
		jx_put_count(conditions, "file_size_bytes", (uint64_t)place->file_bytes);
	jx_put_text(conditions, "source", "rtc");
	jx_put_text(conditions, "source_note", "Test condition: RTC freq");
}

static bool begin_run(struct import *im)
{
	struct import_field(*field)[2] = im->classic->field;
	json_t *run = import_begin_run(im, &import_classic_format, im->classic->line);
	json_t *conditions = json_object_get(run, "conditions");

	json_object_clear(im->classic->names);
	if (!run)
		return false;
	jx_put_real(conditions, "load", field[LOAD][0].real);
	jx_put_real(conditions, "period_ms", field[TOTAL][0].real);
	jx_put_real(conditions, "cpu_latency_ms", field[CPU_LATENCY][0].real);
	put_tests(&im->place, conditions);
	return true;
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Whether the block can be a phase of the run that is being put together. */
static bool goes_on(const struct import *im)
{
	const struct import_classic *classic = im->classic;
	const json_t *conditions = json_object_get(im->run, "conditions");
	size_t n = json_array_size(json_object_get(im->run, "phases"));

	return im->run && im->format == &import_classic_format && n < PHASES_MAX &&
	       json_object_size(classic->names) < PHASES_MAX &&
	       (!classic->label[0] || !json_object_get(classic->names, classic->label)) &&
	       same(classic->field[LOAD][0].real, jx_number(conditions, "load")) &&
	       same(classic->field[TOTAL][0].real, jx_number(conditions, "period_ms")) &&
	       same(classic->field[CPU_LATENCY][0].real, jx_number(conditions, "cpu_latency_ms"));
}

static void add(struct import *im, json_t *phase, bool unterminated)
{
	struct import_classic *classic = im->classic;
	char name[32];

	if (!goes_on(im) && !begin_run(im)) {
		json_decref(phase);
		return;
	}
	if (!classic->label[0]) {
		snprintf(name, sizeof(name), "unlabelled-%zu",
			 json_array_size(json_object_get(im->run, "phases")) + 1);
		jx_put_text(phase, "name", name);
	} else {
		jx_put(classic->names, classic->label, json_true());
	}
	if (unterminated)
		jx_add_line(json_object_get(phase, "reasons"),
			    "the file ends in the last figure, without a line end: it may be cut");
	import_add_phase(im, phase);
}

static void finish_block(struct import *im, const struct import_line *line)
{
	struct import_classic *classic = im->classic;
	const struct import_within within[2] = {
		{ classic->field[WITHIN_1MS][0].count, classic->field[WITHIN_1MS][1].text },
		{ classic->field[WITHIN_2MS][0].count, classic->field[WITHIN_2MS][1].text },
	};
	uint64_t min, max;
	json_t *phase;

	if (!classic->label[0])
		label_from_file(im);
	if (import_recover_diffs(within, &min, &max)) {
		import_damage(im, classic->line,
			      "block %s: no number of diffs gives both factors (%s%% and %s%%)",
			      what(classic), within[0].factor, within[1].factor);
		give_up(classic, -1);
		return;
	}
	if (classic->field[MAX_DIFF][1].count > max) {
		import_damage(im, classic->line, "block %s: more overruns than diffs",
			      what(classic));
		give_up(classic, -1);
		return;
	}
	phase = make_phase(im, min, max);
	if (import_duplicate(im, phase))
		json_decref(phase);
	else
		add(im, phase, line->unterminated);
	classic->label[0] = '\0';
	give_up(classic, -1);
}

/* ---- lines ---- */

static void begin_block(struct import *im, const struct import_line *line)
{
	struct import_classic *classic = im->classic;

	if (classic->next)
		end_early(im);
	classic->dead = -1;
	classic->fragments = 0;
	classic->waiting = false;
	classic->line = line->number;
}

/* A line that is not the one that is due. */
static void out_of_order(struct import *im, const struct import_line *line, int i)
{
	struct import_classic *classic = im->classic;

	if (classic->next || classic->waiting) {
		import_damage(im, line->number, "block %s: the line `%s` stands where `%s` is due",
			      what(classic), lines[i].name, lines[classic->next].name);
		give_up(classic, i);
	} else if (i <= classic->dead) {
		classic->dead = -1;
		classic->fragments = 1;
	} else if (classic->dead >= 0) {
		classic->dead = i;
	} else if (++classic->fragments == FRAGMENT_LINES) {
		import_damage(im, line->number, "a block without its first line `%s`",
			      lines[CPU_HZ].name);
		give_up(classic, i);
	}
}

static void take(struct import *im, const struct import_line *line, int i,
		 const struct import_field *field, bool bad)
{
	struct import_classic *classic = im->classic;

	if (i == CPU_HZ)
		begin_block(im, line);
	else if (!classic->next || i != classic->next) {
		out_of_order(im, line, i);
		return;
	}
	if (bad) {
		import_damage(im, line->number, "block %s: `%.60s` cannot be read", what(classic),
			      line->text);
		give_up(classic, i);
		return;
	}
	memcpy(classic->field[i], field, sizeof(classic->field[i]));
	classic->next = i + 1;
	if (classic->next == LINES)
		finish_block(im, line);
}

static enum import_taken classic_line(struct import *im, const struct import_line *line,
				      enum import_try how)
{
	struct import_classic *classic = im->classic;
	char label[LABEL_BYTES];

	if (!line->length || line->text[0] == '#')
		return IMPORT_OTHER;
	for (int i = 0; i < LINES; i++) {
		struct import_field field[IMPORT_FIELDS];
		enum import_taken taken;
		bool bad;

		taken = import_try_match(lines[i].pattern, line, how, field, &bad);
		if (taken == IMPORT_TAKEN)
			take(im, line, i, field, bad);
		if (taken != IMPORT_OTHER)
			return taken;
	}
	if (how == IMPORT_JOINED)
		return IMPORT_OTHER;
	if (is_label(line, label)) {
		end_early(im);
		memcpy(classic->label, label, sizeof(label));
		classic->label_line = line->number;
		classic->waiting = classic->any_label = true;
		classic->dead = -1;
		classic->fragments = 0;
		return IMPORT_TAKEN;
	}
	end_early(im);
	classic->fragments = 0;
	return IMPORT_OTHER;
}

static void classic_flush(struct import *im)
{
	end_early(im);
	im->classic->dead = -1;
	im->classic->fragments = 0;
	json_object_clear(im->classic->names);
}

static void classic_finish(struct import *im, json_t *run)
{
	(void)im;
	import_put_stress(run);
}

const struct import_format import_classic_format = {
	.program = "latencytest 0.5 log",
	.name = "latencytest-0.5",
	.line = classic_line,
	.flush = classic_flush,
	.finish = classic_finish,
};
