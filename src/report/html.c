/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/html.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/imported.h"
#include "report/plot.h"
#include "report/plot_words.h"
#include "report/summary.h"
#include "report/verdict.h"
#include "util/stream.h"

const char *html_string(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "unknown";
}

void html_printf(FILE *out, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	html_escape(out, text ? text : "(no memory)");
	free(text);
}

/* The status is a class only where the style knows it: a class is no place for other text. */
void html_badge(FILE *out, const char *status)
{
	static const char *const known[] = { "valid",   "suspect",     "invalid", "skipped",
					     "running", "interrupted", "failed",  "complete" };
	const char *class = "";

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(status, known[i]))
			class = known[i];
	fprintf(out, "<span class=\"badge %s\">", class);
	html_escape(out, status);
	fputs("</span>", out);
}

/* ---- pictures ---- */

static int put_uri(FILE *out, const struct run_view *view, const struct phase_view *phase,
		   enum plot_kind kind, enum plot_theme theme, struct fault *fault)
{
	unsigned char *bytes;
	size_t length;
	int err = plot_render(view, phase, kind, PLOT_SVG, theme, &bytes, &length, fault);

	if (err)
		return err;
	fputs("data:image/svg+xml;base64,", out);
	html_base64(out, bytes, length);
	free(bytes);
	return 0;
}

static int put_image(FILE *out, const struct run_view *view, const struct phase_view *phase,
		     enum plot_kind kind, enum plot_theme theme, const char *description,
		     struct fault *fault)
{
	int err;

	fprintf(out, "<img class=\"%s\" src=\"", theme == PLOT_DARK ? "dark" : "light");
	err = put_uri(out, view, phase, kind, theme, fault);
	fputs("\" alt=\"", out);
	html_escape(out, description);
	fputs("\"/>\n", out);
	return err;
}

/*
 * Both themes; the style shows one of them, and the light one on paper (a <picture> would not do:
 * browsers do not choose anew for printing).
 */
static int put_figure(FILE *out, const struct run_view *view, const struct phase_view *phase,
		      enum plot_kind kind, const char *caption, struct fault *fault)
{
	char *title = plot_title(view, phase, kind);
	char *description = plot_description(view, phase, kind);
	int err = -ENOMEM;

