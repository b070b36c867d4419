/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What run.json holds: the conditions, then each phase, then the end. */
#ifndef LT_RUN_RECORD_H
#define LT_RUN_RECORD_H

#include <jansson.h>

#include "measure/burner.h"
#include "measure/phase.h"
#include "run/choose_source.h"
#include "run/run.h"
#include "system/clock_watch.h"

/*
 * A new run object, status "running", with conditions, calibration, clock and environment and no
 * phases yet. NULL without memory.
 */
json_t *record_run(const struct run_options *options, const struct source_choice *choice,
		   const struct run_timing *timing, const struct calibration *calibration,
		   uint64_t loops);

/*
 * Evaluates the phase's sample file and adds the phase to the run. The new phase object (owned by
 * the run), or NULL without memory.
 */
json_t *record_phase(json_t *run, const struct phase_params *params,
		     const struct phase_result *result, struct fault *fault);

/* Adds a line to "incidents": what befell the run besides what its phases tell. */
void record_incident(json_t *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What the other clocks did meanwhile: "clock" gets it, "incidents" where it needs to be known. */
void record_clocks(json_t *run, const struct clock_watch *watch);

/* Sets the final status ("complete", "interrupted", "failed") and the time. */
void record_end(json_t *run, const char *status);

#endif
