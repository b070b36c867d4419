/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of CPUs for sched_setaffinity(), of as many as kernels are built for. */
#ifndef LT_SYSTEM_CPU_MASK_H
#define LT_SYSTEM_CPU_MASK_H

#include <sched.h>

#define CPU_MASK_SETS 8 /* of 1024 CPUs each: cpu_set_t has one, and such a call then fails */
#define CPU_MASK_CPUS (CPU_MASK_SETS * CPU_SETSIZE)

/* Used with CPU_SET_S() and its like. */
struct cpu_mask {
	cpu_set_t sets[CPU_MASK_SETS];
};

#endif
