/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sound devices and timers there are. */
#ifndef LT_ALSA_DEVICES_H
#define LT_ALSA_DEVICES_H

#include <jansson.h>

#include "util/fault.h"

/*
 * Sets *cards to a new JSON array (the caller's), empty on a machine without sound cards, of
 *   { "card": n, "id", "name", "driver", "error": null or why the card cannot be asked,
 *     "devices": [ { "device": n, "hw": "hw:0,0", "id", "name",
 *                    "playback": bool, "playback_subdevices": n, "playback_free": n,
 *                    "capture": bool, "capture_subdevices": n, "capture_free": n } ] }
 * and for each direction that there is "playback_holders": who has it open ("" for nobody), and,
 * where not all of it is in use, what alsa_ask() finds. Subdevices are 0 where there is no such
 * direction. 0, or a negative errno with the reason; -ENOTSUP where latencytest was built without
 * ALSA. See alsa_quiet() for what this does to libasound.
 */
int alsa_devices(json_t **cards, struct fault *fault);

/*
 * The same for timers: { "timer": the name for --timer, "name", "resolution_ns", "clients": n }.
 * *timers is the caller's also after an error, and may then be NULL.
 */
int alsa_timers(json_t **timers, struct fault *fault);

#endif
