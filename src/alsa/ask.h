/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a PCM device takes. */
#ifndef LT_ALSA_ASK_H
#define LT_ALSA_ASK_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Sets in object the keys PREFIX_rate_min_hz, _rate_max_hz, _period_min_frames, _periods_max and
 * PREFIX_channels_max for a direction of the device of that name. The device is opened for a
 * moment, never waited for, and no parameter is set: streams that run go on. 0 or a negative errno
 * (-EBUSY: all its substreams are in use); object is then left alone.
 */
int alsa_ask(json_t *object, const char *prefix, const char *name, bool capture);

#endif
