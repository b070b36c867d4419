/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest doctor: is this machine set up for low latency. */
#include "config.h"

#include <argp.h>
#include <jansson.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "doctor/doctor.h"
#include "doctor/sound_card.h"
#include "doctor/spin.h"
#include "doctor/text.h"
#include "options.h"
#include "system/environment.h"
#include "util/jx.h"
#include "util/paragraph.h"
#include "util/printable.h"
#include "util/root.h"
#include "util/stamp.h"

#define COLUMNS_MAX 120 /* longer lines are hard to read */
#define FILE_BYTES 1000000000

struct doctor_options {
	struct doctor_params params;
	const char *dir;
	const char *device;
	bool spin, json;
	enum doctor_detail detail;
};

enum { OPT_LOAD = 256, OPT_PRIORITY, OPT_CPU, OPT_DIR, OPT_DEVICE, OPT_NO_SPIN, OPT_JSON, OPT_QUIET,
       OPT_VERBOSE };

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What the machine is to be fit for:", 1 },
	{ "load", OPT_LOAD, "F", 0,
	  "share of the CPU that the audio program takes, 0 to 1 (0.8)", 1 },
	{ "priority", OPT_PRIORITY, "N", 0, "real-time priority that it wants, 1 to 99 (80)", 1 },
	{ "cpu", OPT_CPU, "N", 0, "the CPU that it is pinned to (not pinned)", 1 },
	{ "dir", OPT_DIR, "DIR", 0, "where it works on files (.)", 1 },
	{ "device", OPT_DEVICE, "DEV", 0, "its sound card, hw:N or hw:NAME (the first)", 1 },
	{ "no-spin", OPT_NO_SPIN, NULL, 0,
	  "leave the spin test out, which takes a CPU for 1 to 2 seconds; its checks are unknown "
	  "then", 1 },

	{ NULL, 0, NULL, 0, "Output:", 2 },
	{ "json", OPT_JSON, NULL, 0, "print the findings as JSON", 2 },
	{ "quiet", OPT_QUIET, NULL, 0, "print only what is not good", 2 },
	{ "verbose", OPT_VERBOSE, NULL, 0, "say of what is good, too, why it matters", 2 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct doctor_options *options = state->input;

	switch (key) {
	case OPT_LOAD:
		options->params.load = option_double("--load", arg, 0, 1);
		break;
	case OPT_PRIORITY:
		options->params.priority = (int)option_i64("--priority", arg, 1, 99);
		break;
	case OPT_CPU:
		options->params.cpu = (int)option_i64("--cpu", arg, 0, CPU_SETSIZE - 1);
		break;
	case OPT_DIR:
		options->dir = arg;
		break;
	case OPT_DEVICE:
		options->device = arg;
		break;
	case OPT_NO_SPIN:
		options->spin = false;
		break;
	case OPT_JSON:
		options->json = true;
		break;
	case OPT_QUIET:
		options->detail = DOCTOR_BRIEF;
		break;
	case OPT_VERBOSE:
		options->detail = DOCTOR_VERBOSE;
		break;
	case ARGP_KEY_ARG:
		usage_error("%s: doctor takes options only", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static void print_json(const json_t *findings)
{
	json_t *object = json_object(), *summary = json_object();
	char stamp[STAMP_SIZE];

	jx_put_count(object, "format", 1);
	jx_put_text(object, "program", PACKAGE_STRING);
	jx_put_text(object, "time", stamp_utc(stamp));
	json_object_set(object, "checks", (json_t *)findings);
	jx_put_count(summary, "good", doctor_count(findings, "good"));
	jx_put_count(summary, "not_good", doctor_count(findings, "not good"));
	jx_put_count(summary, "unknown", doctor_count(findings, "unknown"));
	jx_put(object, "summary", summary);
	json_dumpf(object, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(object);
}

/* All checks; NULL without memory. Only on the machine itself there is something to spin on. */
static json_t *examine(struct doctor_options *options)
{
	const struct environment_params environment = {
		.dir = options->dir, .file_bytes = FILE_BYTES, .cpu = options->params.cpu
	};
	json_t *facts = environment_collect(&environment), *findings = NULL;
	struct fault fault = { "" };
	struct spin spin;

	options->params.environment = facts;
	if (facts && options->spin && root_is_real()) {
		if (!spin_run(&options->params, &spin, &fault))
			options->params.spin = &spin;
		else
			fprintf(stderr, "latencytest: spin test: %s\n", fault.text);
	}
	if (facts)
		findings = doctor_examine(&options->params, true);
	options->params.spin = NULL;
	json_decref(facts);
	return findings;
}

static void check_device(struct doctor_options *options)
{
	if (!options->device)
		return;
	options->params.card = sound_card_number(options->device);
	if (options->params.card < 0)
		usage_error("--device %s: valid is hw:N or hw:NAME of a card in /proc/asound/cards",
			    options->device);
}

int cmd_doctor(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.doc = "Check whether this machine is set up for low latency. Each check is good, "
		       "not good or unknown, with what was read, why it matters and what cures "
		       "it.\v"
		       "Exit status: 0 nothing is not good; 1 error; 2 something is not good; 64 "
		       "wrong usage.",
	};
	struct doctor_options options = {
		.params = { .load = 0.8, .priority = 80, .cpu = -1, .card = -1, .realtime = true,
			    .disk = true },
		.dir = ".",
		.spin = true,
	};
	struct fault fault = { "" };
	json_t *findings;
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	check_device(&options);
	/* What is not there has no findings: a slip of the pen must not read as "unknown". */
	if (environment_check_there(options.dir, options.params.cpu, &fault)) {
		print_line(stderr, "latencytest: %s", fault.text);
		return EXIT_ERROR;
	}
	findings = examine(&options);
	if (!findings) {
		fprintf(stderr, "latencytest: no memory\n");
		return EXIT_ERROR;
	}
	if (options.json)
		print_json(findings);
	else
		doctor_text(stdout, findings, options.detail,
			    paragraph_terminal_columns(COLUMNS_MAX));
	status = doctor_count(findings, "not good") ? EXIT_LIMIT : EXIT_DONE;
	json_decref(findings);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "latencytest: output: write error\n");
		status = EXIT_ERROR;
	}
	return status;
}
