/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest compare: which is better, and is it significant. */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "report/compare.h"
#include "util/printable.h"
#include "util/stream.h"

enum compare_format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML };

struct compare_options {
	enum compare_format format;
	bool fail_if_worse;
	bool force;
	char **results;
	int n_results;
};

enum { OPT_FORMAT = 256, OPT_FAIL_IF_WORSE, OPT_FORCE };

static const struct argp_option option_table[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0, "text (default), markdown, csv, json or html", 1 },
	{ "fail-if-worse", OPT_FAIL_IF_WORSE, NULL, 0,
	  "exit with status 2 when any row is significantly worse than the reference", 1 },
	{ "force", OPT_FORCE, NULL, 0,
	  "compare in spite of different conditions (source, load, period, deadline, file size); "
	  "every row is flagged and none gets a `*`", 1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static enum compare_format parse_format(const char *name)
{
	static const char *const names[] = { "text", "markdown", "csv", "json", "html" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return (enum compare_format)i;
	usage_error("--format %s: valid is text, markdown, csv, json or html", name);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare_options *options = state->input;

	switch (key) {
	case OPT_FORMAT:
		options->format = parse_format(arg);
		break;
	case OPT_FAIL_IF_WORSE:
		options->fail_if_worse = true;
		break;
	case OPT_FORCE:
		options->force = true;
		break;
	case ARGP_KEY_ARGS:
		options->results = state->argv + state->next;
		options->n_results = state->argc - state->next;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int load_all(const struct compare_options *options, struct compare *compare,
		    struct fault *fault)
{
	int err = 0;

	for (int i = 0; !err && i < options->n_results; i++)
		err = compare_load(compare, options->results[i], options->format == FORMAT_HTML,
				   stderr, fault);
	return err;
}

static int write_out(const struct compare_options *options, const struct compare *compare,
		     struct fault *fault)
{
	int err = 0;

	switch (options->format) {
	case FORMAT_TEXT:
		err = compare_write_text(stdout, compare);
		break;
	case FORMAT_MARKDOWN:
		err = compare_write_markdown(stdout, compare);
		break;
	case FORMAT_CSV:
		err = compare_write_csv(stdout, compare);
		break;
	case FORMAT_JSON:
		err = compare_write_json(stdout, compare);
		break;
	case FORMAT_HTML:
		return compare_write_html(stdout, compare, fault);
	}
	err = stream_finish(stdout, err);
	return err ? fault_set(fault, err, "output: %s", strerror(-err)) : 0;
}

/* The lines after the first, which the fault has. */
static void print_refusals(const struct compare *compare)
{
	const json_t *line;
	size_t i;

	json_array_foreach(compare->refusals, i, line)
		if (i)
			print_line(stderr, "latencytest: and: %s", json_string_value(line));
	fputs("latencytest: --force compares all the same, and flags every row\n", stderr);
}

int cmd_compare(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "RESULT...",
		.doc = "Compare results. A RESULT is a result directory, a run.json, or a file "
		       "that import understands; RESULT=LABEL names it, LABEL=RESULT,RESULT,... "
		       "makes a group of runs. The first is the reference. Repeat runs: only they "
		       "show what is significant.",
	};
	struct compare_options options = { .format = FORMAT_TEXT };
	struct fault fault = { "" };
	struct compare compare;
	int err, status = EXIT_DONE;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (!options.n_results)
		usage_error("compare: no result given; valid is compare [OPTION...] RESULT...");
	compare_init(&compare);
	compare.force = options.force;
	err = load_all(&options, &compare, &fault);
	if (!err)
		err = compare_evaluate(&compare, &fault);
	if (!err)
		err = write_out(&options, &compare, &fault);
	if (err) {
		fprintf(stderr, "latencytest: %s\n", fault.text);
		if (err == -EPERM && json_array_size(compare.refusals))
			print_refusals(&compare);
		status = EXIT_ERROR;
	} else if (options.fail_if_worse && compare_worse(&compare)) {
		status = EXIT_LIMIT;
	} else if (options.fail_if_worse && compare_damaged(&compare)) {
		/* What was damaged may have been what is worse. */
		status = EXIT_ERROR;
	}
	compare_free(&compare);
	return status;
}
