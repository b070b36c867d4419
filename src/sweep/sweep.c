/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/sweep.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "report/compare.h"
#include "run/signals.h"
#include "sweep/standing.h"
#include "sweep/sweep_parts.h"
#include "sweep/sweep_words.h"
#include "sweep/whole_run.h"
#include "util/jx.h"

/* ---- before the first run ---- */

static int plan_it(struct sweep_state *state, struct fault *fault)
{
	if (state->options->resume)
		return sweep_plan_resumed(state, fault);
	return sweep_plan_new(state, fault);
}

/* Whether so many runs of a label can show a difference at all. */
static void say_enough(const struct sweep_state *state, bool quiet)
{
	const struct plan *plan = &state->record.plan;
	unsigned int phases = state->run.n_stress;
	size_t needed = compare_runs_needed(phases, plan->n_labels);

	if (plan->n_labels < 2 || !phases)
		return;
	if (plan->runs < needed)
		sweep_say(quiet, "%zu run%s of each label %s too few for the comparison to show "
			  "anything: it takes %zu, for %u phase%s and %zu labels", plan->runs,
			  plan->runs == 1 ? "" : "s", plan->runs == 1 ? "is" : "are", needed,
			  phases, phases == 1 ? "" : "s", plan->n_labels);
	else if (!state->options->runs && !state->options->resume)
		sweep_say(quiet, "%zu runs of each label: fewer could not show anything, for "
			  "%u phase%s and %zu labels", plan->runs, phases,
			  phases == 1 ? "" : "s", plan->n_labels);
}

static void say_plan(const struct sweep_state *state)
{
	const struct plan *plan = &state->record.plan;
	size_t left = plan->n - sweep_record_complete(&state->record);
	bool quiet = state->options->quiet && !state->options->dry_run;
	char each[32], all[32];

	say_enough(state, quiet);
	sweep_say(quiet,
		  "sweep of %zu label%s x %zu run%s, order %s, seed %lld: %zu run%s%s of about %s, "
		  "%s in all",
		  plan->n_labels, plan->n_labels == 1 ? "" : "s", plan->runs,
		  plan->runs == 1 ? "" : "s", plan_order_name(plan->order), (long long)plan->seed,
		  left, left == 1 ? "" : "s", left < plan->n ? " left" : "",
		  sweep_time_text(each, sizeof(each), sweep_run_seconds(state)),
		  sweep_time_text(all, sizeof(all), (double)left * sweep_run_seconds(state)));
	if (plan->n_labels > 1 && !state->options->dry_run)
		sweep_say(quiet, "the reference is %s; best and worst so far: " STANDING_RULE,
			  plan->labels[0].name);
}

/* ---- the settings' own end ---- */

static void say_not_restored(const struct sweep_state *state)
{
	char path[PATH_MAX + 32], word[4 * PATH_MAX];

	snprintf(path, sizeof(path), "%s/" GUARDIAN_COMPLAINT, state->dir);
	sweep_warn("not all settings could be put back:");
	if (sweep_show_file(path))
		return;
	for (size_t i = 0; i < state->record.n_found; i++)
		fprintf(stderr, "  %s was %s; as root: echo %s > %s\n", state->record.found[i].name,
			state->record.found[i].original, state->record.found[i].original,
			sweep_shell_word(word, sizeof(word), state->record.found[i].path));
}

/* Before anything changes, the old values are on record and a guardian's last result is gone. */
static int start_guardian(struct sweep_state *state, struct fault *fault)
{
	bool was_restored = state->record.restored;
	char path[PATH_MAX + 32];
	int err;

	state->record.restored = false;
	snprintf(state->record.status, sizeof(state->record.status), "%s", "running");
	err = sweep_record_save(&state->record, state->dir, fault);
	snprintf(path, sizeof(path), "%s/" GUARDIAN_RESULT, state->dir);
	if (!err && unlink(path) && errno != ENOENT)
		err = fault_set(fault, -errno, "%s: %s", path, strerror(errno));
	if (!err)
		err = guardian_start(&state->guardian, &state->settings, state->dir,
				     state->dir_lock, fault);
	/* Nothing was changed. */
	if (err)
		state->record.restored = was_restored;
	/* The locks are the guardian's now. */
	else
		settings_unlock(&state->settings);
	return err;
}

/* ---- the whole ---- */

static const char *end_status(int err)
{
	if (!err)
		return "complete";
	return err == -EINTR ? "interrupted" : "failed";
}

