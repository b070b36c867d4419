/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting settings back: the one way in which it is done. */
#ifndef LT_SWEEP_RESTORE_H
#define LT_SWEEP_RESTORE_H

#include <stdbool.h>

#include "sweep/settings.h"

/*
 * Puts back the original value of each setting, the last one first, with read-back; then gives up
 * the locks. Says in dir what came of it (guardian.h).
 * Returns whether all was put back.
 */
bool restore(struct sweep_settings *settings, const char *dir);

#endif
