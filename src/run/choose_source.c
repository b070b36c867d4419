/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/choose_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtc/kernel_sources.h"
#include "system/environment.h"

static int probe(const struct source_ops *ops, const struct run_options *options,
		 struct fault *fault)
{
	struct source_params params = { .rate_hz = options->rate_hz,
					.rtc_device = options->rtc_device };
	void *state = calloc(1, ops->state_bytes);
	int err;

	if (!state)
		return fault_set(fault, -ENOMEM, "no memory");
	err = ops->open(state, &params, fault);
	ops->close(state);
	free(state);
	return err;
}

static int choose_auto(const struct run_options *options, const struct source_ops **ops, char *note,
		       size_t note_size)
{
	struct fault why = { "" };

	*ops = &source_timer;
	if (environment_is_preempt_rt()) {
		snprintf(note, note_size,
			 "kernel timer at the same rate, since on PREEMPT_RT the RTC's interrupt "
			 "comes by way of a low-priority thread");
		return 0;
	}
	if (!options->rtc_device && !rtc_default_device()) {
		snprintf(note, note_size,
			 "kernel timer at the same rate, since there is no /dev/rtc here");
		return 0;
	}
	if (probe(&source_rtc, options, &why)) {
		snprintf(note, note_size, "kernel timer at the same rate, since %s", why.text);
		return 0;
	}
	*ops = &source_rtc;
	snprintf(note, note_size, "%s",
		 options->rtc_device ? options->rtc_device : rtc_default_device());
	return 0;
}

int choose_source(const struct run_options *options, const struct source_ops **ops, char *note,
		  size_t note_size, struct fault *fault)
{
	int err;

	if (!strcmp(options->source, "auto"))
		return choose_auto(options, ops, note, note_size);
	*ops = source_find(options->source);
	err = probe(*ops, options, fault);
	if (err)
		return err;
	if (*ops == &source_rtc && environment_is_preempt_rt())
		snprintf(note, note_size,
			 "as asked; WARNING: on PREEMPT_RT its interrupt comes by way of a "
			 "low-priority thread, any busy real-time task makes it late");
	else
		snprintf(note, note_size, "as asked");
	return 0;
}