	if (title && description) {
		fputs("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"", out);
		html_escape(out, title);
		fputs("\">\n", out);
		err = put_image(out, view, phase, kind, PLOT_LIGHT, description, fault);
		if (!err)
			err = put_image(out, view, phase, kind, PLOT_DARK, description, fault);
		fprintf(out, "</div>\n<figcaption>%s</figcaption></figure>\n", caption);
	} else {
		fault_set(fault, err, "report.html: %s", strerror(ENOMEM));
	}
	free(title);
	free(description);
	return err;
}

/* ---- the head of the page ---- */

static void put_head(FILE *out, const json_t *run)
{
	const json_t *environment = json_object_get(run, "environment");

	fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>", out);
	html_printf(out, "latencytest: %s on %s", html_string(environment, "kernel_release"),
		    html_string(environment, "hostname"));
	fputs("</title>\n", out);
	html_style(out);
	fputs("</head>\n<body>\n", out);
}

static void put_header(FILE *out, const json_t *run)
{
	const json_t *environment = json_object_get(run, "environment");
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *memory = json_object_get(environment, "memory_total_bytes");
	const json_t *cpus = json_object_get(environment, "cpu_count_online");
	char *verdict = summary_verdict(run);

	fputs("<header>\n<h1>", out);
	html_printf(out, "Audio latency of %s on %s", html_string(environment, "kernel_release"),
		    html_string(environment, "hostname"));
	fputs("</h1>\n<p class=\"muted\">", out);
	html_printf(out, "%s", html_string(environment, "cpu_model"));
	if (json_is_integer(cpus))
		html_printf(out, ", %lld CPU(s)", (long long)json_integer_value(cpus));
	if (json_is_number(memory))
		html_printf(out, ", %.1f GiB",
			    json_number_value(memory) / (1024.0 * 1024 * 1024));
	html_printf(out, " \xc2\xb7 %s \xc2\xb7 %s \xc2\xb7 source %s",
		    html_string(environment, "distribution"),
		    html_string(json_object_get(environment, "preemption"), "build"),
		    html_string(conditions, "source"));
	fputs("<br/>", out);
	if (imported_run(run))
		html_printf(out, "%s, %s", html_string(run, "program"),
			    html_string(json_object_get(run, "imported"), "file"));
	else
		html_printf(out, "%s, measured %s", html_string(run, "program"),
			    html_string(run, "started_utc"));
	html_badge(out, html_string(run, "status"));
	fputs("</p>\n<p class=\"verdict\"><strong>Verdict:</strong> ", out);
	html_escape(out, verdict ? verdict : "unknown");
	fputs("</p>\n</header>\n", out);
	free(verdict);
}

static void put_navigation(FILE *out, const struct run_view *view)
{
	fputs("<nav aria-label=\"Contents\"><ul>\n<li><a href=\"#phases\">Phases</a></li>"
	      "<li><a href=\"#summary\">Summary</a></li>\n", out);
	for (size_t i = 0; i < view->n; i++) {
		fprintf(out, "<li><a href=\"#phase-%zu\">", i + 1);
		html_escape(out, view->phases[i].name);
		fputs("</a></li>\n", out);
	}
	fputs("<li><a href=\"#machine\">Conditions and machine</a></li>\n</ul></nav>\n", out);
}

/* ---- phases ---- */

static void put_lines(FILE *out, const json_t *lines)
{
	const json_t *line;
	size_t i;

	if (!json_array_size(lines))
		return;
	fputs("<ul class=\"reasons\">\n", out);
	json_array_foreach(lines, i, line) {
		fputs("<li>", out);
		html_escape(out, json_is_string(line) ? json_string_value(line) : "");
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void put_phase_verdict(FILE *out, const struct run_view *view,
			      const struct phase_view *phase)
{
	char *verdict = verdict_phase(view->run, phase->phase);

	if (verdict) {
		fputs("<p>", out);
		html_escape(out, verdict);
		fputs("</p>\n", out);
	}
	free(verdict);
	put_lines(out, json_object_get(phase->phase, "reasons"));
}

/* What made the result one that does not represent the machine. */
static void put_doctor(FILE *out, const json_t *run)
{
	const json_t *finding;
	bool any = false;
	size_t i;

	json_array_foreach(json_object_get(run, "doctor"), i, finding) {
		if (!json_is_true(json_object_get(finding, "spoils_results")))
			continue;
		fputs(any ? "" : "<h3>Not as the machine should be measured</h3>\n<ul "
		      "class=\"reasons\">\n", out);
		any = true;
		fputs("<li>", out);
		html_printf(out, "%s: %s", html_string(finding, "title"),
			    html_string(finding, "evidence"));
		fputs("</li>\n", out);
	}
	fputs(any ? "</ul>\n" : "", out);
}

static int put_overview(FILE *out, const struct run_view *view, struct fault *fault)
{
	const json_t *breached = json_object_get(view->run, "limits_breached");
	const json_t *changes = json_object_get(view->run, "environment_changes");
	const json_t *incidents = json_object_get(view->run, "incidents");
	int err = 0;

	fputs("<section id=\"phases\"><h2>Phase by phase</h2>\n<ul class=\"phases\">\n", out);
	for (size_t i = 0; i < view->n; i++) {
		fprintf(out, "<li><strong><a href=\"#phase-%zu\">", i + 1);
		html_escape(out, view->phases[i].name);
		fputs("</a></strong>", out);
		html_badge(out, plot_status(&view->phases[i]));
		put_phase_verdict(out, view, &view->phases[i]);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
	if (json_array_size(incidents)) {
		fputs("<h3>What befell the run</h3>\n", out);
		put_lines(out, incidents);
	}
	if (json_array_size(breached)) {
		fputs("<h3>Limits breached</h3>\n", out);
		put_lines(out, breached);
	}
	if (json_array_size(changes)) {
		fputs("<h3>Settings of the machine that changed during the run</h3>\n", out);
		put_lines(out, changes);
	}
	put_doctor(out, view->run);
	if (view->n && !imported_run(view->run))
		err = put_figure(out, view, NULL, PLOT_OVERVIEW,
				 "All phases on the same scale: diff should stay near the period "
				 "and below the deadline.", fault);
	fputs("</section>\n<section id=\"summary\"><h2>Summary</h2>\n", out);
	html_summary(out, view->run);
	fputs("</section>\n", out);
	return err;
}

static const char time_caption[] =
	"Diff is the time between two wake-ups and should stay at the period; the burn is the work "
	"of one cycle. Each column shows the least and the greatest of its time. A diff above the "
	"deadline is an overrun.";
static const char histogram_caption[] =
	"How many cycles had which diff and which lateness. Counts are on a logarithmic axis, so "
	"that a single bad cycle can be seen beside millions of good ones.";
static const char percentile_caption[] =
	"Which share of the cycles woke (lateness) and had done their work (finish) within which "
	"time. Each nine takes the same room.";

static int put_pictures(FILE *out, const struct run_view *view, const struct phase_view *phase,
			struct fault *fault)
{
	int err;

	if (!phase->evaluation || !phase->evaluation->metrics.cycles) {
		fputs("<p class=\"muted\">There are no samples to draw.</p>\n", out);
		return 0;
	}
	err = put_figure(out, view, phase, PLOT_TIME, time_caption, fault);
	if (!err)
		err = put_figure(out, view, phase, PLOT_HISTOGRAM, histogram_caption, fault);
	if (!err && phase->evaluation->metrics.lateness->n)
		err = put_figure(out, view, phase, PLOT_PERCENTILE, percentile_caption, fault);
	return err;
}

static int put_phase(FILE *out, const struct run_view *view, size_t number, struct fault *fault)
{
	const struct phase_view *phase = &view->phases[number];
	const json_t *threads = json_object_get(phase->phase, "threads"), *thread;
	size_t i;
	int err;

	fprintf(out, "<section class=\"phase\" id=\"phase-%zu\">\n<h2>", number + 1);
	html_escape(out, phase->name);
	html_badge(out, plot_status(phase));
	fputs("</h2>\n", out);
	put_phase_verdict(out, view, phase);
	err = put_pictures(out, view, phase, fault);
	fputs("<details><summary>All figures, recording and interrupts</summary>\n", out);
	json_array_foreach(threads, i, thread) {
		if (json_array_size(threads) > 1)
			fprintf(out, "<h3>Thread %zu</h3>\n", i);
		html_thread(out, thread);
	}
	fputs("<h3>Stressor</h3>\n", out);
	html_object(out, json_object_get(phase->phase, "stressor"));
	fputs("<h3>Recording</h3>\n", out);
	html_object(out, json_object_get(phase->phase, "recording"));
	if (json_object_get(phase->phase, "interrupts")) {
		fputs("<h3>Interrupts</h3>\n", out);
		html_interrupts(out, phase->phase);
	}
	fputs("</details>\n</section>\n", out);
	return err;
}

/* ---- conditions and machine ---- */

static void put_command_line(FILE *out, const json_t *run)
{
	const json_t *words = json_object_get(run, "command_line"), *word;
	size_t i;

	if (!json_array_size(words))
		return;
	fputs("<p>Command: <code>", out);
	json_array_foreach(words, i, word)
		html_printf(out, "%s%s", i ? " " : "",
			    json_is_string(word) ? json_string_value(word) : "");
	fputs("</code></p>\n", out);
}

static void put_machine(FILE *out, const json_t *run)
{
	static const struct {
		const char *key;
		const char *title;
	} parts[] = {
		{ "conditions", "Conditions of the test" },
		{ "environment", "Environment: kernel, processor, disks" },
		{ "calibration", "Calibration of the burn" },
		{ "clock", "Clock" },
	};

	fputs("<section id=\"machine\"><h2>Conditions and machine</h2>\n", out);
	put_command_line(out, run);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		fprintf(out, "<details%s><summary>%s</summary>\n", i ? "" : " open=\"open\"",
			parts[i].title);
		html_object(out, json_object_get(run, parts[i].key));
		fputs("</details>\n", out);
	}
	fputs("</section>\n", out);
}

int html_write(FILE *out, const struct run_view *view, struct fault *fault)
{
	int err;

	put_head(out, view->run);
	put_header(out, view->run);
	put_navigation(out, view);
	fputs("<main>\n", out);
	err = put_overview(out, view, fault);
	for (size_t i = 0; !err && i < view->n; i++)
		err = put_phase(out, view, i, fault);
	put_machine(out, view->run);
	fputs("</main>\n<footer>", out);
	html_printf(out, "Made by %s from run.json and the sample files of this result.",
		    html_string(view->run, "program"));
	fputs("</footer>\n</body>\n</html>\n", out);
	if (err)
		return err;
	err = stream_finish(out, 0);
	return err ? fault_set(fault, err, "report.html: %s", strerror(-err)) : 0;
}
