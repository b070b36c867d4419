/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The course of a sweep: run after run, until all have a result or one has none. */
#include "sweep/sweep_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "run/signals.h"
#include "sweep/one_run.h"
#include "sweep/standing.h"
#include "sweep/sweep_words.h"
#include "sweep/whole_run.h"
#include "system/clock.h"
#include "util/jx.h"

/* Calibration, and a stressor's preparations: for the first guess. */
#define START_SECONDS 1.0
#define PHASE_SECONDS 0.3

/* One noisy phase happens; so many runs in a row with one have a cause that will stay. */
#define MAX_FLAWED 3

double sweep_run_seconds(const struct sweep_state *state)
{
	const struct sweep_record *record = &state->record;
	const struct run_options *run = &state->run;
	double sum = 0, n = 0;

	for (size_t i = 0; i < record->plan.n; i++) {
		const struct position *position = &record->positions[i];

		if (position->status != POSITION_COMPLETE || !isfinite(position->seconds))
			continue;
		sum += position->seconds;
		n++;
	}
	if (n > 0)
		return sum / n;
	return START_SECONDS + run->n_stress * (run->duration_s + run->warmup_s + PHASE_SECONDS);
}

/* DIR/NNN-label.SUFFIX-K: renamed, never deleted. */
static int set_aside(const struct sweep_state *state, const char *name, const char *suffix,
		     struct fault *fault)
{
	char from[PATH_MAX + 192], to[PATH_MAX + 224];

	snprintf(from, sizeof(from), "%s/%s", state->dir, name);
	if (access(from, F_OK))
		return 0;
	for (unsigned int k = 1;; k++) {
		snprintf(to, sizeof(to), "%s/%s.%s-%u", state->dir, name, suffix, k);
		if (access(to, F_OK))
			break;
	}
	if (rename(from, to))
		return fault_set(fault, -errno, "%s cannot be set aside: %s", from,
				 strerror(errno));
	return 0;
}

static void say_next(const struct sweep_state *state, size_t i)
{
	const struct plan *plan = &state->record.plan;
	size_t left = plan->n - sweep_record_complete(&state->record);
	char text[32];

	sweep_say(state->options->quiet, "run %zu of %zu (block %zu of %zu): %s, about %s left",
		  i + 1, plan->n, plan_block(plan, i) + 1, plan_n_blocks(plan),
		  plan->labels[plan->positions[i]].name,
		  sweep_time_text(text, sizeof(text), (double)left * sweep_run_seconds(state)));
}

/* Whether the run was made under what its label says, all the time. */
static int check_settings(struct sweep_state *state, struct position *position, size_t i,
			  struct fault *fault)
{
	const struct plan *plan = &state->record.plan;
	const struct plan_label *label = &plan->labels[plan->positions[i]];
	char name[sizeof(position->directory)];
	int err = settings_check(&state->settings, label, fault);

	if (!err)
		err = settings_check_run(&state->settings, label, position->run, fault);
	if (!err)
		return 0;
	position->status = POSITION_CHANGED;
	json_decref(position->run);
	position->run = NULL;
	snprintf(name, sizeof(name), "%s", position->directory);
	set_aside(state, name, "changed", NULL);
	return err;
}

/* What became of the run that ended with that status. */
static int judge(struct sweep_state *state, struct position *position, size_t i, int status,
		 struct fault *fault)
{
	position->exit_status = status;
	if (status == EXIT_DONE || status == EXIT_LIMIT || status == EXIT_ERROR)
		position->run = whole_run_load(state->dir, position->directory);
	if (position->run) {
		position->status = POSITION_COMPLETE;
		return check_settings(state, position, i, fault);
	}
	if (signals_count()) {
		position->status = POSITION_INTERRUPTED;
		return fault_set(fault, -EINTR, "interrupted");
	}
	position->status = POSITION_FAILED;
	if (status > 128)
		return fault_set(fault, -ECANCELED,
				 "run %zu (%s) was ended by signal %d: its result is "
				 "in %s/%s",
				 i + 1, position->directory, status - 128, state->shown,
				 position->directory);
	return fault_set(fault, -ECANCELED, "run %zu (%s) failed with exit status %d", i + 1,
			 position->directory, status);
}

static int execute(struct sweep_state *state, struct position *position, size_t i,
		   struct fault *fault)
{
	char output[PATH_MAX + 192], messages[PATH_MAX + 192];
	struct one_run run = { .options = state->run_argv, .output = output, .messages = messages,
			       .guardian = &state->guardian };
	int64_t begin = clock_now_ns();
	int status;

	snprintf(output, sizeof(output), "%s/%s", state->dir, position->directory);
	snprintf(messages, sizeof(messages), "%s/%s.messages.txt", state->dir,
		 position->directory);
	status = one_run(&run, fault);
	position->seconds = (double)(clock_now_ns() - begin) / 1e9;
	sweep_show_file(messages);
	if (status >= 0)
		return judge(state, position, i, status, fault);
	position->status = POSITION_FAILED;
	return status;
}

/* One position from settings to record. */
static int run_position(struct sweep_state *state, size_t i, struct fault *fault)
{
	struct sweep_record *record = &state->record;
	struct position *position = &record->positions[i];
	struct fault ignored;
	int err, save_err;

	sweep_record_name(record, i, position->directory, sizeof(position->directory));
	if (guardian_tell_end(&state->guardian))
		return fault_set(fault, -ESRCH,
				 "the guardian of the settings is gone (was it killed?): "
				 "nothing more is changed");
	err = set_aside(state, position->directory, "interrupted", fault);
	if (err)
		return err;
	position->status = POSITION_RUNNING;
	position->exit_status = -1;
	position->seconds = NAN;
	stamp_utc(position->started_utc);
	err = sweep_record_save(record, state->dir, fault);
	if (!err) {
		say_next(state, i);
		err = settings_apply(&state->settings,
				     &record->plan.labels[record->plan.positions[i]], fault);
	}
	if (err) {
		position->status = POSITION_PLANNED;
		return err;
	}
	err = execute(state, position, i, fault);
	save_err = sweep_record_save(record, state->dir, err ? &ignored : fault);
	return err ? err : save_err;
}

static void say_standing(const struct sweep_state *state)
{
	char text[512];

	standing_text(&state->record, text, sizeof(text));
	if (text[0])
		sweep_say(state->options->quiet, "  %s", text);
}

static int too_many_flawed(const struct position *position, struct fault *fault)
{
	char flaw[256];

	whole_run_flaw(position->run, flaw, sizeof(flaw));
	return fault_set(fault, -ECANCELED, "%d runs in a row had an invalid phase, so that "
			 "something is wrong that will not pass (%s: %s)", MAX_FLAWED,
			 position->directory, flaw);
}

int sweep_course(struct sweep_state *state, struct fault *fault)
{
	struct sweep_record *record = &state->record;
	unsigned int flawed = 0; /* in a row */
	int err = 0;

	for (size_t i = 0; !err && i < record->plan.n; i++) {
		if (record->positions[i].status == POSITION_COMPLETE)
			continue;
		if (signals_count())
			return fault_set(fault, -EINTR, "interrupted");
		err = run_position(state, i, fault);
		if (err)
			break;
		say_standing(state);
		flawed = sweep_record_flawed(&record->positions[i]) ? flawed + 1 : 0;
		if (flawed == MAX_FLAWED && sweep_record_complete(record) < record->plan.n)
			err = too_many_flawed(&record->positions[i], fault);
	}
	return err;
}
