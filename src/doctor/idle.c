/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How deep CPUs sleep, and who keeps them from it. */
#include <stdio.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/cpu_list.h"
#include "system/environment.h"
#include "system/processes.h"

#define DEVICE "/dev/cpu_dma_latency"
#define EXIT_MAX_US 50 /* a twentieth of the shortest periods that sound cards do well */

struct deepest {
	char name[64];
	int64_t latency_us; /* -1: no state is known */
	bool damaged;       /* a state could not be read whole */
};

static void add_states(struct deepest *deepest, const json_t *states)
{
	const json_t *state;
	size_t i;

	json_array_foreach(states, i, state) {
		const char *name = fact_text(state, "name");
		int64_t latency_us;
		bool disabled;

		if (!fact_int(state, "latency_us", &latency_us) || latency_us < 0 ||
		    !fact_bool(state, "disabled", &disabled)) {
			deepest->damaged = true;
			continue;
		}
		if (disabled || latency_us <= deepest->latency_us)
			continue;
		deepest->latency_us = latency_us;
		snprintf(deepest->name, sizeof(deepest->name), "%s", name ? name : "?");
	}
}

/* The environment has those of one CPU: a thread that is not pinned may wake on any other. */
static struct deepest find_deepest(const struct doctor_params *params)
{
	struct deepest deepest = { .latency_us = -1 };
	char online[1024];

	add_states(&deepest, json_object_get(params->environment, "idle_states"));
	if (params->cpu >= 0 || environment_online(online, sizeof(online)))
		return deepest;
	for (int cpu = 0; (cpu = cpu_list_next(online, cpu)) >= 0;) {
		json_t *states = environment_idle_states(cpu);

		deepest.damaged |= !states;
		add_states(&deepest, states);
		json_decref(states);
	}
	return deepest;
}

/* Who asks for what: " (held by jackd (process 12))". */
static const char *holders_text(char *buf, size_t size)
{
	char list[200];
	bool all = process_holders(DEVICE, list, sizeof(list));

	if (list[0])
		snprintf(buf, size, ", held by %s", list);
	else
		snprintf(buf, size, "%s", all ? ", held by nobody else"
					      : "; who holds it only root can see");
	return buf;
}

static void judge(const struct deepest *deepest, bool asked, int64_t limit_us,
		  struct finding *finding)
{
	char holders[260];

	holders_text(holders, sizeof(holders));
	if (asked && limit_us <= EXIT_MAX_US)
		finding_set(finding, DOCTOR_GOOD, DEVICE " is at %lld us%s", (long long)limit_us,
			    holders);
	else if (deepest->damaged)
		finding_set(finding, DOCTOR_UNKNOWN, "not all of cpu*/cpuidle/state*/latency can "
			    "be read");
	else if (deepest->latency_us <= EXIT_MAX_US)
		finding_set(finding, DOCTOR_GOOD, "the deepest state, %.40s, is left within %lld "
			    "us",
			    deepest->name, (long long)deepest->latency_us);
	else if (!asked)
		finding_set(finding, DOCTOR_UNKNOWN, "%.40s takes %lld us to leave; whether " DEVICE
			    " keeps CPUs out of it cannot be read",
			    deepest->name, (long long)deepest->latency_us);
	else
		finding_set(finding, DOCTOR_NOT_GOOD, "%.40s takes %lld us to leave; " DEVICE " is "
			    "at %lld us%s", deepest->name,
			    (long long)deepest->latency_us, (long long)limit_us, holders);
}

static void examine_idle(const struct doctor_params *params, struct finding *finding)
{
	struct deepest deepest = find_deepest(params);
	int64_t limit_us = -1;
	bool asked = fact_int(params->environment, "cpu_dma_latency_us", &limit_us) &&
		limit_us >= 0;

	if (deepest.latency_us < 0 && !(asked && limit_us <= EXIT_MAX_US)) {
		finding_set(finding, DOCTOR_UNKNOWN,
			    "/sys/devices/system/cpu/cpu*/cpuidle tells no states");
		return;
	}
	judge(&deepest, asked, limit_us, finding);
	if (finding->status != DOCTOR_GOOD)
		finding_cure(finding, "run with --dma-latency 0; for other programs: cpupower "
			     "idle-set -D %d, or tuned-adm profile latency-performance",
			     EXIT_MAX_US);
}

const struct check check_idle = {
	.id = "idle_states",
	.group = "CPU",
	.title = "idle states",
	.why = "a CPU that sleeps deeply between the cycles wakes late for each",
	.examine = examine_idle,
};
