/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest report: summary, plots, HTML, CSV, JSON and TAP from result directories. */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "options.h"
#include "report/csv.h"
#include "report/result.h"
#include "report/run_file.h"
#include "report/summary.h"
#include "report/tap.h"
#include "util/printable.h"

enum report_format { FORMAT_FILES, FORMAT_CSV, FORMAT_SAMPLES_CSV, FORMAT_JSON, FORMAT_TAP };

struct report_options {
	enum report_format format;
	const char *output; /* NULL: into each result directory itself */
	bool plots;
	char **dirs;
	int n_dirs;
};

enum { OPT_CSV = 256, OPT_SAMPLES_CSV, OPT_JSON, OPT_TAP, OPT_NO_PLOTS, OPT_OUTPUT };

static const struct argp_option option_table[] = {
	{ "csv", OPT_CSV, NULL, 0, "print one row per phase and thread as CSV; write no files", 1 },
	{ "samples-csv", OPT_SAMPLES_CSV, NULL, 0, "print one row per cycle as CSV; write no files",
	  1 },
	{ "json", OPT_JSON, NULL, 0,
	  "print the results as JSON (an object for one DIR, an array for more); write no files",
	  1 },
	{ "tap", OPT_TAP, NULL, 0,
	  "print each phase as a test result against the limits of its run; write no files", 1 },
	{ "no-plots", OPT_NO_PLOTS, NULL, 0, "write summary and logs, but neither plots nor HTML",
	  1 },
	{ "output", OPT_OUTPUT, "DIR", 0,
	  "write into DIR, made if need be, instead of the result directory (with one DIR only)",
	  1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static void set_format(struct report_options *options, enum report_format format)
{
	if (options->format != FORMAT_FILES && options->format != format)
		usage_error("--csv, --samples-csv, --json, --tap: valid is one of them");
	options->format = format;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_options *options = state->input;

	switch (key) {
	case OPT_CSV:
		set_format(options, FORMAT_CSV);
		break;
	case OPT_SAMPLES_CSV:
		set_format(options, FORMAT_SAMPLES_CSV);
		break;
	case OPT_JSON:
		set_format(options, FORMAT_JSON);
		break;
	case OPT_TAP:
		set_format(options, FORMAT_TAP);
		break;
	case OPT_NO_PLOTS:
		options->plots = false;
		break;
	case OPT_OUTPUT:
		options->output = arg;
		break;
	case ARGP_KEY_ARGS:
		options->dirs = state->argv + state->next;
		options->n_dirs = state->argc - state->next;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int complain(const struct fault *fault)
{
	fprintf(stderr, "latencytest: %s\n", fault->text);
	return EXIT_ERROR;
}

static int save_logs(const char *dir, const struct run_view *view, struct fault *fault)
{
	int err = 0;

	for (size_t i = 0; !err && i < view->n; i++)
		if (json_array_size(json_object_get(view->phases[i].phase, "threads")))
			err = result_save_log(dir, view->run, view->phases[i].phase, fault);
	return err;
}

/* The files of one result directory, and its summary on the terminal. */
static int write_files(const struct report_options *options, const struct run_view *view,
		       struct fault *fault)
{
	const char *dir = options->output ? options->output : view->dir;
	int err;

	if (options->output && mkdir(dir, 0777) && errno != EEXIST)
		return fault_set(fault, -errno, "--output %s: %s", dir, strerror(errno));
	err = save_logs(dir, view, fault);
	if (!err)
		err = result_save_summary(dir, view->run, fault);
	if (!err && options->plots)
		err = result_save_plots(dir, view, fault);
	if (!err && options->plots)
		err = result_save_html(dir, view, fault);
	if (err)
		return err;
	summary_write(stdout, view->run);
	putchar('\n');
	print_line(stdout, "%s/%s", dir, options->plots ? "report.html" : "summary.txt");
	return 0;
}

/* What is printed at the end, all directories together. */
struct collection {
	json_t *runs;       /* array of run objects */
	const char **names; /* the directory of each */
};

/* One directory in the form asked for. */
static int report_one(const struct report_options *options, const struct run_view *view,
		      struct collection *all, struct fault *fault)
{
	switch (options->format) {
	case FORMAT_FILES:
		return write_files(options, view, fault);
	case FORMAT_CSV:
		return csv_phases(stdout, view);
	case FORMAT_SAMPLES_CSV:
		return csv_samples(stdout, view, fault);
	case FORMAT_JSON:
	case FORMAT_TAP:
		all->names[json_array_size(all->runs)] = view->dir;
		return json_array_append(all->runs, view->run) ? -ENOMEM : 0;
	}
	return -EINVAL;
}

static int print_json(const json_t *all)
{
	const json_t *what = json_array_size(all) == 1 ? json_array_get(all, 0) : all;
	int err = json_dumpf(what, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(12));

	putchar('\n');
	return err ? -EIO : 0;
}

static void print_tap(const struct collection *all)
{
	size_t results = 0, number = 0, i;
	const json_t *run;

	json_array_foreach(all->runs, i, run)
		results += json_array_size(json_object_get(run, "phases"));
	tap_plan(stdout, results);
	json_array_foreach(all->runs, i, run) {
		char prefix[512] = "";

		if (json_array_size(all->runs) > 1)
			snprintf(prefix, sizeof(prefix), "%s: ", all->names[i]);
		tap_run(stdout, run, prefix, &number);
	}
}

static int report_all(const struct report_options *options, struct collection *all)
{
	struct fault fault = { "" };
	int status = EXIT_DONE;

	for (int i = 0; i < options->n_dirs; i++) {
		struct run_view view;
		int err = run_file_open(&view, options->dirs[i], &fault);

		if (!err) {
			if (i && options->format == FORMAT_FILES)
				putchar('\n');
			err = report_one(options, &view, all, &fault);
			run_file_close(&view);
		}
		/* The other directories are still worth a report. */
		if (err)
			status = complain(&fault);
		fault.text[0] = '\0';
	}
	return status;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "DIR...",
		.doc = "Make summary.txt, the classic logs, plots (SVG and PNG) and report.html "
		       "from result directories, and print the summary. What was measured "
		       "is never changed.",
	};
	struct report_options options = { .plots = true };
	struct collection all;
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (!options.n_dirs)
		usage_error("report: no result directory given; valid is report [OPTION...] "
			    "DIR...");
	if (options.output && !options.output[0])
		usage_error("--output \"\": valid is the name of a directory");
	if (options.output && options.format != FORMAT_FILES)
		usage_error("--output %s: goes not with --csv, --samples-csv, --json and --tap, "
			    "which write no files", options.output);
	if (options.output && options.n_dirs > 1)
		usage_error("--output %s: valid with one result directory only", options.output);
	all.runs = json_array();
	all.names = calloc((size_t)options.n_dirs, sizeof(all.names[0]));
	if (options.format == FORMAT_CSV)
		csv_phases_header(stdout);
	else if (options.format == FORMAT_SAMPLES_CSV)
		csv_samples_header(stdout);
	status = report_all(&options, &all);
	if (options.format == FORMAT_JSON && json_array_size(all.runs) && print_json(all.runs))
		status = EXIT_ERROR;
	if (options.format == FORMAT_TAP)
		print_tap(&all);
	json_decref(all.runs);
	free(all.names);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "latencytest: output: write error\n");
		status = EXIT_ERROR;
	}
	return status;
}
