/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of whether the machine is set up for low latency. A check is a function and a struct check
 * in the file of its group; table.c lists them. They go by the facts of the environment where these
 * tell, and try for real what only trying tells.
 */
#ifndef LT_DOCTOR_DOCTOR_H
#define LT_DOCTOR_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spin;

enum doctor_status { DOCTOR_UNKNOWN, DOCTOR_GOOD, DOCTOR_NOT_GOOD };

struct doctor_params {
	double load;       /* share of the CPU that the audio program will take, 0 to 1 */
	int priority;      /* SCHED_FIFO priority wanted, 1 to 99 */
	int cpu;           /* measuring CPU, -1 where not pinned */
	int card;          /* sound card, -1: the first */
	bool realtime;     /* the program will ask for SCHED_FIFO or SCHED_RR */
	bool disk;         /* the test directory will be worked on */
	const json_t *environment; /* of environment_collect() */
	const struct spin *spin;   /* of spin_run(), NULL where it was not made */
};

/* Zeroed, it says `unknown`: what is good has to be said and cannot be forgotten. */
struct finding {
	enum doctor_status status;
	bool spoils;        /* not good, and results made under it do not represent the machine */
	char evidence[480]; /* what was read or tried, and where */
	char cure[480];     /* a command or the line of a file; "" where there is none */
};

struct check {
	const char *id;     /* fixed, for programs */
	const char *group;
	const char *title;
	const char *why;    /* it matters for audio */
	bool realtime;      /* a matter of real-time policies: spoils no ordinary one */
	bool slow;          /* more than some milliseconds, or the spin test: not made by `run` */
	void (*examine)(const struct doctor_params *params, struct finding *finding);
};

/* The table, group after group, ended by NULL. */
extern const struct check *const checks[];

/* The check of that id or NULL. */
const struct check *check_find(const char *id);

/*
 * Makes all checks, or all but the slow ones. A new JSON array (the caller's) of { "id", "group",
 * "title", "status": "good", "not good" or "unknown", "evidence", "why", "cure",
 * "spoils_results" }; NULL without memory.
 */
json_t *doctor_examine(const struct doctor_params *params, bool slow_too);

/* How many findings of that array have the status. */
size_t doctor_count(const json_t *findings, const char *status);

#endif
