/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/import_parts.h"
#include "report/import_seen.h"

#define JOIN_BYTES 1000 /* what mail programs wrap is not longer */
#define JOIN_LINES 4

/* In this order they are asked; the first takes the line. */
static const struct import_format *const formats[] = {
	&import_place_format,      &import_png_format,             &import_classic_format,
	&import_cyclictest_format, &import_cyclictest_json_format,
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

/* A line that may go on in the next one. */
struct held {
	const struct import_format *format; /* whose; NULL: none is held */
	char text[JOIN_BYTES];
	struct import_line line;
	unsigned int lines;
};

void import_damage(struct import *im, unsigned long line, const char *fmt, ...)
{
	char reason[200];
	va_list args;

	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	im->stats->damaged++;
	if (im->complain)
		im->complain(im->argument, im->name, line, reason);
}

enum import_taken import_try_match(const char *pattern, const struct import_line *line,
				   enum import_try how, struct import_field *fields, bool *bad)
{
	enum import_match match = import_match(pattern, line->text, fields);

	if (match == IMPORT_MATCH_PART && how != IMPORT_FINAL)
		return IMPORT_PART;
	*bad = match != IMPORT_MATCH_WHOLE;
	if (match == IMPORT_MATCH_NOT || (*bad && how == IMPORT_JOINED))
		return IMPORT_OTHER;
	return IMPORT_TAKEN;
}

void import_flush(struct import *im)
{
	for (size_t i = 0; i < N_FORMATS; i++)
		if (formats[i]->flush)
			formats[i]->flush(im);
	import_end_run(im);
}

/* What is held will not be gone on with: it counts as it stands. */
static void let_go(struct import *im, struct held *held)
{
	const struct import_format *format = held->format;

	held->format = NULL;
	if (format)
		format->line(im, &held->line, IMPORT_FINAL);
}

static void hold(struct held *held, const struct import_format *format,
		 const struct import_line *line)
{
	held->format = format;
	held->lines = 1;
	held->line = *line;
	held->line.text = held->text;
	memcpy(held->text, line->text, line->length + 1);
}

/* Offers a line to every format. */
static void offer(struct import *im, struct held *held, const struct import_line *line)
{
	for (size_t i = 0; i < N_FORMATS; i++) {
		enum import_try how = line->length < JOIN_BYTES ? IMPORT_FIRST : IMPORT_FINAL;

		switch (formats[i]->line(im, line, how)) {
		case IMPORT_OTHER:
			continue;
		case IMPORT_TAKEN:
			return;
		case IMPORT_PART:
			hold(held, formats[i], line);
			return;
		}
	}
}

/* Whether the held line and this one together are one. */
static bool join(struct import *im, struct held *held, const struct import_line *line)
{
	size_t length = held->line.length;

	if (!line->length || held->lines == JOIN_LINES || line->length + length + 2 > JOIN_BYTES)
		return false;
	held->text[length] = ' ';
	memcpy(held->text + length + 1, line->text, line->length + 1);
	held->line.length += line->length + 1;
	held->line.unterminated = line->unterminated;
	held->lines++;
	switch (held->format->line(im, &held->line, IMPORT_JOINED)) {
	case IMPORT_TAKEN:
		held->format = NULL;
		return true;
	case IMPORT_PART:
		return true;
	case IMPORT_OTHER:
		break;
	}
	held->text[length] = '\0';
	held->line.length = length;
	return false;
}

static void read_line(struct import *im, struct held *held, const struct import_line *line)
{
	if (held->format && join(im, held, line))
		return;
	let_go(im, held);
	offer(im, held, line);
}

static int read_all(struct import *im, FILE *in, struct fault *fault)
{
	struct import_lines *lines = import_lines_new(in);
	struct held held = { .format = NULL };
	struct import_line line;
	int got = -ENOMEM;

	while (lines && !im->err && (got = import_lines_next(lines, &line)) > 0)
		read_line(im, &held, &line);
	if (lines && !im->err && !got) {
		let_go(im, &held);
		import_flush(im);
	}
	import_lines_free(lines);
	if (got < 0)
		return fault_set(fault, got, "%s: %s", im->name, strerror(-got));
	if (im->err)
		return fault_set(fault, im->err, "%s: %s", im->name, strerror(-im->err));
	return 0;
}

int import_stream(FILE *in, const char *name, import_sink sink, import_complaint complain,
		  void *argument, struct import_stats *stats, struct fault *fault)
{
	struct import im = { .name = name, .stats = stats, .sink = sink, .complain = complain,
			     .argument = argument };
	int err = -ENOMEM;

	memset(stats, 0, sizeof(*stats));
	import_place_clear(&im.place);
	im.seen = import_seen_new();
	im.classic = import_classic_new();
	im.png = import_png_new();
	im.cyclictest = import_cyclictest_new();
	im.collector = import_collector_new();
	if (im.seen && im.classic && im.png && im.cyclictest && im.collector)
		err = read_all(&im, in, fault);
	else
		fault_set(fault, err, "no memory");
	json_decref(im.run);
	free(im.seen);
	import_classic_free(im.classic);
	import_png_free(im.png);
	import_cyclictest_free(im.cyclictest);
	import_collector_free(im.collector);
	return err;
}
