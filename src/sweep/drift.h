/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the machine itself changed while a sweep went on. */
#ifndef LT_SWEEP_DRIFT_H
#define LT_SWEEP_DRIFT_H

#include <jansson.h>

#include "sweep/plan.h"

/*
 * For each phase and each key metric (overruns and missed cycles per expected cycle, p99 lateness,
 * p99 finish, max diff): rank correlation of position in the sequence with the value. The median of
 * its label is taken out of both first, so that what labels differ in is no drift. Corrected
 * together by Holm. runs[i] is the run.json of position i or NULL. An array of objects
 * {phase, metric, n, rho, p, p_adjusted, exact, shown} in which what is not known is null; NULL
 * without memory.
 */
json_t *drift_test(const struct plan *plan, json_t *const *runs);

/* What that means, as an array of plain sentences, one at least. */
json_t *drift_sentences(const json_t *drift, const struct plan *plan);

#endif
