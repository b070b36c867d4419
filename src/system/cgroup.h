/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The real-time budget of the own control group. */
#ifndef LT_SYSTEM_CGROUP_H
#define LT_SYSTEM_CGROUP_H

#include <limits.h>
#include <stdint.h>

enum cgroup_rt_state {
	CGROUP_RT_UNKNOWN, /* the group was not found, or its files cannot be read */
	CGROUP_RT_NONE,    /* the group was found and keeps no budget */
	CGROUP_RT_BUDGET,  /* runtime_us of each period_us */
};

struct cgroup_rt {
	int version; /* of the hierarchy with the cpu controller: 1, 2, or 0 where unknown */
	enum cgroup_rt_state state;
	int64_t runtime_us; /* 0: no real-time task may run; -1: without limit */
	int64_t period_us;
	int cpu_controlled;  /* version 2: the group, or one above it, has the cpu controller */
	char path[PATH_MAX]; /* of the group's directory, "" where unknown */
};

void cgroup_rt_read(struct cgroup_rt *cgroup);

#endif
