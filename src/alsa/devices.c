/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "alsa/devices.h"

#include <errno.h>

#ifdef HAVE_ALSA

#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "alsa/ask.h"
#include "alsa/holders.h"
#include "alsa/quiet.h"
#include "system/facts.h"

/* What one direction of a device has. */
struct direction {
	bool present;
	unsigned int subdevices;
	unsigned int free;
	char id[80];
	char name[96];
};

static void ask_direction(snd_ctl_t *ctl, unsigned int device, snd_pcm_stream_t stream,
			  struct direction *direction)
{
	snd_pcm_info_t *info;

	memset(direction, 0, sizeof(*direction));
	if (snd_pcm_info_malloc(&info) < 0)
		return;
	snd_pcm_info_set_device(info, device);
	snd_pcm_info_set_subdevice(info, 0);
	snd_pcm_info_set_stream(info, stream);
	if (!snd_ctl_pcm_info(ctl, info)) {
		direction->present = true;
		direction->subdevices = snd_pcm_info_get_subdevices_count(info);
		direction->free = snd_pcm_info_get_subdevices_avail(info);
		snprintf(direction->id, sizeof(direction->id), "%s", snd_pcm_info_get_id(info));
		snprintf(direction->name, sizeof(direction->name), "%s",
			 snd_pcm_info_get_name(info));
	}
	snd_pcm_info_free(info);
}

/* What the direction can do, and who has it. */
static int describe_direction(json_t *object, const char *hw, int card, int device,
			      const struct direction *direction, bool capture)
{
	const char *prefix = capture ? "capture" : "playback";
	char key[32], holders[200];

	if (!direction->present)
		return 0;
	snprintf(key, sizeof(key), "%s_holders", prefix);
	alsa_holders(card, device, capture ? 'c' : 'p', holders, sizeof(holders));
	if (facts_text(object, key, holders))
		return -ENOMEM;
	/* One that has no substream left is not bothered. */
	return direction->free && alsa_ask(object, prefix, hw, capture) == -ENOMEM ? -ENOMEM : 0;
}

static int add_device(json_t *devices, snd_ctl_t *ctl, int card, int device)
{
	struct direction play, capture;
	const struct direction *named;
	json_t *object;
	char hw[32];

	ask_direction(ctl, (unsigned int)device, SND_PCM_STREAM_PLAYBACK, &play);
	ask_direction(ctl, (unsigned int)device, SND_PCM_STREAM_CAPTURE, &capture);
	named = play.present ? &play : &capture;
	snprintf(hw, sizeof(hw), "hw:%d,%d", card, device);
	object = json_pack("{s:i, s:s, s:b, s:i, s:i, s:b, s:i, s:i}", "device", device, "hw", hw,
			   "playback", play.present,
			   "playback_subdevices", (int)play.subdevices,
			   "playback_free", (int)play.free,
			   "capture", capture.present,
			   "capture_subdevices", (int)capture.subdevices,
			   "capture_free", (int)capture.free);
	if (facts_text(object, "id", named->id) || facts_text(object, "name", named->name) ||
	    describe_direction(object, hw, card, device, &play, false) ||
	    describe_direction(object, hw, card, device, &capture, true)) {
		json_decref(object);
		return -ENOMEM;
	}
	return json_array_append_new(devices, object) ? -ENOMEM : 0;
}

/* Fills object with what the opened card tells. 0 or a negative errno. */
static int ask_card(json_t *object, snd_ctl_t *ctl, int card)
{
	json_t *devices = json_object_get(object, "devices");
	snd_ctl_card_info_t *info;
	int device = -1;
	int err = snd_ctl_card_info_malloc(&info);

	if (err < 0)
		return err;
	err = snd_ctl_card_info(ctl, info);
	if (!err &&
	    (facts_text(object, "id", snd_ctl_card_info_get_id(info)) ||
	     facts_text(object, "name", snd_ctl_card_info_get_name(info)) ||
	     facts_text(object, "driver", snd_ctl_card_info_get_driver(info))))
		err = -ENOMEM;
	snd_ctl_card_info_free(info);
	while (!err) {
		err = snd_ctl_pcm_next_device(ctl, &device);
		if (err || device < 0)
			break;
		err = add_device(devices, ctl, card, device);
	}
	return err;
}

/* A card that cannot be asked is listed too, with the reason. */
static int add_card(json_t *cards, int card)
{
	json_t *object = json_pack("{s:i, s:n, s:n, s:n, s:n, s:[]}", "card", card, "id", "name",
				   "driver", "error", "devices");
	snd_ctl_t *ctl;
	char hw[32];
	int err;

	if (!object)
		return -ENOMEM;
	snprintf(hw, sizeof(hw), "hw:%d", card);
	err = snd_ctl_open(&ctl, hw, 0);
	if (!err) {
		err = ask_card(object, ctl, card);
		snd_ctl_close(ctl);
	}
	if (err && err != -ENOMEM)
		err = facts_text(object, "error", snd_strerror(err)) ? -ENOMEM : 0;
	if (err) {
		json_decref(object);
		return err;
	}
	return json_array_append_new(cards, object) ? -ENOMEM : 0;
}

int alsa_devices(json_t **cards, struct fault *fault)
{
	json_t *array = json_array();
	int card = -1;
	int err = array ? 0 : -ENOMEM;

	*cards = NULL;
	alsa_quiet();
	while (!err) {
		err = snd_card_next(&card);
		if (err || card < 0)
			break;
		err = add_card(array, card);
	}
	snd_config_update_free_global();
	if (err) {
		json_decref(array);
		return fault_set(fault, err, "cannot list the sound cards: %s",
				 snd_strerror(err));
	}
	*cards = array;
	return 0;
}

#else

int alsa_devices(json_t **cards, struct fault *fault)
{
	*cards = NULL;
	return fault_set(fault, -ENOTSUP, "built without ALSA (--without-alsa)");
}

#endif
