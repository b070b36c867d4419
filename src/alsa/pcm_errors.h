/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a sound device cannot be opened, and the cure. */
#ifndef LT_ALSA_PCM_ERRORS_H
#define LT_ALSA_PCM_ERRORS_H

#include <stdbool.h>

#include "util/fault.h"

/* Each writes the reason into fault and returns err, the negative errno of the open. */
int pcm_explain_open(const char *device, bool capture, int err, struct fault *fault);
int alsa_timer_explain_open(const char *timer, int err, struct fault *fault);

#endif
