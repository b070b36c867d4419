/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/run_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/html_text.h"
#include "report/imported.h"
#include "report/metrics_json.h"
#include "report/result.h"
#include "util/jx.h"
#include "util/printable.h"
#include "util/regular.h"

struct metrics_params run_file_metrics_params(const json_t *run)
{
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *environment = json_object_get(run, "environment");
	const json_t *rt_period = json_object_get(environment, "sched_rt_period_us");
	const json_t *rt_runtime = json_object_get(environment, "sched_rt_runtime_us");
	const char *policy = json_string_value(json_object_get(conditions, "policy"));
	struct metrics_params params = {
		.period_ns = jx_number(conditions, "period_ms") * 1e6,
		.deadline = jx_number(conditions, "deadline_periods"),
		.burn_ns = jx_number(conditions, "cpu_latency_ms") * 1e6,
	};

	if (json_is_integer(rt_period) && json_is_integer(rt_runtime) &&
	    json_integer_value(rt_runtime) >= 0 && policy && strcmp(policy, "other")) {
		params.throttle_period_ns = 1e3 * (double)json_integer_value(rt_period);
		params.throttle_gap_ns = params.throttle_period_ns -
					 1e3 * (double)json_integer_value(rt_runtime);
	}
	return params;
}

/* ---- text from outside: no escape sequence may reach a terminal ---- */

/* A copy that is printable, or NULL where the text is. */
static char *without_controls(const char *text)
{
	char *copy = strdup(text);

	if (copy && printable(copy))
		return copy;
	free(copy);
	return NULL;
}

static void clean_keys(json_t *object)
{
	json_t *value;
	const char *key;
	void *next;

	json_object_foreach_safe(object, next, key, value) {
		char *clean = without_controls(key);

		if (!clean)
			continue;
		json_incref(value);
		json_object_del(object, key);
		json_object_set_new(object, clean, value);
		free(clean);
	}
}

void run_file_clean(json_t *value)
{
	const char *key;
	json_t *part;
	char *clean;
	size_t i;

	switch (json_typeof(value)) {
	case JSON_STRING:
		clean = without_controls(json_string_value(value));
		if (clean)
			json_string_set(value, clean);
		free(clean);
		break;
	case JSON_ARRAY:
		json_array_foreach(value, i, part)
			run_file_clean(part);
		break;
	case JSON_OBJECT:
		clean_keys(value);
		json_object_foreach(value, key, part)
			run_file_clean(part);
		break;
	default:
		break;
	}
}

/* ---- what a run.json must have ---- */

static bool safe_name(const char *name)
{
	return name && name[0] && name[0] != '.' && !strchr(name, '/');
}

int run_file_check(const json_t *run, const char *path, struct fault *fault)
{
	const json_t *version = json_object_get(run, "schema_version"), *phase;
	const json_t *conditions = json_object_get(run, "conditions");
	size_t i;

	if (!json_is_integer(version))
		return fault_set(fault, -EPROTO,
				 "%s: no schema_version: not a result of latencytest", path);
	if (json_integer_value(version) != RESULT_SCHEMA_VERSION)
		return fault_set(fault, -ENOTSUP, "%s: schema_version %lld, this program reads %d",
				 path, (long long)json_integer_value(version),
				 RESULT_SCHEMA_VERSION);
	/* What is imported may not say. */
	if (!imported_run(run) && (!(jx_number(conditions, "period_ms") > 0) ||
				   !(jx_number(conditions, "deadline_periods") > 0)))
		return fault_set(fault, -EPROTO, "%s: conditions without period and deadline",
				 path);
	if (!json_is_array(json_object_get(run, "phases")))
		return fault_set(fault, -EPROTO, "%s: no array of phases", path);
	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (!safe_name(json_string_value(json_object_get(phase, "name"))) ||
		    !json_is_string(json_object_get(phase, "status")))
			return fault_set(fault, -EPROTO, "%s: phase %zu has no name or status",
					 path, i + 1);
	return 0;
}

static const json_t *find_phase(const json_t *run, const char *name)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (!strcmp(json_string_value(json_object_get(phase, "name")), name))
			return phase;
	return NULL;
}

/* Phases that were asked for, have samples, and never came to be written down. */
static void add_unfinished(const char *dir, json_t *run)
{
	const json_t *conditions = json_object_get(run, "conditions"), *stress;
	size_t i;

	json_array_foreach(json_object_get(conditions, "stress"), i, stress) {
		const char *name = json_string_value(stress);
		char path[PATH_MAX];

		if (!safe_name(name) || find_phase(run, name) ||
		    snprintf(path, sizeof(path), "%s/%s.samples", dir, name) >= PATH_MAX ||
		    access(path, R_OK))
			continue;
		json_array_append_new(
			json_object_get(run, "phases"),
			json_pack("{s:s, s:s, s:[s]}", "name", name, "status", "interrupted",
				  "reasons",
				  "the run was killed in this phase; its samples were kept"));
	}
}

static bool has_reason(const json_t *phase, const char *reason)
{
	const json_t *known;
	size_t i;

	json_array_foreach(json_object_get(phase, "reasons"), i, known)
		if (json_is_string(known) && !strcmp(json_string_value(known), reason))
			return true;
	return false;
}

