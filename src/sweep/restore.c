/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/restore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/replacement.h"
#include "sweep/guardian.h"
#include "sweep/sweep_words.h"
#include "util/jx.h"
#include "util/stamp.h"

#define DEBUGFS "/sys/kernel/debug"

static const char *now_in_force(const struct setting *setting, struct setting_choices *choices)
{
	return setting_read(setting, choices, NULL) ? "unknown (it cannot be read)" :
						      choices->current;
}

/* One setting; 0 or a negative errno. The record goes to array. */
static int put_back(const struct sweep_setting *item, json_t *array)
{
	struct setting_choices choices;
	struct fault fault = { "" };
	json_t *record = json_object();
	int err = 0;

	/* Tried also where the value in force cannot be told. */
	if (setting_read(&item->setting, &choices, NULL) || strcmp(choices.current, item->original))
		err = setting_write(&item->setting, item->original, &fault);
	jx_put_text(record, "name", item->setting.name);
	jx_put_text(record, "path", item->setting.path);
	jx_put_text(record, "original", item->original);
	jx_put_text(record, "now", now_in_force(&item->setting, &choices));
	jx_put(record, "restored", json_boolean(!err));
	jx_put(record, "error", err ? json_string(fault.text) : json_null());
	json_array_append_new(array, record);
	return err;
}

/* Where the sweep alone had debugfs, nobody has it when its guardian has ended. */
static void write_cure(FILE *out, const struct sweep_settings *settings, const json_t *record)
{
	const char *path = jx_text(record, "path");
	char word[4 * PATH_MAX];

	fputs("  as root: ", out);
	if (settings->preemption.mounted && !strcmp(path, settings->preemption.setting.path))
		fputs("mount -t debugfs debugfs " DEBUGFS "; ", out);
	fprintf(out, "echo %s > %s\n", jx_text(record, "original"),
		sweep_shell_word(word, sizeof(word), path));
}

static void write_complaint(FILE *out, const struct sweep_settings *settings, const json_t *array)
{
	const json_t *record;
	size_t i;

	fputs("A sweep of latencytest changed what stands below and could not put it back.\n", out);
	json_array_foreach(array, i, record) {
		if (json_is_true(json_object_get(record, "restored")))
			continue;
		fprintf(out, "\n%s\n  was:     %s\n  is:      %s\n  because: %s\n",
			jx_text(record, "name"), jx_text(record, "original"),
			jx_text(record, "now"), jx_text(record, "error"));
		write_cure(out, settings, record);
	}
}

static int save_complaint(const char *dir, const struct sweep_settings *settings,
			  const json_t *array)
{
	struct replacement r;
	int err = replacement_open(&r, dir, GUARDIAN_COMPLAINT, "", NULL);

	if (err)
		return err;
	write_complaint(r.file, settings, array);
	return replacement_finish(&r, 0, NULL);
}

static int save_result(const char *dir, json_t *settings, bool restored)
{
	json_t *object = json_object();
	struct replacement r;
	char stamp[STAMP_SIZE];
	int err = replacement_open(&r, dir, GUARDIAN_RESULT, "", NULL);

	jx_put(object, "restored", json_boolean(restored));
	jx_put_text(object, "time_utc", stamp_utc(stamp));
	json_object_set(object, "settings", settings);
	if (!err) {
		err = json_dumpf(object, r.file, JSON_INDENT(1)) ? -EIO : 0;
		fputc('\n', r.file);
		err = replacement_finish(&r, err, NULL);
	}
	json_decref(object);
	return err;
}

bool restore(struct sweep_settings *settings, const char *dir)
{
	json_t *array = json_array();
	bool all = true;
	char complaint[PATH_MAX + 32];

	for (size_t i = settings->n; i > 0; i--)
		all &= !put_back(&settings->items[i - 1], array);
	settings_unlock(settings);
	snprintf(complaint, sizeof(complaint), "%s/%s", dir, GUARDIAN_COMPLAINT);
	if (all)
		unlink(complaint);
	else
		save_complaint(dir, settings, array);
	save_result(dir, array, all);
	json_decref(array);
	return all;
}
