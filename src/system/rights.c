/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/cgroup.h"
#include "system/cpu_list.h"
#include "system/cpu_mask.h"
#include "system/kernel_config.h"
#include "system/privileges.h"
#include "system/procfile.h"
#include "util/textfile.h"

#define LIMITS_FILE "a file in /etc/security/limits.d/"

static const char *policy_name(int policy)
{
	switch (policy) {
	case SCHED_FIFO:
		return "SCHED_FIFO";
	case SCHED_RR:
		return "SCHED_RR";
	default:
		return "SCHED_OTHER";
	}
}

/* The control group refuses whatever the rights are. Returns false where it does not. */
static bool explain_cgroup(struct rights_reason *why)
{
	struct kernel_config config;
	struct cgroup_rt cgroup;

	cgroup_rt_read(&cgroup);
	if (cgroup.state == CGROUP_RT_BUDGET && cgroup.runtime_us == 0) {
		snprintf(why->cause, sizeof(why->cause), "cpu.rt_runtime_us of the control group "
			 "%.150s is 0", cgroup.path);
		snprintf(why->cure, sizeof(why->cure), "write a budget there (and into its parents "
			 "first), or move this process to the root group");
		return true;
	}
	if (!cgroup.cpu_controlled || kernel_config_read(&config) || !config.rt_group_sched)
		return false;
	snprintf(why->cause, sizeof(why->cause), "likely because this kernel has "
		 "CONFIG_RT_GROUP_SCHED and the control group %.120s has the cpu controller, which "
		 "under version 2 leaves it no real-time budget", cgroup.path);
	snprintf(why->cure, sizeof(why->cure), "move this process to the root group, or boot with "
		 "rt_group_sched=0");
	return true;
}

void rights_why_refused(int priority, struct rights_reason *why)
{
	const char *missing = privilege_user_namespace()
		? "CAP_SYS_NICE does not count inside a user namespace"
		: "CAP_SYS_NICE is missing";
	struct rlimit limit = { .rlim_cur = 0 };
	bool limited;

	getrlimit(RLIMIT_RTPRIO, &limit);
	limited = limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (rlim_t)priority;
	if (limited && !privilege_held(CAP_SYS_NICE)) {
		snprintf(why->cause, sizeof(why->cause), "RLIMIT_RTPRIO is %llu and %s",
			 (unsigned long long)limit.rlim_cur, missing);
		snprintf(why->cure, sizeof(why->cure), "put \"@audio - rtprio %d\" into "
			 LIMITS_FILE ", join that group and log in again, or run as root, or "
			 "--policy other", priority > 95 ? priority : 95);
		return;
	}
	if (explain_cgroup(why))
		return;
	if (privilege_filtered()) {
		snprintf(why->cause, sizeof(why->cause), "likely by the seccomp filter that this "
			 "process runs under (container, or RestrictRealtime= of a systemd unit)");
		snprintf(why->cure, sizeof(why->cure), "allow it there, or --policy other");
	} else {
		snprintf(why->cause, sizeof(why->cause), "rights and limits would allow it, so "
			 "likely a security module forbids it");
		snprintf(why->cure, sizeof(why->cure), "see the kernel's log, or --policy other");
	}
}

int rights_set_policy(int policy, int priority, struct fault *fault)
{
	bool realtime = policy == SCHED_FIFO || policy == SCHED_RR;
	struct sched_param param = { .sched_priority = realtime ? priority : 0 };
	struct rights_reason why;
	int err;

	if (realtime && (priority < sched_get_priority_min(policy) ||
			 priority > sched_get_priority_max(policy)))
		return fault_set(fault, -EINVAL, "priority %d: outside %d..%d of %s", priority,
				 sched_get_priority_min(policy), sched_get_priority_max(policy),
				 policy_name(policy));
	/* Not the C library's function: that of musl refuses always. */
	if (!syscall(SYS_sched_setscheduler, 0, policy | SCHED_RESET_ON_FORK, &param))
		return 0;
	err = -errno;
	if (err != -EPERM || !realtime)
		return fault_set(fault, err, "sched_setscheduler(%s, %d): %s", policy_name(policy),
				 param.sched_priority, strerror(-err));
	rights_why_refused(priority, &why);
	return fault_set(fault, err, "sched_setscheduler(%s, %d): %s: %s; cure: %s",
			 policy_name(policy), param.sched_priority, strerror(-err), why.cause,
			 why.cure);
}

static int explain_pin(int cpu, int err, struct fault *fault)
{
	char online[128], allowed[128];

	if (text_read("/sys/devices/system/cpu/online", online, sizeof(online)) > 0 &&
	    !cpu_list_has(online, cpu))
		return fault_set(fault, err, "cannot pin to CPU %d: it is offline or does not "
				 "exist (online: %s)", cpu, online);
	if (err == -EINVAL && !procfile_read_field("/proc/thread-self/status", "Cpus_allowed_list",
						   allowed, sizeof(allowed)))
		return fault_set(fault, err, "cannot pin to CPU %d: the cpuset of this process's "
				 "control group leaves it out (allowed now: %s); cure: a CPU of "
				 "that list, or a wider cpuset", cpu, allowed);
	return fault_set(fault, err, "cannot pin to CPU %d: sched_setaffinity: %s", cpu,
			 strerror(-err));
}

int rights_pin(int cpu, struct fault *fault)
{
	struct cpu_mask mask;

	if (cpu < 0 || cpu >= CPU_MASK_CPUS)
		return fault_set(fault, -EINVAL, "cannot pin to CPU %d: no such number", cpu);
	CPU_ZERO_S(sizeof(mask), mask.sets);
	CPU_SET_S(cpu, sizeof(mask), mask.sets);
	if (sched_setaffinity(0, sizeof(mask), mask.sets) < 0)
		return explain_pin(cpu, -errno, fault);
	return 0;
}

int rights_hold_dma_latency(int us, struct fault *fault)
{
	static const char device[] = "/dev/cpu_dma_latency";
	int32_t value = us;
	ssize_t written;
	int fd, err;

	if (us < 0)
		return fault_set(fault, -EINVAL, "DMA latency %d us: below 0", us);
	fd = open(device, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		return fault_set(fault, err, "%s: %s%s", device, strerror(-err),
				 err == -EACCES || err == -EPERM
				 ? "; cure: run as root, or a udev rule that gives the device to "
				   "your group, or no --dma-latency"
				 : err == -ENOENT
				 ? "; this kernel or container has no such device: run without "
				   "--dma-latency" : "");
	}
	written = write(fd, &value, sizeof(value));
	if (written == sizeof(value))
		return fd;
	err = written < 0 ? -errno : -EIO;
	close(fd);
	return fault_set(fault, err, "%s: writing %d us: %s", device, us, strerror(-err));
}
