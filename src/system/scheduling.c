/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "system/cgroup.h"
#include "system/facts.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define KERNEL "/proc/sys/kernel/"
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu0/"

/* The soft limit in the line of that name, as the kernel writes it; "" where it is not told. */
static void read_limit(const char *name, char *value, size_t size)
{
	char *text = text_read_all("/proc/self/limits"), *line = text ? strstr(text, name) : NULL;
	char *cursor = line ? line + strlen(name) : NULL, *word;

	word = cursor ? procfile_next_word(&cursor) : NULL;
	snprintf(value, size, "%s", word ? word : "");
	free(text);
}

/* From the file, where tests can put another machine's. */
static int limit_fact(json_t *facts, const char *key, const char *name)
{
	char text[32];
	int64_t value;

	read_limit(name, text, sizeof(text));
	if (!strcmp(text, "unlimited"))
		return facts_text(facts, key, text);
	if (number_i64(text, 0, INT64_MAX, &value))
		return facts_unknown(facts, key);
	return facts_int(facts, key, value);
}

/* "none" where the group keeps no budget, as everywhere in version 2. */
static int cgroup_facts(json_t *facts)
{
	struct cgroup_rt cgroup;
	json_t *object = json_object();
	int err;

	cgroup_rt_read(&cgroup);
	err = cgroup.version ? facts_int(object, "version", cgroup.version)
			     : facts_unknown(object, "version");
	if (cgroup.state == CGROUP_RT_BUDGET)
		err = err || facts_int(object, "runtime_us", cgroup.runtime_us) ||
		      facts_int(object, "period_us", cgroup.period_us);
	else
		err = err || facts_text(object, "runtime_us",
					cgroup.state == CGROUP_RT_NONE ? "none" : NULL) ||
		      facts_text(object, "period_us",
				 cgroup.state == CGROUP_RT_NONE ? "none" : NULL);
	err = err || facts_text(object, "path", cgroup.path[0] ? cgroup.path : NULL);
	if (err) {
		json_decref(object);
		return -1;
	}
	return json_object_set_new(facts, "cgroup_rt", object);
}

/* What ordinary tasks are guaranteed against real-time ones, of the first CPU (6.12 and later). */
static int fair_server_facts(json_t *facts)
{
	json_t *object = json_object();

	if (facts_file_int(object, "runtime_ns", FAIR_SERVER "runtime") ||
	    facts_file_int(object, "period_ns", FAIR_SERVER "period")) {
		json_decref(object);
		return -1;
	}
	return json_object_set_new(facts, "fair_server", object);
}

static int timer_slack_fact(json_t *facts)
{
	int ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	return ns < 0 ? facts_unknown(facts, "timer_slack_ns")
		      : facts_int(facts, "timer_slack_ns", ns);
}

/* Whether processes yet to be forked get another time namespace than this one has. */
static bool differs_for_children(void)
{
	static const char *const links[] = { "/proc/self/ns/time",
					     "/proc/self/ns/time_for_children" };
	char path[PATH_MAX], names[2][64];

	for (size_t i = 0; i < 2; i++) {
		ssize_t n = readlink(root_path(path, sizeof(path), links[i]), names[i],
				     sizeof(names[i]) - 1);

		if (n < 0)
			return false;
		names[i][n] = '\0';
	}
	return strcmp(names[0], names[1]);
}

/*
 * The line "monotonic  SECONDS  NANOSECONDS": CLOCK_MONOTONIC in a container may be shifted. It is
 * that of the children, which is the own one too unless the namespace was just made.
 */
static int time_namespace_fact(json_t *facts)
{
	static const char key[] = "time_namespace_offset_ns";
	char text[256], *cursor = text, *word;
	int64_t seconds, ns;

	text_read("/proc/self/timens_offsets", text, sizeof(text));
	word = procfile_next_word(&cursor);
	if (!word || (strcmp(word, "monotonic") && strcmp(word, "1")) || differs_for_children())
		return facts_unknown(facts, key);
	word = procfile_next_word(&cursor);
	if (!word || number_i64(word, -1000000000, 1000000000, &seconds))
		return facts_unknown(facts, key);
	word = procfile_next_word(&cursor);
	if (!word || number_i64(word, 0, 999999999, &ns))
		return facts_unknown(facts, key);
	return facts_int(facts, key, seconds * 1000000000 + ns);
}

static int load_average_fact(json_t *facts)
{
	char text[128];
	double load;

	text_read("/proc/loadavg", text, sizeof(text));
	text[strcspn(text, " ")] = '\0';
	if (number_double(text, 0, 1e9, &load))
		return facts_unknown(facts, "load_average_1min");
	return facts_real(facts, "load_average_1min", load);
}

int scheduling_facts(json_t *facts)
{
	return facts_file_int(facts, "sched_rt_period_us", KERNEL "sched_rt_period_us") ||
	       facts_file_int(facts, "sched_rt_runtime_us", KERNEL "sched_rt_runtime_us") ||
	       cgroup_facts(facts) || fair_server_facts(facts) ||
	       limit_fact(facts, "rlimit_rtprio", "Max realtime priority") ||
	       limit_fact(facts, "rlimit_memlock_bytes", "Max locked memory") ||
	       limit_fact(facts, "rlimit_rttime_us", "Max realtime timeout") ||
	       timer_slack_fact(facts) || time_namespace_fact(facts) ||
	       load_average_fact(facts) ? -1 : 0;
}
