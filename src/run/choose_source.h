/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which source drives a run, and why. */
#ifndef LT_RUN_CHOOSE_SOURCE_H
#define LT_RUN_CHOOSE_SOURCE_H

#include <stdbool.h>

#include "measure/source.h"
#include "run/run.h"
#include "util/fault.h"

struct source_choice {
	const struct source_ops *ops;
	bool doubtful;   /* it works, but not as well as another here; note tells why */
	char note[300];  /* which it is and why, for terminal, log and run.json */
	struct source_grant grant; /* what it takes, of what was asked for */
};

/* What a source is asked for by these options. */
struct source_params choose_source_params(const struct run_options *options);

/*
 * The source asked for, opened once to see that it works; for `auto` the RTC, or the timer where
 * there is no RTC, it cannot be used, or the kernel is a PREEMPT_RT one. choice->grant tells what
 * a sound device granted, else what was asked for. 0 or a negative errno
 * with the reason in fault.
 */
int choose_source(const struct run_options *options, struct source_choice *choice,
		  struct fault *fault);

#endif
