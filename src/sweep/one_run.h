/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of a sweep: this program again, in a process of its own. */
#ifndef LT_SWEEP_ONE_RUN_H
#define LT_SWEEP_ONE_RUN_H

#include "sweep/guardian.h"
#include "util/fault.h"

struct one_run {
	char *const *options;   /* of run, ended by NULL */
	const char *output;     /* the result directory to be made */
	const char *messages; /* file for what the run says on stderr; gone where that is nothing */
	const struct guardian *guardian;
};

/*
 * Starts the run and waits for its end; requests (signals.h) are handed on to it. It is a process
 * group of its own, so that a ^C reaches it once, and is told to end when this process dies. Its
 * exit status, or 128 + the signal that killed it; or a negative errno with the reason in fault
 * where it could not be started.
 */
int one_run(const struct one_run *run, struct fault *fault);

#endif
