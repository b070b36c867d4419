/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading sweep.json back. Everything in it is checked: somebody may have edited it. */
#include "sweep/sweep_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep_words.h"
#include "sweep/whole_run.h"
#include "util/jx.h"

/* The text of a member; "" for null. false where it is neither or does not fit. */
static bool take_text(const json_t *object, const char *key, char *buf, size_t size)
{
	const json_t *value = json_object_get(object, key);
	const char *text = json_is_null(value) ? "" : json_string_value(value);

	return text && snprintf(buf, size, "%s", text) < (int)size;
}

static bool is_text_array(const json_t *array)
{
	const json_t *value;
	size_t i;

	json_array_foreach(array, i, value)
		if (!json_is_string(value))
			return false;
	return json_is_array(array);
}

static bool take_labels(struct plan *plan, const json_t *labels)
{
	const json_t *label;
	size_t i;

	plan->n_labels = json_array_size(labels);
	if (!plan->n_labels || plan->n_labels > PLAN_MAX_LABELS)
		return false;
	json_array_foreach(
		labels, i,
		label) if (!take_text(label, "label", plan->labels[i].name,
				      sizeof(plan->labels[i].name)) ||
			   !plan->labels[i].name[0] || strchr(plan->labels[i].name, '/') ||
			   !take_text(label, "elevator", plan->labels[i].elevator, SETTING_WORD) ||
			   !take_text(label, "preempt", plan->labels[i].preempt,
				      SETTING_WORD)) return false;
	return true;
}

/* The plan that this program makes of the same seed, and whether it is the one in the file. */
static int take_plan(struct plan *plan, const json_t *object, struct fault *fault)
{
	const json_t *seed = json_object_get(object, "seed"),
		     *names = json_object_get(object, "plan");
	long long runs = jx_count(object, "runs");
	bool same;

	if (!take_labels(plan, json_object_get(object, "labels")) || !json_is_integer(seed) ||
	    runs < 1 || runs > PLAN_MAX_RUNS ||
	    plan_order_find(jx_text(object, "order"), &plan->order))
		return fault_set(fault, -EINVAL, "labels, runs, order or seed are damaged");
	plan->seed = json_integer_value(seed);
	plan->runs = (size_t)runs;
	if (plan_make(plan))
		return fault_set(fault, -ENOMEM, "no memory");
	same = json_array_size(names) == plan->n;
	for (size_t i = 0; same && i < plan->n; i++) {
		const char *name = json_string_value(json_array_get(names, i));

		same = name && !strcmp(name, plan->labels[plan->positions[i]].name);
	}
	if (same)
		return 0;
	plan_free(plan);
	return fault_set(fault, -EINVAL, "its plan is not the one that this program makes of seed "
					 "%lld", (long long)plan->seed);
}

static bool take_position(struct sweep_record *record, size_t i, const json_t *object,
			  const char *dir)
{
	struct position *position = &record->positions[i];
	const json_t *exit_status = json_object_get(object, "exit_status");
	char name[sizeof(position->directory)];

	if (sweep_status_find(jx_text(object, "status"), &position->status) ||
	    !take_text(object, "started_utc", position->started_utc, STAMP_SIZE) ||
	    !take_text(object, "directory", position->directory, sizeof(position->directory)))
		return false;
	position->exit_status = json_is_integer(exit_status) ?
					(int)json_integer_value(exit_status) : -1;
	position->seconds = jx_number(object, "seconds");
	sweep_record_name(record, i, name, sizeof(name));
	if (position->status != POSITION_COMPLETE)
		return true;
	if (strcmp(position->directory, name))
		return false;
	/* Only what its run.json still bears out is complete. */
	position->run = whole_run_load(dir, position->directory);
	if (!position->run)
		position->status = POSITION_PLANNED;
	return true;
}

static bool take_found(struct sweep_record *record, const json_t *settings)
{
	const json_t *setting;
	size_t i;

	record->n_found = json_array_size(settings);
	if (!json_is_array(settings) || record->n_found > SETTINGS_MAX)
		return false;
	json_array_foreach(settings, i, setting)
		if (!take_text(setting, "name", record->found[i].name, 80) ||
		    !take_text(setting, "path", record->found[i].path, PATH_MAX) ||
		    !take_text(setting, "device", record->found[i].device, NAME_MAX + 1) ||
		    !take_text(setting, "found", record->found[i].original, SETTING_WORD))
			return false;
	return true;
}

static bool take_rest(struct sweep_record *record, const json_t *object, const char *dir)
{
	const json_t *positions = json_object_get(object, "positions"), *position;
	json_t *devices = json_object_get(object, "devices");
	size_t i;

	if (!take_text(object, "status", record->status, sizeof(record->status)) ||
	    !take_text(object, "program", record->program, sizeof(record->program)) ||
	    !take_text(object, "kernel_release", record->kernel_release,
		       sizeof(record->kernel_release)) ||
	    !take_text(object, "boot_id", record->boot_id, sizeof(record->boot_id)) ||
	    !take_text(object, "directory", record->directory, sizeof(record->directory)) ||
	    !take_text(object, "started_utc", record->started_utc, STAMP_SIZE) ||
	    !is_text_array(json_object_get(object, "command_line")) ||
	    !is_text_array(json_object_get(object, "run_options")) ||
	    !(json_is_null(devices) || json_is_string(devices)) ||
	    !json_is_boolean(json_object_get(object, "restored")) ||
	    json_array_size(positions) != record->plan.n ||
	    !take_found(record, json_object_get(object, "settings")))
		return false;
	record->command_line = json_incref(json_object_get(object, "command_line"));
	record->run_options = json_incref(json_object_get(object, "run_options"));
	record->devices = json_incref(devices);
	record->restored = json_is_true(json_object_get(object, "restored"));
	json_array_foreach(positions, i, position)
		if (!take_position(record, i, position, dir))
			return false;
	return true;
}

static int take_record(struct sweep_record *record, const json_t *object, const char *dir,
		       struct fault *fault)
{
	struct plan plan = { .n = 0 };
	int err;

	if (jx_count(object, "format_version") != SWEEP_FORMAT_VERSION)
		return fault_set(fault, -EINVAL, "it is not of format version %d",
				 SWEEP_FORMAT_VERSION);
	err = take_plan(&plan, object, fault);
	if (err)
		return err;
	if (sweep_record_init(record, &plan)) {
		plan_free(&plan);
		return fault_set(fault, -ENOMEM, "no memory");
	}
	if (take_rest(record, object, dir))
		return 0;
	sweep_record_free(record);
	return fault_set(fault, -EINVAL, "it is damaged");
}

int sweep_record_load(struct sweep_record *record, const char *dir, struct fault *fault)
{
	char path[PATH_MAX + 16];
	struct fault why = { "" };
	json_error_t error;
	json_t *object;
	int err;

	snprintf(path, sizeof(path), "%s/" SWEEP_FILE, dir);
	object = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!object)
		return fault_set(fault, -EINVAL, "--resume %s: no sweep can be read there: %s", dir,
				 error.text);
	err = take_record(record, object, dir, &why);
	json_decref(object);
	return err ? fault_set(fault, err, "--resume %s: " SWEEP_FILE ": %s", dir, why.text) : 0;
}
