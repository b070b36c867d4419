/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/pcm_errors.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "alsa/holders.h"
#include "util/number.h"

#define AUDIO_GROUP "no permission for /dev/snd: join the audio group (usermod -aG audio NAME) " \
		    "and log in again, or run as root"

/* The card and the device in names like hw:0,1 and plughw:CARD=Dummy,DEV=0; -1 where not told. */
static void parse_name(const char *name, int *card, int *device)
{
	char copy[96], *card_text, *device_text = NULL, *comma;
	int64_t value;

	*card = *device = -1;
	snprintf(copy, sizeof(copy), "%s", name);
	card_text = strchr(copy, ':');
	if (!card_text)
		return;
	card_text++;
	comma = strchr(card_text, ',');
	if (comma) {
		*comma = '\0';
		device_text = comma + 1;
		device_text[strcspn(device_text, ",")] = '\0';
		if (!strncmp(device_text, "DEV=", 4))
			device_text += 4;
	}
	if (!strncmp(card_text, "CARD=", 5))
		card_text += 5;
	*card = snd_card_get_index(card_text);
	if (!number_i64(device_text ? device_text : "0", 0, 1000, &value))
		*device = (int)value;
}

static int explain_busy(const char *device, bool capture, int err, struct fault *fault)
{
	char holders[200];
	int card, number;

	parse_name(device, &card, &number);
	if (!alsa_holders(card, number, capture ? 'c' : 'p', holders, sizeof(holders)) &&
	    !alsa_holders(card, -1, 0, holders, sizeof(holders)))
		return fault_set(fault, err, "--device %s: busy: another program has it open, and "
				 "/proc/asound does not tell which", device);
	/* A name like "default" does not tell the card: then it is one that is in use. */
	return fault_set(fault, err, "--device %s: busy: %s %s", device,
			 card < 0 ? "may be held by" : "held by", holders);
}

/* Whether there are cards, none of which this user may open: libasound then knows of no card. */
static bool all_forbidden(void)
{
	bool forbidden = false;
	glob_t found;

	if (glob("/dev/snd/controlC*", 0, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		forbidden = access(found.gl_pathv[i], R_OK | W_OK) && errno == EACCES;
		if (!forbidden)
			break;
	}
	globfree(&found);
	return forbidden;
}

int pcm_explain_open(const char *device, bool capture, int err, struct fault *fault)
{
	const char *direction = capture ? "capture" : "playback";

	if ((err == -ENOENT || err == -ENODEV) && all_forbidden())
		err = -EACCES;
	switch (-err) {
	case EBUSY:
	case EAGAIN:
		return explain_busy(device, capture, err, fault);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return fault_set(fault, err, "--device %s: no such device for %s (%s); "
				 "`latencytest list` shows those there are", device, direction,
				 snd_strerror(err));
	case EACCES:
	case EPERM:
		return fault_set(fault, err, "--device %s: %s", device, AUDIO_GROUP);
	default:
		return fault_set(fault, err, "--device %s: cannot be opened for %s: %s", device,
				 direction, snd_strerror(err));
	}
}

int alsa_timer_explain_open(const char *timer, int err, struct fault *fault)
{
	switch (-err) {
	case EBUSY:
		return fault_set(fault, err, "--timer %s: busy: it takes no further user", timer);
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return fault_set(fault, err, "--timer %s: no such timer (%s): load snd-hrtimer for "
				 "the default; `latencytest list` shows those there are", timer,
				 snd_strerror(err));
	case EACCES:
	case EPERM:
		return fault_set(fault, err, "--timer %s: %s", timer, AUDIO_GROUP);
	default:
		return fault_set(fault, err, "--timer %s: cannot be opened: %s", timer,
				 snd_strerror(err));
	}
}
