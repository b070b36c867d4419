/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine is, as far as it bears on a result. Reads only; changes nothing. */
#ifndef LT_SYSTEM_ENVIRONMENT_H
#define LT_SYSTEM_ENVIRONMENT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "util/fault.h"

struct environment_params {
	const char *dir;     /* test directory: its file system, device and elevator are recorded */
	uint64_t file_bytes; /* against RAM: does the page cache serve it */
	int cpu;             /* measuring CPU, -1 where not pinned */
};

/*
 * A new JSON object (the caller's) with every fact under a fixed key. What cannot be read is the
 * string "unknown", never a guess and never left out. NULL only without memory.
 */
json_t *environment_collect(const struct environment_params *params);

/*
 * What of an environment can be changed at any time, by a key each: {"elevator of vda":
 * "mq-deadline", "preemption model": "full", "governor": "performance"}. What is unknown is left
 * out. A new object (the caller's), NULL without memory.
 */
json_t *environment_settings(const json_t *environment);

/* The same as it is now. */
json_t *environment_settings_now(const struct environment_params *params);

/*
 * `cpu MHz` of that CPU (-1: the first) in Hz from /proc/cpuinfo, else the frequency cpufreq
 * tells, else NaN.
 */
double environment_cpu_hz(int cpu);

/* The frequency governor of a CPU. 0 or a negative errno. */
int environment_governor(int cpu, char *governor, size_t size);

/*
 * The idle states of a CPU (>= 0), as under "idle_states" of the environment: a new array, empty
 * where none is told. NULL without memory.
 */
json_t *environment_idle_states(int cpu);

/* The list of CPUs online, "0-3". 0, or a negative errno (-EINVAL: it is no list). */
int environment_online(char *list, size_t size);

/*
 * Whether what --dir and --cpu name is there: a directory, and a CPU that is online (-1: none was
 * named). 0, or a negative errno with the option and what would be valid in fault.
 */
int environment_check_there(const char *dir, int cpu, struct fault *fault);

/* Whether the running kernel is a PREEMPT_RT one (/sys/kernel/realtime, or its version string). */
int environment_is_preempt_rt(void);

#endif
