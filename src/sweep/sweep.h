/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep: many runs under different settings, from checked options to a comparison. */
#ifndef LT_SWEEP_SWEEP_H
#define LT_SWEEP_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "run/run.h"
#include "sweep/plan.h"

struct sweep_options {
	const char *elevators, *preempts, *devices; /* LISTs, or NULL */
	struct plan_words elevator_words, preempt_words; /* of the lists; none of "all" */
	size_t runs;             /* of each label; 0: as many as the comparison needs */
	enum plan_order order;
	int64_t seed;            /* -1: drawn */
	const char *output;      /* NULL: a name made of kernel and time */
	const char *resume;      /* NULL: a new sweep */
	bool dry_run, quiet;
	struct run_options run;  /* what follows --, parsed */
	char **run_argv;         /* and as it was given, ended by NULL */
	int argc;                /* the command line, for the record */
	char **argv;
};

/* Does it and prints. Returns the exit status of the program. */
int sweep(const struct sweep_options *options);

#endif
