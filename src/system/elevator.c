/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/elevator.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system/modprobe.h"
#include "util/textfile.h"

static bool may_be_name(const char *asked)
{
	size_t bytes = strlen(asked);

	if (!bytes || bytes >= SETTING_WORD)
		return false;
	for (size_t i = 0; i < bytes; i++)
		if (!isalnum((unsigned char)asked[i]) && asked[i] != '-' && asked[i] != '_')
			return false;
	return true;
}

const char *elevator_name(const char *asked, struct fault *fault)
{
	static const struct {
		const char *old, *now;
	} names[] = {
		{ "cfq", "bfq" },
		{ "deadline", "mq-deadline" },
		{ "noop", "none" },
	};

	if (!may_be_name(asked)) {
		fault_set(fault, -EINVAL, "elevator \"%.*s\": no name of an elevator; valid are 1 "
			  "to %d letters, digits, - and _", SETTING_WORD, asked, SETTING_WORD - 1);
		return NULL;
	}
	if (!strcmp(asked, "as") || !strcmp(asked, "anticipatory")) {
		fault_set(fault, -EINVAL, "elevator \"%s\": the anticipatory scheduler left the "
			  "kernel in 2.6.33 and has no successor; valid are none, mq-deadline, "
			  "kyber, bfq, or what /sys/block/DISK/queue/scheduler offers", asked);
		return NULL;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(asked, names[i].old))
			return names[i].now;
	return asked;
}

int elevator_setting(const struct block_device *device, struct setting *setting)
{
	char text[256];

	if (snprintf(setting->path, sizeof(setting->path), "%s/queue/scheduler", device->dir) >=
	    (int)sizeof(setting->path))
		return -ENOENT;
	snprintf(setting->name, sizeof(setting->name), "elevator of %.48s", device->name);
	/* A device that hands on what it gets has no such file, or one that tells a bare "none". */
	if (text_read(setting->path, text, sizeof(text)) < 0 || !strcmp(text, "none"))
		return -ENOENT;
	return 0;
}

static bool offers(const struct setting_choices *choices, const char *name)
{
	for (size_t i = 0; i < choices->n; i++)
		if (!strcmp(choices->words[i], name))
			return true;
	return false;
}

static int provide(const struct block_device *device, const char *name, bool look_only,
		   struct fault *fault)
{
	struct setting_choices choices;
	struct setting setting;
	struct fault why = { "" };
	char module[SETTING_WORD + 16], offered[128];
	int err;

	if (elevator_setting(device, &setting))
		return fault_set(fault, -ENOENT, "elevator of %.48s: the device has none to "
				 "choose, it hands on what it gets", device->name);
	err = setting_read(&setting, &choices, fault);
	if (err || offers(&choices, name))
		return err;
	snprintf(module, sizeof(module), "%s-iosched", name);
	if (look_only && !modprobe_look(module, &why))
		return 0;
	if (!look_only)
		modprobe(module, &why);
	err = setting_read(&setting, &choices, fault);
	if (err || offers(&choices, name))
		return err;
	setting_list(&choices, offered, sizeof(offered));
	return fault_set(fault, -ENOENT, "%s: \"%s\" is not offered (%s are), %s", setting.name,
			 name, offered, why.text[0] ? why.text :
			 "although its module could be loaded");
}

int elevator_provide(const struct block_device *device, const char *name, struct fault *fault)
{
	return provide(device, name, false, fault);
}

int elevator_look(const struct block_device *device, const char *name, struct fault *fault)
{
	return provide(device, name, true, fault);
}
