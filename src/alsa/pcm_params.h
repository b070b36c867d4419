/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Agreeing with a PCM device on hardware and software parameters. */
#ifndef LT_ALSA_PCM_PARAMS_H
#define LT_ALSA_PCM_PARAMS_H

#include <alsa/asoundlib.h>
#include <stdbool.h>

#include "measure/source.h"

/* What a stream was granted. */
struct pcm_setup {
	snd_pcm_format_t format;
	unsigned int rate_hz;
	unsigned int channels;
	snd_pcm_uframes_t period_frames;
	unsigned int periods;
	bool stamps; /* time stamps of its interrupts are CLOCK_MONOTONIC */
};

/*
 * Sets all parameters of an opened stream as near to those asked for as it allows: format and
 * channels as they are, the rate within 1 %, period and periods within a factor of two. 0 or a
 * negative errno; fault then names the parameter that was refused and the nearest allowed value.
 */
int pcm_params_set(snd_pcm_t *pcm, const struct sound_params *asked, struct pcm_setup *setup,
		   struct fault *fault);

/* How setup differs from what was asked for, in words; "" where it does not. */
void pcm_params_note(const struct pcm_setup *setup, const struct sound_params *asked, char *note,
		     size_t size);

#endif
