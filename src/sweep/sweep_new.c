/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new sweep: from the options to a plan, a directory and a record. */
#include "sweep/sweep_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/compare.h"
#include "system/environment.h"
#include "util/jx.h"
#include "util/stamp.h"

static json_t *text_array(char **texts, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++) {
		json_t *text = json_string(texts[i]);

		if (!text || json_array_append_new(array, text)) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static size_t count(char **texts)
{
	size_t n = 0;

	while (texts[n])
		n++;
	return n;
}

void sweep_record_found(struct sweep_state *state)
{
	struct sweep_record *record = &state->record;

	record->n_found = state->settings.n;
	for (size_t i = 0; i < state->settings.n; i++) {
		const struct sweep_setting *item = &state->settings.items[i];

		snprintf(record->found[i].name, sizeof(record->found[i].name), "%s",
			 item->setting.name);
		snprintf(record->found[i].path, sizeof(record->found[i].path), "%s",
			 item->setting.path);
		snprintf(record->found[i].device, sizeof(record->found[i].device), "%s",
			 item->device);
		snprintf(record->found[i].original, sizeof(record->found[i].original), "%s",
			 item->original);
	}
}

static int draw_seed(int64_t *seed, struct fault *fault)
{
	uint64_t bits;

	if (getrandom(&bits, sizeof(bits), 0) != sizeof(bits))
		return fault_set(fault, -EIO, "no random seed can be had (%s): give one by --seed",
				 strerror(errno));
	*seed = (int64_t)(bits & PLAN_MAX_SEED);
	return 0;
}

static int make_plan(struct plan *plan, const struct sweep_options *options,
		     const struct plan_words *elevators, const struct plan_words *preempts,
		     struct fault *fault)
{
	int err = plan_set_labels(plan, elevators, preempts);

	if (err)
		return fault_set(fault, err,
				 "--elevator and --preempt make %zu labels; valid is up to "
				 "%d",
				 elevators->n * (preempts->n ? preempts->n : 1), PLAN_MAX_LABELS);
	plan->order = options->order;
	plan->runs = options->runs ? options->runs :
				     compare_runs_needed(options->run.n_stress, plan->n_labels);
	plan->seed = options->seed;
	if (plan->seed < 0)
		err = draw_seed(&plan->seed, fault);
	if (!err && plan_make(plan))
		err = fault_set(fault, -ENOMEM, "no memory");
	return err;
}

static int fill_record(struct sweep_state *state, const struct plan *plan, struct fault *fault)
{
	const struct sweep_options *options = state->options;
	struct sweep_record *record = &state->record;

	if (sweep_record_init(record, plan))
		return fault_set(fault, -ENOMEM, "no memory");
	record->command_line = text_array(options->argv, (size_t)options->argc);
	record->run_options = text_array(options->run_argv, count(options->run_argv));
	record->devices = options->devices ? json_string(options->devices) : json_null();
	if (!record->command_line || !record->run_options || !record->devices)
		return fault_set(fault, -EILSEQ,
				 "the command line is no UTF-8, so that it cannot be "
				 "recorded");
	sweep_record_found(state);
	return 0;
}

int sweep_plan_new(struct sweep_state *state, struct fault *fault)
{
	const struct sweep_options *options = state->options;
	struct settings_request request = {
		.dir = options->run.dir,
		.elevators = options->elevators,
		.preempts = options->preempts,
		.devices = options->devices,
		.look_only = options->dry_run,
	};
	struct plan_words elevators = options->elevator_words, preempts = options->preempt_words;
	struct plan plan = { .n = 0 };
	/* Else the first run would tell, and its sweep could never be resumed. */
	int err = environment_check_there(request.dir, options->run.attributes.cpu, fault);

	state->run = options->run;
	if (!err)
		err = settings_open(&state->settings, &request, &elevators, &preempts, fault);
	if (!err)
		err = make_plan(&plan, options, &elevators, &preempts, fault);
	if (!err)
		err = fill_record(state, &plan, fault);
	return err;
}

/* ---- the directory ---- */

int sweep_lock(struct sweep_state *state, struct fault *fault)
{
	char path[PATH_MAX + 16];

	if (!realpath(state->shown, state->dir))
		return fault_set(fault, -errno, "%s: %s", state->shown, strerror(errno));
	/* A file, for not every network file system locks directories. */
	snprintf(path, sizeof(path), "%s/.lock", state->dir);
	state->dir_lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (state->dir_lock < 0)
		return fault_set(fault, -errno, "%s/.lock: %s", state->shown, strerror(errno));
	if (!flock(state->dir_lock, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return fault_set(fault, -errno, "%s/.lock cannot be locked: %s", state->shown,
				 strerror(errno));
	return fault_set(fault, -EBUSY,
			 "%s: another sweep is at work there, or is still putting the "
			 "machine's settings back",
			 state->shown);
}

static int choose_name(struct sweep_state *state, struct fault *fault)
{
	const char *output = state->options->output;
	int n;

	if (output)
		n = snprintf(state->name, sizeof(state->name), "%s", output);
	else
		n = stamp_directory(state->name, sizeof(state->name), "latencytest-sweep");
	state->shown = state->name;
	/* Room for what lies below it. */
	if (n >= (int)sizeof(state->name) - 256)
		return fault_set(fault, -ENAMETOOLONG, "--output: name too long");
	return 0;
}

/* Without a record it is of no use. */
static void remove_directory(const struct sweep_state *state)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/.lock", state->shown);
	unlink(path);
	rmdir(state->shown);
}

int sweep_make_directory(struct sweep_state *state, struct fault *fault)
{
	int err = choose_name(state, fault);

	if (err)
		return err;
	if (mkdir(state->shown, 0777)) {
		if (errno == EEXIST)
			return fault_set(fault, -EEXIST, "--output %s: exists already; valid is a "
					 "directory that does not, or --resume %s", state->shown,
					 state->shown);
		return fault_set(fault, -errno, "--output %s: cannot be made: %s; valid is a new "
				 "directory below one that can be written", state->shown,
				 strerror(errno));
	}
	err = sweep_lock(state, fault);
	if (!err)
		err = sweep_record_save(&state->record, state->dir, fault);
	if (err)
		remove_directory(state);
	return err;
}