static void add_reason(json_t *phase, const char *reason)
{
	json_t *reasons = json_object_get(phase, "reasons");
	char *clean;

	if (!json_is_array(reasons)) {
		reasons = json_array();
		jx_put(phase, "reasons", reasons);
	}
	/* A path need not be UTF-8, and a message may have been cut within a character. */
	clean = text_clean(reason);
	if (clean && !has_reason(phase, clean))
		jx_add_line(reasons, "%s", clean);
	free(clean);
}

/* The samples are not what was recorded: what run.json says of the phase is not to be trusted. */
static void distrust(json_t *phase, const char *reason)
{
	const char *status = jx_text(phase, "status");

	add_reason(phase, reason);
	if (!strcmp(status, "valid") || !strcmp(status, "suspect"))
		jx_put_text(phase, "status", "invalid");
}

/* Of a phase that was ended in order; one that was interrupted is short, and is told to be. */
static void check_samples(json_t *phase, const struct evaluation *evaluation)
{
	const char *status = jx_text(phase, "status");
	struct fault fault = { "" };
	uint64_t expected;

	if (evaluation->damaged) {
		distrust(phase, evaluation->damage.text);
		return;
	}
	if (strcmp(status, "valid") && strcmp(status, "suspect"))
		return;
	if (!evaluation->has_end)
		distrust(phase, "the samples have no end: the file is cut off between two blocks");
	else if (!evaluation_consistent(evaluation, &expected, &fault))
		distrust(phase, fault.text);
}

static void update_figures(json_t *phase, const struct evaluation *evaluation, double load)
{
	json_t *threads = json_object_get(phase, "threads"), *thread, *figures;
	struct fault ignored;
	uint64_t expected;

	if (!json_is_array(threads)) {
		threads = json_array();
		jx_put(phase, "threads", threads);
	}
	thread = json_array_get(threads, 0);
	if (!json_is_object(thread)) {
		thread = json_object();
		json_array_append_new(threads, thread);
	}
	evaluation_consistent(evaluation, &expected, &ignored);
	figures = metrics_json(evaluation, expected, load);
	json_object_update(thread, figures);
	json_decref(figures);
}

static int open_phase(struct run_view *view, struct phase_view *phase_view, json_t *phase,
		      struct fault *fault)
{
	struct metrics_params params = run_file_metrics_params(view->run);
	double load = jx_number(json_object_get(view->run, "conditions"), "load");
	struct evaluation *evaluation;
	char path[PATH_MAX];
	int err;

	phase_view->phase = phase;
	phase_view->name = json_string_value(json_object_get(phase, "name"));
	if (snprintf(path, sizeof(path), "%s/%s.samples", view->dir, phase_view->name) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s: name too long", view->dir);
	if (imported_run(view->run))
		return 0;
	if (access(path, F_OK)) {
		if (json_array_size(json_object_get(phase, "threads")))
			add_reason(phase, "its samples are not there: figures as run.json has "
				   "them, no plots");
		return 0;
	}
	evaluation = calloc(1, sizeof(*evaluation));
	if (!evaluation)
		return fault_set(fault, -ENOMEM, "no memory");
	err = evaluate_samples(path, &params, evaluation, fault);
	if (err) {
		free(evaluation);
		/* Not even a header: what run.json says is then all there is. */
		if (err == -ENOMEM)
			return err;
		distrust(phase, fault->text);
		return 0;
	}
	check_samples(phase, evaluation);
	if (evaluation->metrics.cycles)
		update_figures(phase, evaluation, load);
	phase_view->evaluation = evaluation;
	phase_view->timeline = evaluation->timeline;
	return 0;
}

int run_file_open(struct run_view *view, const char *dir, struct fault *fault)
{
	char path[PATH_MAX];
	json_error_t error;
	json_t *phase;
	FILE *file;
	size_t i;
	int err;

	memset(view, 0, sizeof(*view));
	view->dir = dir;
	/* Else that would be the root directory. */
	if (!dir[0])
		return fault_set(fault, -ENOENT, "\"\": valid is a result directory");
	if (snprintf(path, sizeof(path), "%s/run.json", dir) >= PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s: name too long", dir);
	file = regular_open(path, &err, NULL);
	if (!file)
		return fault_set(fault, err, "%s: %s; valid is a result directory", path,
				 err == -EINVAL ? "not a regular file" : strerror(-err));
	view->run = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
	fclose(file);
	/* It quotes the file. */
	if (!view->run)
		return fault_set(fault, -EPROTO, "%s: line %d: %s", path, error.line, error.text);
	run_file_clean(view->run);
	err = run_file_check(view->run, path, fault);
	if (!err) {
		if (!imported_run(view->run))
			add_unfinished(dir, view->run);
		view->n = json_array_size(json_object_get(view->run, "phases"));
		view->phases = calloc(view->n + 1, sizeof(view->phases[0]));
		if (!view->phases)
			err = fault_set(fault, -ENOMEM, "no memory");
	}
	if (view->phases)
		json_array_foreach(json_object_get(view->run, "phases"), i, phase)
			if (!err)
				err = open_phase(view, &view->phases[i], phase, fault);
	if (err)
		run_file_close(view);
	return err;
}

void run_file_close(struct run_view *view)
{
	for (size_t i = 0; view->phases && i < view->n; i++) {
		if (view->phases[i].evaluation)
			evaluation_free(view->phases[i].evaluation);
		free(view->phases[i].evaluation);
	}
	free(view->phases);
	json_decref(view->run);
	memset(view, 0, sizeof(*view));
}
