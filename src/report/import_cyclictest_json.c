/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cyclictest writes with --json: found among other lines, put together, then parsed whole. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/import_cyclictest.h"
#include "util/jx.h"
#include "util/number.h"

#define JSON_BYTES ((size_t)4 << 20)

struct import_collector {
	bool armed;               /* the line before was a brace alone, on armed_line */
	unsigned long armed_line;
	unsigned long line;       /* where the text begins; 0: none is being collected */
	char *text;
	size_t length, room;
	size_t depth;
	bool in_string, escaped;
};

struct import_collector *import_collector_new(void)
{
	return calloc(1, sizeof(struct import_collector));
}

void import_collector_free(struct import_collector *collector)
{
	if (collector)
		free(collector->text);
	free(collector);
}

/* ---- a document that was parsed ---- */

static bool whole_number(const json_t *value, uint64_t *count)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*count = (uint64_t)json_integer_value(value);
	return true;
}

static int by_value(const void *a, const void *b)
{
	const struct import_cell *left = a, *right = b;

	return (left->value > right->value) - (left->value < right->value);
}

/* The histogram as cells in order (free them); false where it is damaged. */
static bool read_cells(const json_t *histogram, struct import_cell **cells, size_t *n,
		       uint64_t *sum)
{
	const json_t *value;
	const char *key;

	*n = 0;
	*sum = 0;
	*cells = calloc(json_object_size(histogram) + 1, sizeof(**cells));
	if (!*cells)
		return false;
	json_object_foreach((json_t *)histogram, key, value) {
		struct import_cell *cell = &(*cells)[*n];
		int64_t number;

		if (number_i64(key, 0, UINT32_MAX, &number) || !whole_number(value, &cell->count) ||
		    cell->count > UINT64_MAX - *sum)
			return false;
		cell->value = (uint32_t)number;
		*sum += cell->count;
		++*n;
	}
	qsort(*cells, *n, sizeof(**cells), by_value);
	return true;
}

/* What is wrong with it, or NULL. */
static const char *put_thread(json_t *phase, unsigned int number, const json_t *in, double unit_us)
{
	const json_t *histogram = json_object_get(in, "histogram");
	json_t *thread = import_thread(phase, number);
	struct import_cell *cells = NULL;
	uint64_t cycles, sum, above;
	const char *wrong = NULL;
	size_t n;

	if (!whole_number(json_object_get(in, "cycles"), &cycles))
		return "no number of cycles";
	jx_put_count(thread, "cycles", cycles);
	if (!cycles)
		return NULL;
	jx_put_text(thread, "lateness_kind", "exact");
	jx_put_real(thread, "lateness_min_us", jx_number(in, "min") * unit_us);
	jx_put_real(thread, "lateness_mean_us", jx_number(in, "avg") * unit_us);
	jx_put_real(thread, "lateness_max_us", jx_number(in, "max") * unit_us);
	if (isnan(jx_number(in, "min")) || isnan(jx_number(in, "max")))
		return "no min or max";
	if (!json_object_size(histogram))
		return NULL;
	if (!read_cells(histogram, &cells, &n, &sum)) {
		wrong = "the histogram cannot be read";
	} else if (sum > cycles) {
		wrong = "the histogram has more cycles than there were";
	} else {
		above = cycles - sum;
		jx_put_count(thread, "lateness_overflow_count", above);
		if (import_put_quantiles(&thread, 1, cells, n, &sum, &above, unit_us))
			wrong = "no memory";
	}
	free(cells);
	return wrong;
}

static void put_environment(json_t *run, const json_t *document)
{
	static const char *const keys[][2] = {
		{ "release", "kernel_release" }, { "version", "kernel_version" },
		{ "machine", "kernel_machine" }, { "nodename", "hostname" },
	};
	const json_t *system = json_object_get(document, "sysinfo");
	json_t *environment = json_object_get(run, "environment");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(system, keys[i][0]);

		if (json_is_string(value))
			json_object_set(environment, keys[i][1], value);
	}
	/* The kernel is then not from a line above. */
	if (json_is_string(json_object_get(system, "release")))
		json_object_del(json_object_get(run, "imported"), "kernel_line");
}

static const char *put_threads(json_t *phase, const json_t *document)
{
	double unit_us = jx_count(document, "resolution_in_ns") ? 1e-3 : 1;
	const json_t *threads = json_object_get(document, "thread");
	size_t n = json_object_size(threads);

	if (!n || n > CYCLICTEST_THREADS)
		return "no threads, or more than can be read";
	for (unsigned int i = 0; i < n; i++) {
		char key[16];
		const json_t *thread;
		const char *wrong;

		snprintf(key, sizeof(key), "%u", i);
		thread = json_object_get(threads, key);
		wrong = thread ? put_thread(phase, i, thread, unit_us) : "a thread is missing";
		if (wrong)
			return wrong;
	}
	return NULL;
}

