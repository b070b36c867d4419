/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast and how undisturbed the CPUs are. */
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/cpu_list.h"
#include "system/environment.h"

#define GROUP "CPU"
#define CPUS "/sys/devices/system/cpu/"

/* ---- governor ---- */

struct governors {
	char other[200];    /* "powersave on CPUs 0-3, ..." */
	int fast, unknown;  /* CPUs */
};

/* Adds the CPUs first..last, all under one governor. */
static void add_range(struct governors *governors, const char *name, int first, int last)
{
	if (first == last)
		list_add(governors->other, sizeof(governors->other), "%.24s on CPU %d",
			 name, first);
	else
		list_add(governors->other, sizeof(governors->other), "%.24s on CPUs %d-%d", name,
			 first, last);
}

/* All that lower the frequency when there is nothing to do; of another word nothing is known. */
static bool is_slowing(const char *name)
{
	static const char *const names[] = { "powersave", "ondemand", "conservative", "schedutil",
					     "interactive", "userspace" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* The CPUs that count: the measuring one, or all. */
static void read_governors(const struct doctor_params *params, const char *online,
			   struct governors *governors)
{
	char range[32] = "", name[32];
	int first = -1, last = -1;

	for (int cpu = -1; (cpu = cpu_list_next(online, cpu)) >= 0;) {
		if (params->cpu >= 0 && cpu != params->cpu)
			continue;
		if (environment_governor(cpu, name, sizeof(name))) {
			governors->unknown++;
			continue;
		}
		governors->fast += !strcmp(name, "performance");
		if (!is_slowing(name)) {
			governors->unknown += strcmp(name, "performance") != 0;
			continue;
		}
		if (strcmp(name, range) || cpu != last + 1) {
			if (range[0])
				add_range(governors, range, first, last);
			first = cpu;
			snprintf(range, sizeof(range), "%s", name);
		}
		last = cpu;
	}
	if (range[0])
		add_range(governors, range, first, last);
}

static void examine_governor(const struct doctor_params *params, struct finding *finding)
{
	struct governors governors = { .other = "" };
	char online[1024];

	if (environment_online(online, sizeof(online))) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "online cannot be read");
		return;
	}
	read_governors(params, online, &governors);
	if (governors.other[0]) {
		finding_spoils(finding, "%s (" CPUS "cpu*/cpufreq/scaling_governor)",
			       governors.other);
		finding_cure(finding, "cpupower frequency-set -g performance; or: echo performance "
			     "| tee "
			     CPUS "cpu*/cpufreq/scaling_governor");
	} else if (!governors.fast || governors.unknown) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS
			    "cpu*/cpufreq/scaling_governor does not tell of %d CPU(s)",
			    governors.unknown);
	} else {
		finding_set(finding, DOCTOR_GOOD, "performance on all of %d CPU(s)",
			    governors.fast);
	}
}

const struct check check_governor = {
	.id = "governor",
	.group = GROUP,
	.title = "governor",
	.why = "a CPU that is slowed down between the cycles has to speed up within each",
	.examine = examine_governor,
};

/* Either may be wanted: it is told, for work takes longer once heat has taken it away. */
static void examine_boost(const struct doctor_params *params, struct finding *finding)
{
	bool boost;

	if (!fact_bool(params->environment, "boost", &boost))
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "cpufreq/boost and intel_pstate/no_turbo "
			    "cannot be read");
	else if (boost)
		finding_set(finding, DOCTOR_GOOD, "on: work takes longer when other cores or heat "
			    "take it away");
	else
		finding_set(finding, DOCTOR_GOOD, "off: the frequency does not depend on heat");
}

const struct check check_boost = {
	.id = "boost",
	.group = GROUP,
	.title = "boost",
	.why = "a set-up that only just fits while boosted does not fit any more when it is warm",
	.examine = examine_boost,
};

/* ---- siblings and isolation ---- */

static void examine_smt(const struct doctor_params *params, struct finding *finding)
{
	bool active;

	if (!fact_bool(params->environment, "smt_active", &active)) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "smt/active cannot be read");
	} else if (!active) {
		finding_set(finding, DOCTOR_GOOD, CPUS "smt/active: 0");
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, CPUS "smt/active: 1");
		finding_cure(finding, "echo off > " CPUS "smt/control; to stay: boot with nosmt");
	}
}

const struct check check_smt = {
	.id = "smt",
	.group = GROUP,
	.title = "SMT",
	.why = "two threads share each core: what runs on the sibling slows the audio thread down",
	.examine = examine_smt,
};

/* None is needed; those that there are should be made use of. */
static void examine_isolation(const struct doctor_params *params, struct finding *finding)
{
	const char *isolated = fact_text(params->environment, "cpus_isolated");

	if (!isolated) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "isolated cannot be read");
	} else if (!*isolated) {
		finding_set(finding, DOCTOR_GOOD, CPUS "isolated: none (none is needed)");
	} else if (cpu_list_next(isolated, -1) < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "isolated: makes no sense");
	} else if (cpu_list_has(isolated, params->cpu)) {
		finding_set(finding, DOCTOR_GOOD, CPUS "isolated: %.100s, CPU %d among them",
			    isolated,
			    params->cpu);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, CPUS "isolated: %.100s, and the audio thread "
			    "is pinned %s", isolated, params->cpu < 0 ? "to none" : "elsewhere");
		finding_cure(finding, "--cpu %d; other programs: taskset -c %d PROGRAM",
			     cpu_list_next(isolated, -1), cpu_list_next(isolated, -1));
	}
}

const struct check check_isolation = {
	.id = "isolated_cpus",
	.group = GROUP,
	.title = "isolated CPUs",
	.why = "isolated CPUs stay idle unless the audio thread is pinned to one",
	.examine = examine_isolation,
};

/* ---- mitigations ---- */

static bool is_verdict(const char *text)
{
	static const char *const words[] = { "Not affected", "Vulnerable", "Mitigation", "Unknown",
					     "KVM", "Processor vulnerable" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

static void examine_mitigations(const struct doctor_params *params, struct finding *finding)
{
	/* Words of the ones that cost time at each entry into the kernel or switch of tasks. */
	static const char *const dear[] = { "PTI", "IBRS", "Clear CPU buffers", "Safe RET",
					    "untrained", "etpoline", "IBPB" };
	const json_t *facts = json_object_get(params->environment, "mitigations"), *value;
	char costly[300] = "";
	size_t unknown = 0;
	const char *key;

	if (!json_is_object(facts) || !json_object_size(facts)) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "vulnerabilities cannot be read");
		return;
	}
	json_object_foreach((json_t *)facts, key, value) {
		const char *text = json_string_value(value);

		unknown += !text || !is_verdict(text);
		for (size_t i = 0; text && i < sizeof(dear) / sizeof(dear[0]); i++)
			if (!strncmp(text, "Mitigation", 10) && strstr(text, dear[i])) {
				list_add(costly, sizeof(costly), "%s", key);
				break;
			}
	}
	if (unknown) {
		finding_set(finding, DOCTOR_UNKNOWN, CPUS "vulnerabilities: %zu of %zu files say "
			    "nothing known", unknown, json_object_size(facts));
		return;
	}
	finding_set(finding, DOCTOR_GOOD, "%s%s", costly[0] ? "some cost microseconds: "
						      : "none that costs much: ",
		    costly[0] ? costly : CPUS "vulnerabilities");
}

const struct check check_mitigations = {
	.id = "mitigations",
	.group = GROUP,
	.title = "mitigations",
	.why = "guards against faults of the CPU cost time in each system call and interrupt",
	.examine = examine_mitigations,
};
