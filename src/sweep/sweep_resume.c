/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep that was begun before: from its record to the same plan. */
#include "sweep/sweep_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_options.h"
#include "util/jx.h"

/* What the guardian of the last start said: it may have had the last word. */
static bool guardian_restored(const struct sweep_state *state)
{
	char path[PATH_MAX + 32];
	json_t *result;
	bool restored;

	snprintf(path, sizeof(path), "%s/" GUARDIAN_RESULT, state->dir);
	result = json_load_file(path, 0, NULL);
	restored = json_is_true(json_object_get(result, "restored"));
	json_decref(result);
	return restored;
}

static void add_once(struct plan_words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcmp(words->words[i], word))
			return;
	if (word[0] && words->n < PLAN_MAX_LABELS)
		snprintf(words->words[words->n++], sizeof(words->words[0]), "%s", word);
}

/* The options of run, as they were given and parsed. */
static int parse_run_options(struct sweep_state *state, struct fault *fault)
{
	const json_t *options = state->record.run_options, *option;
	size_t i, n = json_array_size(options);
	static char name[] = "latencytest run";
	char **argv = calloc(n + 2, sizeof(argv[0]));

	if (!argv)
		return fault_set(fault, -ENOMEM, "no memory");
	argv[0] = name;
	json_array_foreach(options, i, option)
		argv[i + 1] = (char *)json_string_value(option);
	/* argp reorders what it is given. */
	state->run_argv = calloc(n + 1, sizeof(argv[0]));
	if (!state->run_argv) {
		free(argv);
		return fault_set(fault, -ENOMEM, "no memory");
	}
	memcpy(state->run_argv, argv + 1, n * sizeof(argv[0]));
	run_options_parse((int)n + 1, argv, &state->run);
	free(argv);
	return 0;
}

/* The values of the first start, where nobody put them back; else what is in force now. */
static int take_originals(struct sweep_state *state, struct fault *fault)
{
	struct sweep_record *record = &state->record;
	struct sweep_settings *settings = &state->settings;
	bool same = record->n_found == settings->n;

	for (size_t i = 0; same && i < settings->n; i++)
		same = !strcmp(record->found[i].path, settings->items[i].setting.path);
	if (!same)
		return fault_set(fault, -ENODEV,
				 "--resume: the devices below %s are others than when "
				 "the sweep was begun",
				 state->run.dir);
	for (size_t i = 0; !record->restored && i < settings->n; i++)
		snprintf(settings->items[i].original, sizeof(settings->items[i].original), "%s",
			 record->found[i].original);
	sweep_record_found(state);
	sweep_record_set_boot(record);
	return 0;
}

static int find_settings(struct sweep_state *state, struct fault *fault)
{
	static const char as_planned[] = "as planned";
	const struct plan *plan = &state->record.plan;
	struct plan_words elevators = { .n = 0 }, preempts = { .n = 0 };
	struct settings_request request = {
		.dir = state->run.dir,
		.devices = json_string_value(state->record.devices),
		.look_only = state->options->dry_run,
	};
	int err;

	for (size_t i = 0; i < plan->n_labels; i++) {
		add_once(&elevators, plan->labels[i].elevator);
		add_once(&preempts, plan->labels[i].preempt);
	}
	request.elevators = elevators.n ? as_planned : NULL;
	request.preempts = preempts.n ? as_planned : NULL;
	err = settings_open(&state->settings, &request, &elevators, &preempts, fault);
	return err ? err : take_originals(state, fault);
}

/* Before a lock is made there. */
static int check_is_sweep(const struct sweep_state *state, struct fault *fault)
{
	char path[PATH_MAX + 16];

	if (snprintf(path, sizeof(path), "%s/" SWEEP_FILE, state->shown) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "--resume: name too long");
	if (access(path, F_OK))
		return fault_set(fault, -errno, "--resume %s: " SWEEP_FILE ": %s; valid is the "
				 "directory of a sweep", state->shown, strerror(errno));
	return 0;
}

int sweep_plan_resumed(struct sweep_state *state, struct fault *fault)
{
	struct sweep_record *record = &state->record;
	int err;

	state->shown = state->options->resume;
	err = check_is_sweep(state, fault);
	if (!err)
		err = sweep_lock(state, fault);
	if (!err)
		err = sweep_record_load(record, state->dir, fault);
	if (err)
		return err;
	record->restored |= guardian_restored(state) || !sweep_record_same_boot(record);
	if (record->restored && sweep_record_complete(record) == record->plan.n)
		return 0;
	err = sweep_record_check_here(record, fault);
	if (!err && chdir(record->directory))
		err = fault_set(fault, -errno, "--resume: %s, from where the sweep was begun: %s",
				record->directory, strerror(errno));
	if (!err)
		err = parse_run_options(state, fault);
	return err ? err : find_settings(state, fault);
}
