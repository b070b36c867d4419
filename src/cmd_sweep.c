/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest sweep: runs over elevators, preemption models and repeats. */
#include "config.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "options.h"
#include "run_options.h"
#include "sweep/settings.h"
#include "sweep/standing.h"
#include "sweep/sweep.h"

enum {
	OPT_ELEVATOR = 256, OPT_PREEMPT, OPT_DEVICE, OPT_RUNS, OPT_ORDER, OPT_SEED, OPT_OUTPUT,
	OPT_RESUME, OPT_DRY_RUN, OPT_QUIET,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What is varied (one label for each; the first is the reference):", 1 },
	{ "elevator", OPT_ELEVATOR, "LIST", 0,
	  "I/O schedulers of the devices below --dir, or all; cfq, deadline and noop are "
	  "understood",
	  1 },
	{ "preempt", OPT_PREEMPT, "LIST", 0,
	  "preemption models of a PREEMPT_DYNAMIC kernel, or all", 1 },
	{ "device", OPT_DEVICE, "LIST", 0,
	  "of the devices below --dir only these (all that have an elevator)", 1 },

	{ NULL, 0, NULL, 0, "The plan:", 2 },
	{ "runs", OPT_RUNS, "N", 0,
	  "runs of each label (what the comparison needs to show anything, 4 at least)", 2 },
	{ "order", OPT_ORDER, "ORDER", 0,
	  "interleaved: blocks that have each label once, in random order; blocks: all runs of a "
	  "label, then the next (interleaved)", 2 },
	{ "seed", OPT_SEED, "N", 0, "of the order; the same gives the same (random)", 2 },
	{ "dry-run", OPT_DRY_RUN, NULL, 0, "show the plan and what would be changed; do nothing",
	  2 },

	{ NULL, 0, NULL, 0, "Output:", 3 },
	{ "output", OPT_OUTPUT, "DIR", 0,
	  "directory of the results, a new one (latencytest-sweep-KERNEL-YYYYMMDD-HHMMSS)", 3 },
	{ "resume", OPT_RESUME, "DIR", 0, "go on with a sweep that was interrupted", 3 },
	{ "quiet", OPT_QUIET, NULL, 0, "print warnings and errors only", 3 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

struct input {
	struct sweep_options *options;
	const char *first;   /* an option that goes not with --resume; NULL: none was given */
	char **rest;         /* what follows -- */
	int n_rest;
};

static const char *list(const char *option, const char *text)
{
	if (!text[0])
		usage_error("%s \"\": valid is a list with commas between%s", option,
			    strcmp(option, "--device") ? ", or all" : "");
	return text;
}

static const char *name(const char *option, const char *text)
{
	if (!text[0])
		usage_error("%s \"\": valid is the name of a directory", option);
	return text;
}

static void parse_lists(int key, char *arg, struct sweep_options *options)
{
	struct fault fault = { "" };
	int err = 0;

	if (key == OPT_ELEVATOR) {
		options->elevators = list("--elevator", arg);
		err = settings_parse_elevators(arg, &options->elevator_words, &fault);
	} else if (key == OPT_PREEMPT) {
		options->preempts = list("--preempt", arg);
		err = settings_parse_preempts(arg, &options->preempt_words, &fault);
	} else {
		options->devices = list("--device", arg);
	}
	if (err)
		usage_error("%s", fault.text);
}

static void parse_order(const char *arg, enum plan_order *order)
{
	if (plan_order_find(arg, order))
		usage_error("--order %s: valid are interleaved, blocks", arg);
}

static const char *option_name(int key)
{
	for (const struct argp_option *option = option_table; option->name || option->doc; option++)
		if (option->key == key)
			return option->name;
	return NULL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct input *input = state->input;
	struct sweep_options *options = input->options;

	switch (key) {
	case OPT_ELEVATOR:
	case OPT_PREEMPT:
	case OPT_DEVICE:
		parse_lists(key, arg, options);
		break;
	case OPT_RUNS:
		options->runs = (size_t)option_i64("--runs", arg, 1, PLAN_MAX_RUNS);
		break;
	case OPT_ORDER:
		parse_order(arg, &options->order);
		break;
	case OPT_SEED:
		options->seed = option_i64("--seed", arg, 0, PLAN_MAX_SEED);
		break;
	case OPT_OUTPUT:
		options->output = name("--output", arg);
		break;
	case OPT_RESUME:
		options->resume = name("--resume", arg);
		return 0;
	case OPT_DRY_RUN:
		options->dry_run = true;
		return 0;
	case OPT_QUIET:
		options->quiet = true;
		return 0;
	case ARGP_KEY_ARGS:
		if (!state->quoted)
			usage_error("%s: sweep takes options only; valid are those of run after --",
				    state->argv[state->next]);
		input->rest = state->argv + state->next;
		input->n_rest = state->argc - state->next;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	input->first = input->first ? input->first : option_name(key);
	return 0;
}

/* What follows --, checked as run would; what is the sweep's own business is refused. */
static void parse_run(struct sweep_options *options, char **rest, int n)
{
	static char command[] = "latencytest run";
	char **argv = calloc((size_t)n + 2, sizeof(argv[0]));

	options->run_argv = calloc((size_t)n + 1, sizeof(argv[0]));
	if (!argv || !options->run_argv)
		usage_error("no memory");
	argv[0] = command;
	for (int i = 0; i < n; i++)
		argv[i + 1] = options->run_argv[i] = rest[i];
	run_options_parse(n + 1, argv, &options->run);
	if (options->run.output)
		usage_error(
			"-- --output %s: goes not with sweep, which names the directory of each "
			"run; valid is sweep --output DIR",
			options->run.output);
	if (options->run.print != RUN_PRINT_SUMMARY)
		usage_error("-- --%s: goes not with sweep, whose runs print nothing; sweep "
			    "--resume DIR and compare --format json tell what came out",
			    options->run.print == RUN_PRINT_JSON ? "json" : "tap");
	free(argv);
}

static void check_together(const struct input *input)
{
	const struct sweep_options *options = input->options;

	if (options->resume && (input->first || input->n_rest))
		usage_error(
			"--resume %s: goes not with %s%s; plan and options are those of the sweep "
			"that was begun",
			options->resume, input->first ? "--" : "",
			input->first ? input->first : input->rest[0]);
	if (options->devices && !options->elevators)
		usage_error("--device %s: goes with --elevator only", options->devices);
}

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "-- RUN OPTION...\n--resume DIR",
	.doc = "Measure again and again under different settings of the machine, in an order that "
	       "keeps what else changes from favouring one of them, and compare. What follows -- "
	       "are options of run, the same for all runs. Settings that were changed are put "
	       "back, however the sweep ends.\vBest and worst so far go by: " STANDING_RULE
	       ".\n\nExit status: 0 all runs are done; 1 an error, a phase that is invalid, or "
	       "interrupted; 2 all are done and one breached a limit; 64 wrong usage.",
};

int cmd_sweep(int argc, char **argv)
{
	struct sweep_options options = { .seed = -1, .argc = argc, .argv = argv };
	struct input input = { .options = &options };
	char **record = calloc((size_t)argc + 1, sizeof(record[0]));
	int status;

	if (!record)
		usage_error("no memory");
	/* Kept apart from what argp works on. */
	memcpy(record, argv, (size_t)argc * sizeof(record[0]));
	options.argv = record;
	/* In order: else a word before -- would look like one after it. */
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &input);
	check_together(&input);
	if (!options.resume)
		parse_run(&options, input.rest, input.n_rest);
	status = sweep(&options);
	free(options.run_argv);
	free(record);
	return status;
}
