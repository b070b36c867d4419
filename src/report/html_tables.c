/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html_parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "report/html_text.h"
#include "report/imported.h"
#include "util/units.h"

#define DEPTH_MAX 8 /* objects within objects: deeper ones are not shown */

static const json_t *thread_of(const json_t *phase)
{
	return json_array_get(json_object_get(phase, "threads"), 0);
}

/* A table that may be wider than the page scrolls by itself, with the keyboard as well. */
static void begin_scroll(FILE *out, const char *what)
{
	fprintf(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n",
		what);
}

/* ---- the tables of summary.txt ---- */

struct heading {
	const char *key;      /* in the thread */
	const char *text;
	const char *unit;     /* "": none */
	int decimals;         /* -1: a count */
};

static void put_cell(FILE *out, const json_t *value, int decimals)
{
	fputs("<td>", out);
	if (json_is_string(value))
		html_escape(out, json_string_value(value));
	else if (decimals < 0 && json_is_integer(value))
		fprintf(out, "%lld", (long long)json_integer_value(value));
	else if (json_is_number(value))
		fprintf(out, "%.*f", decimals < 0 ? 0 : decimals, json_number_value(value));
	else
		fputs("<span class=\"muted\">n/a</span>", out);
	fputs("</td>", out);
}

static void put_phase_name(FILE *out, const json_t *phase, size_t number)
{
	fprintf(out, "<th scope=\"row\"><a href=\"#phase-%zu\">", number + 1);
	html_escape(out, html_string(phase, "name"));
	fputs("</a></th>", out);
}

/* A thread's figures; the phase is named before the first, its status told where there is none. */
static void put_thread_row(FILE *out, const json_t *phase, size_t phase_number,
			   const json_t *thread, size_t number, const struct heading *headings,
			   size_t n)
{
	fputs("<tr>", out);
	if (number)
		fprintf(out, "<th scope=\"row\">thread %zu</th>", number);
	else
		put_phase_name(out, phase, phase_number);
	for (size_t j = 0; thread && j < n; j++)
		put_cell(out, json_object_get(thread, headings[j].key), headings[j].decimals);
	if (!thread) {
		fprintf(out, "<td colspan=\"%zu\">", n);
		html_escape(out, html_string(phase, "status"));
		fputs("</td>", out);
	}
	fputs("</tr>\n", out);
}

static void put_table(FILE *out, const json_t *run, const char *caption,
		      const struct heading *headings, size_t n)
{
	const json_t *phase;
	size_t i;

	begin_scroll(out, caption);
	fprintf(out, "<table class=\"wide\"><caption>%s</caption>\n<thead><tr>"
		     "<th scope=\"col\">phase</th>", caption);
	for (size_t j = 0; j < n; j++)
		fprintf(out, "<th scope=\"col\">%s%s%s</th>", headings[j].text,
			headings[j].unit[0] ? "<br/>" : "", headings[j].unit);
	fputs("</tr></thead>\n<tbody>\n", out);
	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const json_t *threads = json_object_get(phase, "threads");
		size_t count = json_array_size(threads);

		for (size_t j = 0; j < (count ? count : 1); j++)
			put_thread_row(out, phase, i, json_array_get(threads, j), j, headings, n);
	}
	fputs("</tbody></table></div>\n", out);
}

static void put_stressors(FILE *out, const json_t *run)
{
	static const char head[] =
		"<table class=\"wide\"><caption>Stressors: work done while measuring, and how long "
		"they stood still</caption>\n<thead><tr><th scope=\"col\">phase</th>"
		"<th scope=\"col\">work</th><th scope=\"col\">longest stall<br/>ms</th>"
		"<th scope=\"col\">stalled<br/>% of the time</th></tr></thead>\n<tbody>\n";
	const json_t *phase;
	size_t i;
	bool any = false;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const json_t *stressor = json_object_get(phase, "stressor");
		const char *unit = json_string_value(json_object_get(stressor, "unit"));
		char rate[96];

		if (!unit)
			continue;
		if (!any) {
			begin_scroll(out, "Stressors");
			fputs(head, out);
		}
		any = true;
		fputs("<tr>", out);
		put_phase_name(out, phase, i);
		fputs("<td>", out);
		html_escape(out, units_rate(rate, sizeof(rate),
					    json_number_value(json_object_get(stressor,
									      "units_per_second")),
					    unit));
		fputs("</td>", out);
		put_cell(out, json_object_get(stressor, "longest_stall_ms"), 1);
		put_cell(out, json_object_get(stressor, "stalled_percent"), 1);
		fputs("</tr>\n", out);
	}
	if (any)
		fputs("</tbody></table></div>\n", out);
}

static bool any_has(const json_t *run, const char *key)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (json_is_number(json_object_get(thread_of(phase), key)))
			return true;
	return false;
}

