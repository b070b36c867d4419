/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The few lines of the running kernel's build configuration that bear on latency. */
#ifndef LT_SYSTEM_KERNEL_CONFIG_H
#define LT_SYSTEM_KERNEL_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/utsname.h>

struct kernel_config {
	char from[128];         /* the file, "" where there is none */
	int64_t hz;             /* CONFIG_HZ, 0 where not told */
	bool rt_group_sched;    /* CONFIG_RT_GROUP_SCHED, and not off from the start (6.16 on) */
	bool preempt_dynamic;   /* CONFIG_PREEMPT_DYNAMIC */
	bool high_res_timers;   /* CONFIG_HIGH_RES_TIMERS */
	const char *tick;       /* what CONFIG_HZ_PERIODIC or CONFIG_NO_HZ_* say, or NULL */
	const char *preemption; /* default: "none", "voluntary", "full", "lazy", "rt", or NULL */
};

/* Reads /proc/config.gz, else this release's file in /boot or /lib/modules. 0 or -ENOENT. */
int kernel_config_read(struct kernel_config *config);

/* uname(); where the files are those of another machine, that machine's: "" where not told. */
void kernel_names(struct utsname *names);

/* Whether a release ("6.12.9-amd64") is that version or later; -1 where it tells none. */
int kernel_at_least(const char *release, long major, long minor);

#endif
