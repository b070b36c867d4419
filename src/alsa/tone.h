/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is played: silence, or a quiet sine. */
#ifndef LT_ALSA_TONE_H
#define LT_ALSA_TONE_H

#include <alsa/asoundlib.h>

#include "alsa/pcm_params.h"
#include "alsa/sources.h"

/* A tone is made once, as whole waves in a loop of locked memory. */
struct tone {
	snd_pcm_format_t format;
	unsigned int channels;
	void *loop;             /* NULL: silence */
	size_t loop_bytes;
	snd_pcm_uframes_t loop_frames, at;
	snd_pcm_channel_area_t areas[SOUND_MAX_CHANNELS];
};

/*
 * Readies it; tone_hz is met to 20 Hz (0: silence). 0, or a negative errno with the reason
 * in fault. End with tone_free().
 */
int tone_make(struct tone *tone, const struct pcm_setup *setup, double tone_hz,
		struct fault *fault);
void tone_free(struct tone *tone);

/* Both fill frames of a buffer from offset on; neither allocates nor calls the system. */
void tone_put(struct tone *tone, const snd_pcm_channel_area_t *areas,
		snd_pcm_uframes_t offset, snd_pcm_uframes_t frames);
void tone_put_silence(const struct tone *tone, const snd_pcm_channel_area_t *areas,
			snd_pcm_uframes_t offset, snd_pcm_uframes_t frames);

#endif