static void take_document(struct import *im, const json_t *document, unsigned long line)
{
	json_t *phase = import_phase("cyclictest", line), *run;
	json_t *started = json_object_get(document, "start_time");
	const char *command = json_string_value(json_object_get(document, "cmdline:"));
	const char *wrong = put_threads(phase, document);
	const json_t *status = json_object_get(document, "return_code");

	if (!command)
		command = json_string_value(json_object_get(document, "cmdline"));
	if (json_is_string(started))
		json_object_set(json_object_get(phase, "imported"), "start_time", started);
	if (json_integer_value(status))
		jx_add_line(json_object_get(phase, "reasons"), "cyclictest ended with status %lld",
			    (long long)json_integer_value(status));
	if (wrong)
		import_damage(im, line, "JSON of cyclictest: %s", wrong);
	if (wrong || import_duplicate(im, phase)) {
		json_decref(phase);
		return;
	}
	run = import_begin_run(im, &import_cyclictest_json_format, line);
	if (!run) {
		json_decref(phase);
		return;
	}
	import_cyclictest_conditions(run, command ? command : "", "");
	put_environment(run, document);
	import_add_phase(im, phase);
	import_end_run(im);
}

/* ---- finding one ---- */

static void drop(struct import_collector *collector)
{
	collector->line = 0;
	collector->length = collector->depth = 0;
	collector->in_string = collector->escaped = false;
}

static void parse(struct import *im)
{
	struct import_collector *collector = im->collector;
	unsigned long line = collector->line;
	json_error_t error;
	json_t *document = json_loadb(collector->text, collector->length,
					JSON_DISABLE_EOF_CHECK, &error);

	drop(collector);
	if (document)
		take_document(im, document, line);
	else
		import_damage(im, line + (unsigned long)(error.line > 0 ? error.line - 1 : 0),
			      "JSON of cyclictest: %.120s", error.text);
	json_decref(document);
}

static int append(struct import_collector *collector, const char *text, size_t n)
{
	if (collector->length + n + 1 > collector->room) {
		size_t room = collector->room ? collector->room : 4096;
		char *grown;

		while (room < collector->length + n + 1)
			room *= 2;
		grown = realloc(collector->text, room);
		if (!grown)
			return -ENOMEM;
		collector->text = grown;
		collector->room = room;
	}
	memcpy(collector->text + collector->length, text, n);
	collector->length += n;
	return 0;
}

/* How many braces are open, up to the one that closes the last; true there. */
static bool closes(struct import_collector *collector, const char *text)
{
	for (; *text; text++) {
		if (collector->in_string) {
			if (collector->escaped)
				collector->escaped = false;
			else if (*text == '\\')
				collector->escaped = true;
			else
				collector->in_string = *text != '"';
		} else if (*text == '"') {
			collector->in_string = true;
		} else if (*text == '{') {
			collector->depth++;
		} else if (*text == '}' && !--collector->depth) {
			return true;
		}
	}
	return false;
}

static void collect(struct import *im, const char *text, size_t length)
{
	struct import_collector *collector = im->collector;
	bool whole;

	if (collector->length + length + 1 > JSON_BYTES) {
		import_damage(im, collector->line, "JSON of cyclictest: longer than %zu bytes",
			      JSON_BYTES);
		drop(collector);
		return;
	}
	whole = closes(collector, text);
	/* A line that was wrapped within a string goes on after a blank. */
	if (append(collector, text, length) ||
	    append(collector, collector->in_string ? " " : "\n", 1))
		im->err = -ENOMEM;
	else if (whole)
		parse(im);
}

/* The keys that rt-tests begins with; sorted by another program the second comes first. */
static bool first_key(const char *text)
{
	text += strspn(text, " \t");
	return !strncmp(text, "\"file_version\"", 14) || !strncmp(text, "\"cmdline", 8);
}

static void begin(struct import *im, unsigned long line)
{
	if (im->collector->line)
		import_damage(im, im->collector->line, "JSON of cyclictest: it is cut");
	drop(im->collector);
	im->collector->line = line;
}

static enum import_taken json_line(struct import *im, const struct import_line *line,
				   enum import_try how)
{
	struct import_collector *collector = im->collector;

	(void)how;
	if (!line->length)
		return IMPORT_OTHER;
	if (line->text[0] == '{' && first_key(line->text + 1)) {
		begin(im, line->number);
	} else if (collector->armed && first_key(line->text)) {
		begin(im, collector->armed_line);
		collect(im, "{", 1);
	}
	collector->armed = !strcmp(line->text, "{");
	collector->armed_line = line->number;
	if (!collector->line)
		return IMPORT_OTHER;
	collect(im, line->text, line->length);
	return IMPORT_TAKEN;
}

static void json_flush(struct import *im)
{
	if (im->collector->line)
		import_damage(im, im->collector->line, "JSON of cyclictest: it is cut");
	drop(im->collector);
}

const struct import_format import_cyclictest_json_format = {
	.program = "cyclictest",
	.name = "cyclictest-json",
	.line = json_line,
	.flush = json_flush,
};
