/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel takes from real-time tasks so that others do not starve. */
#include <stdio.h>
#include <string.h>

#include "doctor/budget.h"
#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/cgroup.h"
#include "system/kernel_config.h"

#define GROUP "Throttling"
#define RUNTIME "/proc/sys/kernel/sched_rt_runtime_us"
#define NO_THROTTLING "sysctl -w kernel.sched_rt_runtime_us=-1; to stay: " \
		      "\"kernel.sched_rt_runtime_us = -1\" in /etc/sysctl.d/90-audio.conf"
#define USUAL_SHARE 0.95 /* of the CPU, that groups are given */
#define FAIR_SERVER "/sys/kernel/debug/sched/fair_server/cpu0"

int budget_fair_server(const struct doctor_params *params)
{
	const char *release = fact_text(params->environment, "kernel_release");

	return release ? kernel_at_least(release, 6, 12) : -1;
}

int budget_throttles(const struct doctor_params *params)
{
	struct kernel_config config;
	int fair_server = budget_fair_server(params);

	if (fair_server <= 0)
		return fair_server < 0 ? -1 : 1;
	return kernel_config_read(&config) ? -1 : config.rt_group_sched;
}

bool budget_global(const struct doctor_params *params, struct budget *budget)
{
	return fact_int(params->environment, "sched_rt_runtime_us", &budget->runtime_us) &&
	       fact_int(params->environment, "sched_rt_period_us", &budget->period_us) &&
	       budget->period_us > 0 && budget->period_us <= INT32_MAX &&
	       budget->runtime_us >= -1 && budget->runtime_us <= budget->period_us;
}

bool budget_group(const struct doctor_params *params, struct budget *budget)
{
	const json_t *group = json_object_get(params->environment, "cgroup_rt");

	return fact_int(group, "runtime_us", &budget->runtime_us) &&
	       fact_int(group, "period_us", &budget->period_us) && budget->period_us > 0 &&
	       budget->period_us <= INT32_MAX && budget->runtime_us >= -1 &&
	       budget->runtime_us <= budget->period_us;
}

/* ---- the machine's limit ---- */

static void judge_budget(const struct doctor_params *params, const struct budget *budget,
			 struct finding *finding)
{
	double share = (double)budget->runtime_us / (double)budget->period_us;

	if (budget->runtime_us == 0) {
		finding_spoils(finding, RUNTIME ": 0, no real-time task may run");
	} else if (params->load >= share) {
		finding_spoils(finding, RUNTIME ": %lld of %lld us, %g of the CPU, and load %g is "
			       "asked: %lld ms are lost at the end of each period",
			       (long long)budget->runtime_us, (long long)budget->period_us, share,
			       params->load,
			       (long long)(budget->period_us - budget->runtime_us) / 1000);
	} else {
		finding_set(finding, DOCTOR_GOOD, RUNTIME ": %lld of %lld us, %g of the CPU; load "
			    "%g stays below", (long long)budget->runtime_us,
			    (long long)budget->period_us, share, params->load);
		return;
	}
	finding_cure(finding, NO_THROTTLING);
}

static void examine_throttling(const struct doctor_params *params, struct finding *finding)
{
	struct budget budget;

	if (!budget_global(params, &budget))
		finding_set(finding, DOCTOR_UNKNOWN, RUNTIME " or sched_rt_period_us cannot be "
			    "read, or make no sense");
	else if (budget.runtime_us < 0)
		finding_set(finding, DOCTOR_GOOD, RUNTIME ": -1, no throttling (a thread that runs "
			    "away then has the CPU for good)");
	else if (budget_throttles(params) == 0)
		finding_set(finding, DOCTOR_GOOD, RUNTIME ": %lld of %lld us, but kernels from "
			    "6.12 on without CONFIG_RT_GROUP_SCHED do not throttle by it (see fair "
			    "server)",
			    (long long)budget.runtime_us, (long long)budget.period_us);
	else
		judge_budget(params, &budget, finding);
}

const struct check check_throttling = {
	.id = "rt_throttling",
	.group = GROUP,
	.title = "RT throttling",
	.why = "real-time tasks that take more than this share stand still for the rest of the "
	       "period",
	.realtime = true,
	.examine = examine_throttling,
};

/* ---- the control group's ---- */

/* Version 2 has no budgets: with CONFIG_RT_GROUP_SCHED groups below the root then get none. */
static void judge_unified(const struct cgroup_rt *group, struct finding *finding)
{
	struct kernel_config config;

	if (!group->cpu_controlled) {
		finding_set(finding, DOCTOR_GOOD, "%.200s: no real-time budget is "
			    "kept", group->path);
	} else if (kernel_config_read(&config)) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.200s has the cpu controller; whether the "
			    "kernel has CONFIG_RT_GROUP_SCHED is not told", group->path);
	} else if (!config.rt_group_sched) {
		finding_set(finding, DOCTOR_GOOD, "%.200s: no real-time budget is kept (%s: no "
			    "CONFIG_RT_GROUP_SCHED, or it is off)", group->path, config.from);
	} else {
		finding_spoils(finding, "%.200s has the cpu controller, and the kernel "
			       "CONFIG_RT_GROUP_SCHED (%s): the group has no real-time budget",
			       group->path, config.from);
		finding_cure(finding, "boot with rt_group_sched=0 (kernels from 6.16 on), or move "
			     "the shell to the root group: echo $$ > /sys/fs/cgroup/cgroup.procs");
	}
}

