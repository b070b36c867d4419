/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a phase is worth, and what the run's exit status says. */
#ifndef LT_RUN_JUDGE_H
#define LT_RUN_JUDGE_H

#include <jansson.h>

#include "measure/phase.h"
#include "report/evaluate.h"

/* Burn work further off nominal than this makes a phase suspect. */
#define JUDGE_BURN_TOLERANCE 0.02

/*
 * A card's crystal is within 200 ppm of nominal even when it is cheap and cold; five times that is
 * no crystal, but another rate, a resampler, or an emulation that gathers periods.
 */
#define JUDGE_DRIFT_PPM 1000.0
/* Wake-ups at the ends of a phase may be off by this many periods without any drift. */
#define JUDGE_DRIFT_PERIODS 2.0

/* More cycles without a time stamp than this share, and quantiles may miss the late ones. */
#define JUDGE_UNSTAMPED 0.01

/*
 * Sets "status" ("valid", "suspect", "invalid", "skipped", "interrupted") and "reasons" of a
 * phase object. evaluation is NULL where nothing was recorded.
 */
void judge_phase(json_t *phase, const struct phase_result *result,
		 const struct evaluation *evaluation, const struct stressor *stressor);

/*
 * Checks every phase against the limits in the run's conditions: sets "limits_breached" (an array
 * of lines) and returns the exit status.
 */
int judge_run(json_t *run);

#endif
