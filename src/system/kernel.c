/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "system/facts.h"
#include "system/kernel_config.h"
#include "system/procfile.h"
#include "util/textfile.h"

#define COMMAND_LINE "/proc/cmdline"
#define DYNAMIC "/sys/kernel/debug/sched/preempt"
#define REALTIME "/sys/kernel/realtime"

struct preemption {
	const char *build;      /* what the version string tells; NULL where it is not told */
	const char *model;      /* in force; NULL where unknown */
	const char *model_from; /* the evidence */
	char dynamic[32];       /* what debugfs marks, "" where it cannot be read */
	char asked[32];         /* preempt= of the command line, "" where not given */
};

static bool says_preempt_rt(const char *version)
{
	/* The out-of-tree patch wrote a blank. */
	return strstr(version, "PREEMPT_RT") || strstr(version, "PREEMPT RT");
}

int environment_is_preempt_rt(void)
{
	struct utsname kernel;
	int64_t realtime;

	if (!text_read_i64(REALTIME, &realtime))
		return realtime == 1;
	kernel_names(&kernel);
	return says_preempt_rt(kernel.version);
}

static const char *build_of(const char *version)
{
	if (says_preempt_rt(version))
		return "PREEMPT_RT";
	if (strstr(version, "PREEMPT_DYNAMIC"))
		return "PREEMPT_DYNAMIC";
	if (strstr(version, "PREEMPT"))
		return "PREEMPT";
	return version[0] ? "voluntary or none" : NULL;
}

/*
 * Whether PREEMPT in the version string can mean full preemption only. From 5.12 to 5.15 it may be
 * a dynamic kernel that does not say so, from 6.13 on a lazy one.
 */
static bool preempt_means_full(const char *release)
{
	char *end;
	long major = strtol(release, &end, 10);
	long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	long version = major * 1000 + minor;

	return major > 0 && version < 6013 && (version < 5012 || version > 5015);
}

/* The last preempt= counts; the kernel ignores words that it does not know. */
static void read_asked(const char *command_line, char *asked, size_t size)
{
	static const char *const known[] = { "none", "voluntary", "full", "lazy" };
	const char *p = command_line;

	asked[0] = '\0';
	while (*p) {
		size_t bytes;

		p += strspn(p, " ");
		bytes = strcspn(p, " ");
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (bytes == 8 + strlen(known[i]) && !strncmp(p, "preempt=", 8) &&
			    !strncmp(p + 8, known[i], bytes - 8))
				snprintf(asked, size, "%s", known[i]);
		p += bytes;
	}
}

static void find_model(struct preemption *p, const struct utsname *kernel,
		       const struct kernel_config *config)
{
	const char *build = p->build ? p->build : "";

	if (environment_is_preempt_rt()) {
		p->model = "rt";
		p->model_from = says_preempt_rt(kernel->version) ? "kernel version" : REALTIME;
	} else if (p->dynamic[0]) {
		p->model = p->dynamic;
		p->model_from = DYNAMIC;
	} else if (!strcmp(build, "PREEMPT_DYNAMIC") || config->preempt_dynamic) {
		/* The build's default may have been changed since the start: no evidence. */
		if (p->asked[0]) {
			p->model = p->asked;
			p->model_from = "kernel command line";
		}
	} else if (config->preemption) {
		p->model = config->preemption;
		p->model_from = config->from;
	} else if (!strcmp(build, "PREEMPT") && preempt_means_full(kernel->release)) {
		p->model = "full";
		p->model_from = "kernel version";
	}
}

static int preemption_facts(json_t *facts, const struct utsname *kernel,
			    const char *command_line, const struct kernel_config *config)
{
	struct preemption p = { .build = build_of(kernel->version) };
	json_t *object = json_object();

	procfile_read_marked(DYNAMIC, p.dynamic, sizeof(p.dynamic));
	read_asked(command_line, p.asked, sizeof(p.asked));
	find_model(&p, kernel, config);
	if (facts_text(object, "build", p.build) || facts_text(object, "model", p.model) ||
	    facts_text(object, "model_from", p.model_from) ||
	    facts_text(object, "dynamic", p.dynamic[0] ? p.dynamic : NULL) ||
	    facts_text(object, "config_default", config->preemption) ||
	    facts_text(object, "config_from", config->from[0] ? config->from : NULL)) {
		json_decref(object);
		return -1;
	}
	return json_object_set_new(facts, "preemption", object);
}

static int told(json_t *facts, const char *key, const char *text)
{
	return facts_text(facts, key, text[0] ? text : NULL);
}

/* command_line is NULL where it could not be read. */
static int timer_facts(json_t *facts, const struct kernel_config *config, const char *command_line)
{
	bool off = command_line && (procfile_has_word(command_line, ' ', "highres=off") ||
				    procfile_has_word(command_line, ' ', "highres=0"));

	if (config->hz ? facts_int(facts, "config_hz", config->hz)
		       : facts_unknown(facts, "config_hz"))
		return -1;
	if (facts_text(facts, "timer_tick", config->tick))
		return -1;
	if (!config->from[0] || !command_line)
		return facts_unknown(facts, "high_res_timers");
	return facts_bool(facts, "high_res_timers", config->high_res_timers && !off);
}

int kernel_facts(json_t *facts)
{
	char command_line[4096];
	struct kernel_config config;
	struct utsname kernel;
	bool read, threadirqs;
	int err;

	kernel_names(&kernel);
	kernel_config_read(&config);
	read = text_read(COMMAND_LINE, command_line, sizeof(command_line)) >= 0;
	threadirqs = procfile_has_word(command_line, ' ', "threadirqs");
	err = told(facts, "kernel_release", kernel.release) ||
	      told(facts, "kernel_version", kernel.version) ||
	      told(facts, "kernel_machine", kernel.machine) ||
	      preemption_facts(facts, &kernel, command_line, &config) ||
	      facts_text(facts, "kernel_command_line", read ? command_line : NULL) ||
	      timer_facts(facts, &config, read ? command_line : NULL);
	if (err)
		return -1;
	/* PREEMPT_RT forces it. */
	if (!read && !environment_is_preempt_rt())
		return facts_unknown(facts, "threadirqs");
	return facts_bool(facts, "threadirqs", threadirqs || environment_is_preempt_rt());
}