/* That of all runs together: something wrong outweighs a limit. */
static int exit_status_of(const struct sweep_state *state)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < state->record.plan.n; i++) {
		if (sweep_record_flawed(&state->record.positions[i]))
			return EXIT_ERROR;
		if (state->record.positions[i].exit_status == EXIT_LIMIT)
			status = EXIT_LIMIT;
	}
	return status;
}

/* Runs that are results in spite of what is wrong with them. */
static void say_flawed(const struct sweep_record *record)
{
	const struct position *positions = record->positions;
	char flaw[256];
	size_t n = 0;

	for (size_t i = 0; i < record->plan.n; i++)
		n += sweep_record_flawed(&positions[i]);
	if (!n)
		return;
	sweep_warn("%zu of %zu runs had an invalid phase or lost files; the comparison leaves out "
		   "what is invalid:", n, sweep_record_complete(record));
	for (size_t i = 0; i < record->plan.n; i++) {
		if (!sweep_record_flawed(&positions[i]))
			continue;
		whole_run_flaw(positions[i].run, flaw, sizeof(flaw));
		fprintf(stderr, "  %s: %s\n", positions[i].directory, flaw);
	}
}

/* Runs what is left, with the guardian around it. */
static int measure(struct sweep_state *state, struct fault *fault)
{
	struct fault ignored;
	int err = start_guardian(state, fault), save_err;

	if (err)
		return err;
	err = sweep_course(state, fault);
	state->record.restored = guardian_finish(&state->guardian);
	snprintf(state->record.status, sizeof(state->record.status), "%s", end_status(err));
	stamp_utc(state->record.ended_utc);
	save_err = sweep_record_save(&state->record, state->dir, err ? &ignored : fault);
	return err ? err : save_err;
}

/* Drift and comparison; the record once more, with the drift. */
static int conclude(struct sweep_state *state, struct fault *fault)
{
	int err = sweep_outcome(state, fault);

	if (!err)
		err = sweep_record_save(&state->record, state->dir, fault);
	if (!err)
		sweep_say(state->options->quiet, "\nsweep complete: results in %s%s", state->shown,
			  state->record.plan.n_labels > 1 ?
				  ", comparison in compare.txt and compare.html" : "");
	return err;
}

static int carry_out(struct sweep_state *state)
{
	const struct sweep_record *record = &state->record;
	struct fault fault = { "" };
	bool done = sweep_record_complete(record) == record->plan.n;
	char word[4 * PATH_MAX];
	int err = 0;

	if (done)
		sweep_say(state->options->quiet, "%s is complete: nothing is left to be run",
			  state->shown);
	if (!done || !record->restored)
		err = measure(state, &fault);
	if (!err)
		err = conclude(state, &fault);
	if (err)
		sweep_warn("%s", fault.text);
	if (err && sweep_record_complete(record) < record->plan.n)
		sweep_warn("the sweep ended before its time, %zu of %zu runs are done; it goes on "
			   "with: latencytest sweep --resume %s",
			   sweep_record_complete(record), record->plan.n,
			   sweep_shell_word(word, sizeof(word), state->shown));
	say_flawed(record);
	if (!record->restored)
		say_not_restored(state);
	return err || !record->restored ? EXIT_ERROR : exit_status_of(state);
}

static int begin(struct sweep_state *state)
{
	struct fault fault = { "" };
	int err = plan_it(state, &fault);

	if (!err)
		say_plan(state);
	if (!err && state->options->dry_run) {
		sweep_show_plan(state);
		return EXIT_DONE;
	}
	if (!err && !state->options->resume)
		err = sweep_make_directory(state, &fault);
	if (!err)
		return carry_out(state);
	sweep_warn("%s", fault.text);
	return EXIT_ERROR;
}

int sweep(const struct sweep_options *options)
{
	struct sweep_state *state = calloc(1, sizeof(*state));
	int status;

	if (!state) {
		sweep_warn("no memory");
		return EXIT_ERROR;
	}
	signals_block();
	signals_watch_children();
	setvbuf(stdout, NULL, _IOLBF, 0);
	state->options = options;
	state->run_argv = options->run_argv;
	state->dir_lock = -1;
	status = begin(state);
	if (fflush(stdout) || ferror(stdout)) {
		sweep_warn("output: write error");
		status = EXIT_ERROR;
	}
	settings_unlock(&state->settings);
	if (state->dir_lock >= 0)
		close(state->dir_lock);
	if (state->run_argv != options->run_argv)
		free(state->run_argv);
	sweep_record_free(&state->record);
	free(state);
	return status;
}
