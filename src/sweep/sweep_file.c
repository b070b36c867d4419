/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record in memory, and writing it. */
#include "config.h"

#include "sweep/sweep_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "options.h"
#include "report/replacement.h"
#include "sweep/sweep_words.h"
#include "util/jx.h"
#include "util/textfile.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static void read_boot_id(char *buf, size_t size)
{
	if (text_read(BOOT_ID, buf, size) < 0)
		snprintf(buf, size, "unknown");
}

void sweep_record_set_boot(struct sweep_record *record)
{
	read_boot_id(record->boot_id, sizeof(record->boot_id));
}

int sweep_record_init(struct sweep_record *record, const struct plan *plan)
{
	struct utsname uts;

	memset(record, 0, sizeof(*record));
	record->plan = *plan;
	record->positions = calloc(plan->n + 1, sizeof(record->positions[0]));
	if (!record->positions)
		return -ENOMEM;
	for (size_t i = 0; i < plan->n; i++) {
		record->positions[i].exit_status = -1;
		record->positions[i].seconds = NAN;
	}
	uname(&uts);
	snprintf(record->status, sizeof(record->status), "%s", "running");
	snprintf(record->program, sizeof(record->program), "%s", PACKAGE_STRING);
	snprintf(record->kernel_release, sizeof(record->kernel_release), "%s", uts.release);
	sweep_record_set_boot(record);
	if (!getcwd(record->directory, sizeof(record->directory)))
		snprintf(record->directory, sizeof(record->directory), "%s", "/");
	stamp_utc(record->started_utc);
	record->restored = true;
	record->drift = json_null();
	return 0;
}

void sweep_record_free(struct sweep_record *record)
{
	for (size_t i = 0; record->positions && i < record->plan.n; i++)
		json_decref(record->positions[i].run);
	free(record->positions);
	plan_free(&record->plan);
	json_decref(record->command_line);
	json_decref(record->run_options);
	json_decref(record->devices);
	json_decref(record->drift);
	memset(record, 0, sizeof(*record));
}

bool sweep_record_same_boot(const struct sweep_record *record)
{
	char now[sizeof(record->boot_id)];

	read_boot_id(now, sizeof(now));
	return !strcmp(now, record->boot_id);
}

int sweep_record_check_here(const struct sweep_record *record, struct fault *fault)
{
	struct utsname uts;

	uname(&uts);
	if (strcmp(record->kernel_release, uts.release))
		return fault_set(fault, -ESTALE,
				 "--resume: the sweep was begun on kernel %s, this "
				 "one is %s: their runs are not to be mixed",
				 record->kernel_release, uts.release);
	if (strcmp(record->program, PACKAGE_STRING))
		return fault_set(fault, -ESTALE, "--resume: the sweep was begun by %s, this is %s: "
				 "their runs are not to be mixed", record->program, PACKAGE_STRING);
	return 0;
}

void sweep_record_name(const struct sweep_record *record, size_t position, char *buf, size_t size)
{
	snprintf(buf, size, "%03zu-%s", position + 1,
		 record->plan.labels[record->plan.positions[position]].name);
}

size_t sweep_record_complete(const struct sweep_record *record)
{
	size_t n = 0;

	for (size_t i = 0; i < record->plan.n; i++)
		n += record->positions[i].status == POSITION_COMPLETE;
	return n;
}

bool sweep_record_flawed(const struct position *position)
{
	return position->status == POSITION_COMPLETE && position->exit_status == EXIT_ERROR;
}

/* ---- writing ---- */

static json_t *text_or_null(const char *text)
{
	return text[0] ? json_string(text) : json_null();
}

static json_t *labels_json(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->n_labels; i++) {
		json_t *object = json_object();

		jx_put_text(object, "label", plan->labels[i].name);
		jx_put(object, "elevator", text_or_null(plan->labels[i].elevator));
		jx_put(object, "preempt", text_or_null(plan->labels[i].preempt));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *plan_json(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->n; i++)
		json_array_append_new(array, json_string(plan->labels[plan->positions[i]].name));
	return array;
}

static json_t *position_json(const struct sweep_record *record, size_t i)
{
	const struct position *position = &record->positions[i];
	json_t *object = json_object();

	jx_put_count(object, "position", i + 1);
	jx_put_text(object, "label", record->plan.labels[record->plan.positions[i]].name);
	jx_put_text(object, "status", sweep_status_name(position->status));
	jx_put(object, "exit_status",
	       position->exit_status < 0 ? json_null() : json_integer(position->exit_status));
	jx_put(object, "started_utc", text_or_null(position->started_utc));
	jx_put_real(object, "seconds", position->seconds);
	jx_put(object, "directory", text_or_null(position->directory));
	return object;
}

static json_t *positions_json(const struct sweep_record *record)
{
	json_t *array = json_array();

	for (size_t i = 0; i < record->plan.n; i++)
		json_array_append_new(array, position_json(record, i));
	return array;
}

static json_t *found_json(const struct sweep_record *record)
{
	json_t *array = json_array();

	for (size_t i = 0; i < record->n_found; i++) {
		json_t *object = json_object();

		jx_put_text(object, "name", record->found[i].name);
		jx_put_text(object, "path", record->found[i].path);
		jx_put(object, "device", text_or_null(record->found[i].device));
		jx_put_text(object, "found", record->found[i].original);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *record_json(const struct sweep_record *record)
{
	json_t *object = json_object();

	jx_put_count(object, "format_version", SWEEP_FORMAT_VERSION);
	jx_put_text(object, "program", record->program);
	jx_put_text(object, "status", record->status);
	jx_put_text(object, "started_utc", record->started_utc);
	jx_put(object, "ended_utc", text_or_null(record->ended_utc));
	jx_put_text(object, "kernel_release", record->kernel_release);
	jx_put_text(object, "boot_id", record->boot_id);
	jx_put_text(object, "directory", record->directory);
	json_object_set(object, "command_line", record->command_line);
	json_object_set(object, "run_options", record->run_options);
	json_object_set(object, "devices", record->devices);
	jx_put(object, "labels", labels_json(&record->plan));
	jx_put_count(object, "runs", record->plan.runs);
	jx_put_text(object, "order", plan_order_name(record->plan.order));
	jx_put(object, "seed", json_integer(record->plan.seed));
	jx_put(object, "plan", plan_json(&record->plan));
	jx_put(object, "settings", found_json(record));
	jx_put(object, "restored", json_boolean(record->restored));
	jx_put(object, "positions", positions_json(record));
	json_object_set(object, "drift", record->drift);
	return object;
}

int sweep_record_save(const struct sweep_record *record, const char *dir, struct fault *fault)
{
	struct replacement r;
	json_t *object = record_json(record);
	int err = replacement_open(&r, dir, SWEEP_FILE, "", fault);

	if (!err) {
		err = json_dumpf(object, r.file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) ?
			      -EIO : 0;
		fputc('\n', r.file);
		err = replacement_finish(&r, err, fault);
	}
	json_decref(object);
	return err;
}
