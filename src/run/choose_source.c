/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/choose_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtc/kernel_sources.h"
#include "system/environment.h"

struct source_params choose_source_params(const struct run_options *options)
{
	struct source_params params = { .rate_hz = options->rate_hz,
					.rtc_device = options->rtc_device,
					.sound = options->sound };

	params.sound.wakeups = options->wakeups;
	return params;
}

/* Opens it once; grant is left alone where the source takes what it is asked for. */
static int probe(const struct source_ops *ops, const struct run_options *options,
		 struct source_grant *grant, struct fault *fault)
{
	struct source_params params = choose_source_params(options);
	void *state = calloc(1, ops->state_bytes);
	int err;

	if (!state)
		return fault_set(fault, -ENOMEM, "no memory");
	err = ops->open(state, &params, fault);
	if (!err && ops->granted)
		ops->granted(state, grant);
	ops->close(state);
	free(state);
	return err;
}

#define SAY(choice, ...) snprintf((choice)->note, sizeof((choice)->note), __VA_ARGS__)

static void choose_auto(const struct run_options *options, struct source_choice *choice)
{
	struct fault why = { "" };

	choice->ops = &source_timer;
	if (environment_is_preempt_rt()) {
		SAY(choice,
		    "kernel timer at the same rate, since on PREEMPT_RT the RTC's interrupt "
		    "comes by way of a low-priority thread");
	} else if (!options->rtc_device && !rtc_default_device()) {
		SAY(choice, "kernel timer at the same rate, since there is no /dev/rtc here");
	} else if (probe(&source_rtc, options, &choice->grant, &why)) {
		SAY(choice, "kernel timer at the same rate, since %.200s", why.text);
	} else {
		choice->ops = &source_rtc;
		SAY(choice, "%.200s",
		    options->rtc_device ? options->rtc_device : rtc_default_device());
	}
}

int choose_source(const struct run_options *options, struct source_choice *choice,
		  struct fault *fault)
{
	int err;

	choice->doubtful = false;
	choice->grant = (struct source_grant){ .rate_hz = options->rate_hz, .ticks_per_wait = 1 };
	if (!strcmp(options->source, "auto")) {
		choose_auto(options, choice);
		return 0;
	}
	choice->ops = source_find(options->source);
	choice->doubtful = choice->ops == &source_rtc && environment_is_preempt_rt();
	SAY(choice, "%s",
	    choice->doubtful ? "as asked, but on PREEMPT_RT its interrupt comes by way of a "
			       "low-priority thread: any busy real-time task makes it late"
			     : "as asked");
	err = probe(choice->ops, options, &choice->grant, fault);
	if (choice->grant.note[0])
		SAY(choice, "as asked, but %s", choice->grant.note);
	return err;
}
