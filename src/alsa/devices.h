/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sound devices there are. */
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
 * Subdevices are 0 where there is no such direction. 0, or a negative errno with the reason;
 * -ENOTSUP where latencytest was built without ALSA. Silences the messages that libasound itself
 * prints, for good.
 */
int alsa_devices(json_t **cards, struct fault *fault);

#endif
