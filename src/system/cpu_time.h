/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc/stat says CPUs have spent their time on. */
#ifndef LT_SYSTEM_CPU_TIME_H
#define LT_SYSTEM_CPU_TIME_H

#include <stdint.h>

struct cpu_time {
	uint64_t all;   /* ticks of 1 / sysconf(_SC_CLK_TCK) s, as the others */
	uint64_t steal; /* in which a hypervisor ran others */
};

/* Of one CPU, or of all together (-1). 0, or -ENOENT where it is not told. */
int cpu_time_read(int cpu, struct cpu_time *time);

#endif
