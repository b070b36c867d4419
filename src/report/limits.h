/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A phase against the limits that its run was given. */
#ifndef LT_REPORT_LIMITS_H
#define LT_REPORT_LIMITS_H

#include <jansson.h>
#include <stdbool.h>

/* Whether the run was given any limit at all. */
bool limits_given(const json_t *run);

/*
 * Appends to `breached` one line for each limit of the run that the phase breaks, and one where a
 * limit was given and the phase is skipped or suspect, so that nothing can be said. Returns
 * whether it appended any. Phases that are invalid are not its business.
 */
bool limits_check(const json_t *run, const json_t *phase, json_t *breached);

#endif
