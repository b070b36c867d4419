/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of environment_collect(); each adds its facts and returns 0, or -1 without memory. */
#ifndef LT_SYSTEM_ENVIRONMENT_PARTS_H
#define LT_SYSTEM_ENVIRONMENT_PARTS_H

#include <jansson.h>

#include "system/environment.h"

/* Release, version, preemption model, command line, tick rate. */
int kernel_facts(json_t *facts);

/* Model, frequency, governor, idle states, SMT, isolation. cpu as in environment_params. */
int cpu_facts(json_t *facts, int cpu);

/* Host, memory, clock source, hypervisor, vendor, RTC, sound system. */
int machine_facts(json_t *facts);

/* Throttling, budgets, limits, timer slack, load, real-time threads of others. */
int scheduling_facts(json_t *facts);

/* "rt_threads" and "rt_thread_count". */
int task_facts(json_t *facts);

/* "test_directory". */
int storage_facts(json_t *facts, const struct environment_params *params);

#endif
