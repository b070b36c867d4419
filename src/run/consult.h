/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `latencytest doctor` says of the conditions of a run. */
#ifndef LT_RUN_CONSULT_H
#define LT_RUN_CONSULT_H

#include <jansson.h>

#include "run/progress.h"
#include "run/run.h"

/*
 * Makes the quick checks, puts all findings into the run (whose environment is there already) as
 * "doctor", and warns of those under which the result does not represent the machine. Without
 * memory the run goes on without.
 */
void consult_doctor(json_t *run, const struct run_options *options, struct progress *progress);

#endif