void html_summary(FILE *out, const json_t *run)
{
	static const struct heading diffs[] = {
		{ "cycles", "cycles", "", -1 },
		{ "missed_cycles", "missed", "", -1 },
		{ "overruns", "overruns", "", -1 },
		{ "max_diff_ms", "max diff", "ms", 3 },
		{ "within_1ms_percent", "within 1 ms", "%", 3 },
		{ "within_2ms_percent", "within 2 ms", "%", 3 },
		{ "deviation_ms", "deviation", "ms", 6 },
	};
	static const struct heading lateness[] = {
		{ "lateness_median_us", "lateness<br/>median", "\xc2\xb5s", 1 },
		{ "lateness_p99_us", "lateness<br/>p99", "\xc2\xb5s", 1 },
		{ "lateness_max_us", "lateness<br/>max", "\xc2\xb5s", 1 },
		{ "finish_p99_ms", "finish<br/>p99", "ms", 3 },
		{ "late_finishes", "late<br/>finishes", "", -1 },
		{ "load_achieved", "load", "", 3 },
		{ "stolen_percent", "stolen", "%", 2 },
	};

	/* What was imported has one or the other. */
	if (!imported_run(run) || any_has(run, "max_diff_ms"))
		put_table(out, run, "Diff: the time between two wake-ups, against the period",
			  diffs, sizeof(diffs) / sizeof(diffs[0]));
	if (!imported_run(run) || any_has(run, "lateness_max_us"))
		put_table(out, run, "Lateness of the wake-up, finish of the burn, and the load",
			  lateness, sizeof(lateness) / sizeof(lateness[0]));
	put_stressors(out, run);
}

/* ---- any JSON ---- */

static void put_object(FILE *out, const json_t *object, unsigned int depth);

static bool all_objects(const json_t *array)
{
	const json_t *item;
	size_t i;

	json_array_foreach(array, i, item)
		if (!json_is_object(item))
			return false;
	return json_array_size(array) > 0;
}

/* One row for each object, under the keys of the first. */
static void put_object_rows(FILE *out, const json_t *array)
{
	json_t *first = json_array_get(array, 0);
	const json_t *item, *value;
	const char *key;
	size_t i;

	fputs("<table><thead><tr>", out);
	json_object_foreach(first, key, value) {
		fputs("<th scope=\"col\">", out);
		html_name(out, key);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>\n", out);
	json_array_foreach(array, i, item) {
		fputs("<tr>", out);
		json_object_foreach(first, key, value) {
			fputs("<td>", out);
			html_value(out, key, json_object_get(item, key));
			fputs("</td>", out);
		}
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table>", out);
}

static void put_any(FILE *out, const char *key, const json_t *value, unsigned int depth)
{
	const json_t *item;
	size_t i;

	if (depth > DEPTH_MAX) {
		fputs("\xe2\x80\xa6", out);
	} else if (json_is_object(value)) {
		put_object(out, value, depth);
	} else if (!json_is_array(value)) {
		html_value(out, key, value);
	} else if (all_objects(value)) {
		put_object_rows(out, value);
	} else {
		if (!json_array_size(value))
			fputs("<span class=\"muted\">none</span>", out);
		json_array_foreach(value, i, item) {
			if (i)
				fputs(", ", out);
			put_any(out, key, item, depth + 1);
		}
	}
}

static void put_object(FILE *out, const json_t *object, unsigned int depth)
{
	const json_t *value;
	const char *key;

	if (!json_object_size(object)) {
		fputs("<span class=\"muted\">none</span>", out);
		return;
	}
	fputs("<table class=\"pairs\"><tbody>\n", out);
	json_object_foreach((json_t *)object, key, value) {
		fputs("<tr><th scope=\"row\">", out);
		html_name(out, key);
		fputs("</th><td>", out);
		put_any(out, key, value, depth + 1);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

void html_object(FILE *out, const json_t *object)
{
	begin_scroll(out, "Details");
	if (json_is_object(object))
		put_object(out, object, 0);
	else
		fputs("<p class=\"muted\">not recorded</p>\n", out);
	fputs("</div>\n", out);
}

static void put_interrupt_rows(FILE *out, const char *kind, const json_t *counts)
{
	const json_t *value;
	const char *name;

	json_object_foreach((json_t *)counts, name, value) {
		fprintf(out, "<tr><td>%s</td><th scope=\"row\">", kind);
		html_escape(out, name);
		fputs("</th><td class=\"n\">", out);
		html_value(out, "count", value);
		fputs("</td></tr>\n", out);
	}
}

void html_interrupts(FILE *out, const json_t *phase)
{
	const json_t *interrupts = json_object_get(phase, "interrupts");
	const json_t *cpu = json_object_get(phase, "interrupts_cpu");

	if (!json_is_object(interrupts) || !json_object_size(interrupts))
		return;
	begin_scroll(out, "Interrupts");
	fputs("<table><caption>Interrupts and softirqs of the measuring CPU", out);
	if (json_is_integer(cpu))
		fprintf(out, " (CPU %lld)", (long long)json_integer_value(cpu));
	fputs(" during the phase</caption>\n<thead><tr><th scope=\"col\">kind</th>"
	      "<th scope=\"col\">name</th><th scope=\"col\" class=\"n\">count</th></tr></thead>\n"
	      "<tbody>\n", out);
	put_interrupt_rows(out, "interrupt", json_object_get(interrupts, "irq"));
	put_interrupt_rows(out, "softirq", json_object_get(interrupts, "softirq"));
	fputs("</tbody></table></div>\n", out);
}
