/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sweep/settings_lists.h"
#include "system/elevator.h"
#include "util/jx.h"

/* ---- which devices ---- */

static bool in_list(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *p = list; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (!strncmp(p, name, length) && (!p[length] || p[length] == ','))
			return true;
	}
	return false;
}

static void name_devices(const struct block_stack *stack, char *text, size_t size)
{
	struct setting setting;
	size_t used = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < stack->n && used < size; i++)
		if (!elevator_setting(&stack->devices[i], &setting))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 stack->devices[i].name);
}

/* That each name of --device is one of the stack's with an elevator. */
static int check_devices(const struct block_stack *stack, const char *list, struct fault *fault)
{
	char *copy = strdup(list), *rest = copy, *name, valid[160];
	struct setting setting;
	int err = copy ? 0 : fault_set(fault, -ENOMEM, "no memory");

	name_devices(stack, valid, sizeof(valid));
	while (!err && (name = strsep(&rest, ","))) {
		bool found = false;

		for (size_t i = 0; i < stack->n; i++)
			found |= !strcmp(stack->devices[i].name, name) &&
				 !elevator_setting(&stack->devices[i], &setting);
		if (!found)
			err = fault_set(fault, -ENODEV, "--device %.64s: no device below the "
					"directory under test that has an elevator; valid are %s",
					name[0] ? name : "\"\"", valid);
	}
	free(copy);
	return err;
}

static struct sweep_setting *add_item(struct sweep_settings *settings)
{
	struct sweep_setting *item = &settings->items[settings->n++];

	memset(item, 0, sizeof(*item));
	item->lock = -1;
	return item;
}

static int find_devices(struct sweep_settings *settings, const struct settings_request *request,
			const struct block_stack *stack, struct fault *fault)
{
	int err = request->devices ? check_devices(stack, request->devices, fault) : 0;

	for (size_t i = 0; !err && i < stack->n; i++) {
		const struct block_device *device = &stack->devices[i];
		struct sweep_setting *item;
		struct setting setting;

		if (elevator_setting(device, &setting) ||
		    (request->devices && !in_list(request->devices, device->name)))
			continue;
		item = add_item(settings);
		item->setting = setting;
		snprintf(item->device, sizeof(item->device), "%s", device->name);
	}
	if (!err && !settings->n)
		err = fault_set(fault, -ENOTSUP,
				"--elevator: no device below %s has an elevator to choose",
				request->dir);
	return err;
}

