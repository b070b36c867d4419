/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which source drives a run, and why. */
#ifndef LT_RUN_CHOOSE_SOURCE_H
#define LT_RUN_CHOOSE_SOURCE_H

#include <stddef.h>

#include "measure/source.h"
#include "run/run.h"
#include "util/fault.h"

/*
 * The source asked for, opened once to see that it works; for `auto` the RTC, or the timer where
 * there is no RTC, it cannot be used, or the kernel is a PREEMPT_RT one. note tells which and why. 0 or a
 * negative errno with the reason in fault.
 */
int choose_source(const struct run_options *options, const struct source_ops **ops, char *note,
		  size_t note_size, struct fault *fault);

#endif
