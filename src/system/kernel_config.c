/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/kernel_config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <zlib.h>

#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

/* In rising order: a PREEMPT_RT kernel also has PREEMPT or PREEMPT_LAZY set. */
static const struct {
	const char *line;
	const char *name;
} preemption_models[] = {
	{ "CONFIG_PREEMPT_NONE=y", "none" },
	{ "CONFIG_PREEMPT_VOLUNTARY=y", "voluntary" },
	{ "CONFIG_PREEMPT=y", "full" },
	{ "CONFIG_PREEMPT__LL=y", "full" },
	{ "CONFIG_PREEMPT_LAZY=y", "lazy" },
	{ "CONFIG_PREEMPT_RT_FULL=y", "rt" },
	{ "CONFIG_PREEMPT_RT=y", "rt" },
};

#define MODELS (sizeof(preemption_models) / sizeof(preemption_models[0]))

/* From 6.16 on it may be built in, but off unless the command line says otherwise. */
static void read_rt_group_sched(struct kernel_config *config, bool off)
{
	char line[4096];
	struct utsname kernel;

	kernel_names(&kernel);
	if (!config->rt_group_sched || kernel_at_least(kernel.release, 6, 16) <= 0)
		return;
	config->rt_group_sched = !off;
	if (text_read("/proc/cmdline", line, sizeof(line)) < 0)
		return;
	if (procfile_has_word(line, ' ', "rt_group_sched=0"))
		config->rt_group_sched = false;
	else if (procfile_has_word(line, ' ', "rt_group_sched=1"))
		config->rt_group_sched = true;
}

static void read_other(struct kernel_config *config, const char *line)
{
	if (!strncmp(line, "CONFIG_HZ=", 10))
		number_i64(line + 10, 1, 100000, &config->hz);
	else if (!strcmp(line, "CONFIG_RT_GROUP_SCHED=y"))
		config->rt_group_sched = true;
	else if (!strcmp(line, "CONFIG_PREEMPT_DYNAMIC=y"))
		config->preempt_dynamic = true;
	else if (!strcmp(line, "CONFIG_HIGH_RES_TIMERS=y"))
		config->high_res_timers = true;
	else if (!strcmp(line, "CONFIG_HZ_PERIODIC=y"))
		config->tick = "periodic";
	else if (!strcmp(line, "CONFIG_NO_HZ_IDLE=y"))
		config->tick = "stops when idle";
	else if (!strcmp(line, "CONFIG_NO_HZ_FULL=y"))
		config->tick = "can stop when busy";
}

static int read_file(struct kernel_config *config)
{
	char name[PATH_MAX];
	/* Plain ones too. */
	gzFile file = gzopen(root_path(name, sizeof(name), config->from), "re");
	bool groups_off = false;
	size_t best = 0;
	char line[512];

	if (!file)
		return -ENOENT;
	while (gzgets(file, line, sizeof(line))) {
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = best; i < MODELS; i++) {
			if (strcmp(line, preemption_models[i].line))
				continue;
			config->preemption = preemption_models[i].name;
			best = i;
		}
		read_other(config, line);
		if (!strcmp(line, "CONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y"))
			groups_off = true;
	}
	read_rt_group_sched(config, groups_off);
	gzclose(file);
	return 0;
}

void kernel_names(struct utsname *names)
{
	uname(names);
	if (root_is_real())
		return;
	names->machine[0] = '\0';
	text_read("/proc/sys/kernel/osrelease", names->release, sizeof(names->release));
	text_read("/proc/sys/kernel/version", names->version, sizeof(names->version));
	text_read("/proc/sys/kernel/hostname", names->nodename, sizeof(names->nodename));
}

int kernel_at_least(const char *release, long major, long minor)
{
	char *end;
	long first = strtol(release, &end, 10), second;

	if (first <= 0 || *end != '.')
		return -1;
	second = strtol(end + 1, NULL, 10);
	return first > major || (first == major && second >= minor);
}

int kernel_config_read(struct kernel_config *config)
{
	static const char *const places[] = {
		"/boot/config-", "", "/lib/modules/", "/config", "/lib/modules/", "/build/.config",
	};
	struct utsname kernel;

	memset(config, 0, sizeof(*config));
	snprintf(config->from, sizeof(config->from), "/proc/config.gz");
	if (!read_file(config))
		return 0;
	kernel_names(&kernel);
	/* The other places are no files of the system. */
	for (size_t i = 0; root_is_real() && i < sizeof(places) / sizeof(places[0]);
	     i += 2) {
		snprintf(config->from, sizeof(config->from), "%s%s%s", places[i], kernel.release,
			 places[i + 1]);
		if (!read_file(config))
			return 0;
	}
	config->from[0] = '\0';
	return -ENOENT;
}