/* Another sweep's half-way values must not be taken for those to be put back. */
static int lock(struct sweep_setting *item, struct fault *fault)
{
	item->lock = open(item->setting.path, O_RDONLY | O_CLOEXEC);
	if (item->lock < 0)
		return fault_set(fault, -errno, "%s: %s: %s", item->setting.name,
				 item->setting.path, strerror(errno));
	if (!flock(item->lock, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return fault_set(fault, -errno, "%s: %s cannot be locked: %s", item->setting.name,
				 item->setting.path, strerror(errno));
	return fault_set(fault, -EBUSY, "%s: another sweep is changing it, or putting it back",
			 item->setting.name);
}

/* Before a directory is made, not at the first run. */
static int check_rights(const struct sweep_setting *item, struct fault *fault)
{
	if (!faccessat(AT_FDCWD, item->setting.path, W_OK, AT_EACCESS))
		return 0;
	return fault_set(fault, -errno, "%s: %s cannot be written: %s%s", item->setting.name,
			 item->setting.path, strerror(errno), geteuid() ? "; it needs root" : "");
}

/* Locks it where it is to be changed, then reads what is in force. */
static int hold(struct sweep_setting *item, const struct settings_request *request,
		struct fault *fault)
{
	struct setting_choices choices;
	int err = request->look_only ? 0 : check_rights(item, fault);

	if (!err && !request->look_only)
		err = lock(item, fault);
	if (!err)
		err = setting_read(&item->setting, &choices, fault);
	if (!err)
		snprintf(item->original, sizeof(item->original), "%s", choices.current);
	return err;
}

/* ---- both kinds ---- */

static int provide(const struct block_stack *stack, const struct sweep_setting *item,
		   const struct plan_words *elevators, bool look_only, struct fault *fault)
{
	int (*see_to)(const struct block_device *, const char *, struct fault *) =
		look_only ? elevator_look : elevator_provide;
	int err = 0;

	for (size_t i = 0; i < stack->n; i++)
		for (size_t j = 0; !err && j < elevators->n; j++)
			if (!strcmp(stack->devices[i].name, item->device))
				err = see_to(&stack->devices[i], elevators->words[j], fault);
	return err;
}

static int open_elevators(struct sweep_settings *settings, const struct settings_request *request,
			  struct plan_words *elevators, struct fault *fault)
{
	struct block_stack *stack = calloc(1, sizeof(*stack));
	int err;

	if (!stack)
		return fault_set(fault, -ENOMEM, "no memory");
	err = block_of_directory(request->dir, stack, fault);
	if (!err)
		err = find_devices(settings, request, stack, fault);
	for (size_t i = 0; !err && i < settings->n; i++)
		err = hold(&settings->items[i], request, fault);
	if (!err && !strcmp(request->elevators, "all"))
		err = settings_fill_all(settings->items, settings->n, elevators, fault);
	for (size_t i = 0; !err && i < settings->n; i++)
		err = provide(stack, &settings->items[i], elevators, request->look_only, fault);
	free(stack);
	return err;
}

static int open_preemption(struct sweep_settings *settings, const struct settings_request *request,
			   struct plan_words *preempts, struct fault *fault)
{
	int err = preemption_open(&settings->preemption, fault);
	struct sweep_setting *item;

	if (err)
		return err;
	item = add_item(settings);
	item->setting = settings->preemption.setting;
	err = hold(item, request, fault);
	if (!err && !strcmp(request->preempts, "all"))
		err = settings_fill_all(item, 1, preempts, fault);
	return err ? err : settings_check_offered(item, preempts, fault);
}

int settings_open(struct sweep_settings *settings, const struct settings_request *request,
		  struct plan_words *elevators, struct plan_words *preempts, struct fault *fault)
{
	int err = 0;

	memset(settings, 0, sizeof(*settings));
	if (request->elevators)
		err = open_elevators(settings, request, elevators, fault);
	if (!err && request->preempts)
		err = open_preemption(settings, request, preempts, fault);
	return err;
}

void settings_unlock(struct sweep_settings *settings)
{
	for (size_t i = 0; i < settings->n; i++) {
		if (settings->items[i].lock >= 0)
			close(settings->items[i].lock);
		settings->items[i].lock = -1;
	}
}

const char *settings_wanted(const struct sweep_setting *setting, const struct plan_label *label)
{
	return setting->device[0] ? label->elevator : label->preempt;
}

int settings_apply(const struct sweep_settings *settings, const struct plan_label *label,
		   struct fault *fault)
{
	int err = 0;

	for (size_t i = 0; !err && i < settings->n; i++) {
		const char *wanted = settings_wanted(&settings->items[i], label);

		if (wanted[0])
			err = setting_write(&settings->items[i].setting, wanted, fault);
	}
	return err ? err : settings_check(settings, label, fault);
}

int settings_check(const struct sweep_settings *settings, const struct plan_label *label,
		   struct fault *fault)
{
	struct setting_choices choices;

	for (size_t i = 0; i < settings->n; i++) {
		const struct sweep_setting *item = &settings->items[i];
		const char *wanted = settings_wanted(item, label);
		int err = setting_read(&item->setting, &choices, fault);

		if (err)
			return err;
		if (wanted[0] && strcmp(choices.current, wanted))
			return fault_set(
				fault, -ESTALE,
				"%s: %s was set, but %s is in force: "
				"something else changes it (a udev rule, a daemon, somebody)",
				item->setting.name, wanted, choices.current);
	}
	return 0;
}

/* ---- what run.json says ---- */

/* The elevator of the device in what run.json says of a directory; NULL where it is not there. */
static const char *elevator_in(const json_t *facts, const struct sweep_setting *setting)
{
	const json_t *below;
	const char *found = NULL;
	size_t i;

	if (!strcmp(jx_text(facts, "disk"), setting->device))
		return jx_text(facts, "elevator");
	json_array_foreach(json_object_get(facts, "devices_below"), i, below)
		if (!found)
			found = elevator_in(below, setting);
	return found;
}

int settings_check_run(const struct sweep_settings *settings, const struct plan_label *label,
		       const json_t *run, struct fault *fault)
{
	const json_t *environment = json_object_get(run, "environment");

	for (size_t i = 0; i < settings->n; i++) {
		const struct sweep_setting *item = &settings->items[i];
		const char *wanted = settings_wanted(item, label), *found;

		if (item->device[0])
			found = elevator_in(json_object_get(environment, "test_directory"), item);
		else
			found = jx_text(json_object_get(environment, "preemption"), "model");
		if (wanted[0] && (!found || strcmp(found, wanted)))
			return fault_set(
				fault, -ESTALE,
				"%s: %s was set, but the run found %s: "
				"something else changes it (a udev rule, a daemon, somebody)",
				item->setting.name, wanted, found ? found : "no such device");
	}
	return 0;
}
