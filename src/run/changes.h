/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of the machine that change while a run goes on: its phases are no longer of one kind. */
#ifndef LT_RUN_CHANGES_H
#define LT_RUN_CHANGES_H

#include <jansson.h>

#include "system/environment.h"

/*
 * After a phase: compares settings as of environment_settings(), key by key: at the start of the
 * run, before the phase, and now. What changed in the phase becomes a line of the run's
 * "environment_changes" (made here, empty where nothing changed); that, and what is no longer as at
 * the start, becomes a reason of the phase, and a valid phase becomes a suspect one. What is not
 * known is no change. A skipped phase gets no reasons. before is brought up to date.
 */
void changes_note(json_t *run, json_t *phase, const json_t *start, json_t *before,
		  const json_t *now);

/*
 * The same on this machine, as params tell; the start is the run's "environment". *before is NULL
 * for the first phase; the caller json_decref()s it after the last.
 */
void changes_check(json_t *run, json_t *phase, const struct environment_params *params,
		   json_t **before);

#endif
