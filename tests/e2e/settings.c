/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests on real kernels.
 *   settings stack DIR              the devices below a directory: "LEVEL NAME ELEVATOR" each
 *   settings elevator DIR NAME      provides and sets the elevator of the lowest devices
 *   settings preemption [MODEL]     the models offered; sets one; debugfs is left as it was
 * Exit status 0, or 1 with the reason on stderr.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "system/elevator.h"
#include "system/preemption.h"

static struct fault fault;

static int elevators(const char *dir, const char *asked)
{
	static struct block_stack stack;
	const char *name = asked ? elevator_name(asked, &fault) : NULL;
	int err = block_of_directory(dir, &stack, &fault);

	if (asked && !name)
		return -EINVAL;
	for (size_t i = 0; !err && i < stack.n; i++) {
		const struct block_device *device = &stack.devices[i];
		struct setting_choices choices = { .current = "-" };
		struct setting setting;

		if (asked && device->lowest) {
			err = elevator_provide(device, name, &fault);
			if (!err && !(err = elevator_setting(device, &setting)))
				err = setting_write(&setting, name, &fault);
		}
		if (!err && !elevator_setting(device, &setting))
			err = setting_read(&setting, &choices, &fault);
		if (!err)
			printf("%d %s %s\n", device->level, device->name, choices.current);
	}
	return err;
}

static int preemption(const char *model)
{
	struct preemption_control control;
	struct setting_choices choices;
	char list[128];
	int err = preemption_open(&control, &fault);

	if (err)
		return err;
	if (model)
		err = setting_write(&control.setting, model, &fault);
	if (!err)
		err = setting_read(&control.setting, &choices, &fault);
	if (!err) {
		setting_list(&choices, list, sizeof(list));
		printf("%s: %s%s\n", list, choices.current, control.mounted ? " (mounted)" : "");
	}
	return err;
}

int main(int argc, char **argv)
{
	int err = -EINVAL;

	if (argc == 3 && !strcmp(argv[1], "stack"))
		err = elevators(argv[2], NULL);
	else if (argc == 4 && !strcmp(argv[1], "elevator"))
		err = elevators(argv[2], argv[3]);
	else if ((argc == 2 || argc == 3) && !strcmp(argv[1], "preemption"))
		err = preemption(argv[2]);
	if (err)
		fprintf(stderr, "%s\n", fault.text);
	return err ? 1 : 0;
}