static void judge_group(const struct doctor_params *params, const struct cgroup_rt *group,
			const struct budget *budget, struct finding *finding)
{
	double share = (double)budget->runtime_us / (double)budget->period_us;

	if (budget->runtime_us < 0 || params->load < share) {
		finding_set(finding, DOCTOR_GOOD, "%.200s/cpu.rt_runtime_us: %lld of %lld us",
			    group->path, (long long)budget->runtime_us,
			    (long long)budget->period_us);
		return;
	}
	if (budget->runtime_us == 0)
		finding_spoils(finding, "%.200s/cpu.rt_runtime_us: 0, no real-time task may run in "
			       "this group (EPERM, whatever the rights)", group->path);
	else
		finding_spoils(finding, "%.200s/cpu.rt_runtime_us: %lld of %lld us, %g of the CPU, "
			       "and load %g is asked", group->path, (long long)budget->runtime_us,
			       (long long)budget->period_us, share, params->load);
	if (params->load >= USUAL_SHARE)
		finding_cure(finding, NO_THROTTLING " (no group is throttled then)");
	else
		finding_cure(finding, "echo %lld > %.200s/cpu.rt_runtime_us (into its parents "
			     "first), or move the shell to the root group: echo $$ > "
			     "/sys/fs/cgroup/cpu/tasks",
			     (long long)((double)budget->period_us * USUAL_SHARE), group->path);
}

static void examine_cgroup(const struct doctor_params *params, struct finding *finding)
{
	struct budget budget, global;
	struct cgroup_rt group;

	cgroup_rt_read(&group);
	if (group.state == CGROUP_RT_UNKNOWN)
		finding_set(finding, DOCTOR_UNKNOWN, "the group's files are not found "
			    "(/proc/self/cgroup, /proc/self/mountinfo)");
	else if (group.state == CGROUP_RT_NONE && group.version == 2)
		judge_unified(&group, finding);
	else if (group.state == CGROUP_RT_NONE)
		finding_set(finding, DOCTOR_GOOD, "%.200s: no real-time budget is "
			    "kept", group.path);
	else if (!budget_group(params, &budget))
		finding_set(finding, DOCTOR_UNKNOWN, "%.200s/cpu.rt_runtime_us: makes no sense",
			    group.path);
	else if (budget_global(params, &global) && global.runtime_us < 0)
		finding_set(finding, DOCTOR_GOOD, "%.200s/cpu.rt_runtime_us: %lld us, but without "
			    "effect while " RUNTIME " is -1", group.path,
			    (long long)budget.runtime_us);
	else
		judge_group(params, &group, &budget, finding);
}

const struct check check_cgroup = {
	.id = "cgroup_rt",
	.group = GROUP,
	.title = "control group",
	.why = "a group without real-time budget is the usual reason for a refusal in containers",
	.realtime = true,
	.examine = examine_cgroup,
};

/* ---- the fair server ---- */

static void no_fair_server(const struct doctor_params *params, int has, struct finding *finding)
{
	if (!has) {
		finding_set(finding, DOCTOR_GOOD, "kernel %.60s: only kernels from 6.12 on have it",
			    fact_text(params->environment, "kernel_release"));
		return;
	}
	finding_set(finding, DOCTOR_UNKNOWN, FAIR_SERVER "/runtime cannot be read (usual are "
		    "50 ms of each second, where ordinary tasks wait)");
	finding_cure(finding, "as root: mount -t debugfs none /sys/kernel/debug (a kernel in "
		     "lockdown hides it)");
}

static void examine_fair_server(const struct doctor_params *params, struct finding *finding)
{
	const json_t *facts = json_object_get(params->environment, "fair_server");
	int64_t runtime_ns, period_ns;
	double left;

	if (!fact_int(facts, "runtime_ns", &runtime_ns) ||
	    !fact_int(facts, "period_ns", &period_ns)) {
		no_fair_server(params, budget_fair_server(params), finding);
		return;
	}
	if (period_ns <= 0 || runtime_ns < 0 || runtime_ns > period_ns) {
		finding_set(finding, DOCTOR_UNKNOWN, FAIR_SERVER ": makes no sense");
		return;
	}
	left = 1 - (double)runtime_ns / (double)period_ns;
	finding_set(finding, DOCTOR_GOOD, FAIR_SERVER ": %.3g of %.3g ms are kept for ordinary "
		    "tasks that starve; load %g stays below %.3g", (double)runtime_ns / 1e6,
		    (double)period_ns / 1e6, params->load, left);
	if (params->load < left || !runtime_ns)
		return;
	finding_spoils(finding, FAIR_SERVER ": %.3g of %.3g ms are kept for ordinary tasks that "
		       "starve, and load %g is "
		       "asked", (double)runtime_ns / 1e6, (double)period_ns / 1e6,
		       params->load);
	finding_cure(finding, "for each CPU: echo 0 > "
		     "/sys/kernel/debug/sched/fair_server/cpuN/runtime");
}

const struct check check_fair_server = {
	.id = "fair_server",
	.group = GROUP,
	.title = "fair server",
	.why = "where ordinary tasks wait, it takes the CPU from real-time ones for this long",
	.realtime = true,
	.examine = examine_fair_server,
};
