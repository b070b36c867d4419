/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/ask.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdio.h>

static int put(json_t *object, const char *prefix, const char *what, unsigned long value)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s", prefix, what);
	return json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* Only reads the ranges of all that would be possible. */
static int read_ranges(json_t *object, const char *prefix, const snd_pcm_hw_params_t *hw)
{
	unsigned int rate_min, rate_max, periods_max, channels_max;
	snd_pcm_uframes_t period_min;
	int direction = 0, above = 0;

	if (snd_pcm_hw_params_get_rate_min(hw, &rate_min, &direction) ||
	    snd_pcm_hw_params_get_rate_max(hw, &rate_max, &direction) ||
	    snd_pcm_hw_params_get_period_size_min(hw, &period_min, &above) ||
	    snd_pcm_hw_params_get_periods_max(hw, &periods_max, &direction) ||
	    snd_pcm_hw_params_get_channels_max(hw, &channels_max))
		return -EINVAL;
	/* An open lower end of an interval is not itself allowed. */
	if (above > 0)
		period_min++;
	if (put(object, prefix, "rate_min_hz", rate_min) ||
	    put(object, prefix, "rate_max_hz", rate_max) ||
	    put(object, prefix, "period_min_frames", period_min) ||
	    put(object, prefix, "periods_max", periods_max) ||
	    put(object, prefix, "channels_max", channels_max))
		return -ENOMEM;
	return 0;
}

int alsa_ask(json_t *object, const char *prefix, const char *name, bool capture)
{
	snd_pcm_hw_params_t *hw = NULL;
	snd_pcm_t *pcm;
	int err = snd_pcm_open(&pcm, name,
			       capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK,
			       SND_PCM_NONBLOCK);

	if (err)
		return err == -EAGAIN ? -EBUSY : err;
	err = snd_pcm_hw_params_malloc(&hw);
	if (!err)
		err = snd_pcm_hw_params_any(pcm, hw);
	if (err >= 0)
		err = read_ranges(object, prefix, hw);
	snd_pcm_hw_params_free(hw);
	snd_pcm_close(pcm);
	return err;
}
