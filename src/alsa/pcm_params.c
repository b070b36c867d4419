/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/pcm_params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A rate further off than this is another rate; a card's own steps are far finer. */
#define RATE_TOLERANCE 0.01

static int set_access(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const char *device,
		      struct fault *fault)
{
	int err = snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_MMAP_INTERLEAVED);

	if (err)
		err = snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_MMAP_NONINTERLEAVED);
	if (err)
		return fault_set(fault, err, "--device %s: its buffer cannot be mapped into "
				 "memory, which measuring needs; try plug%s", device, device);
	return 0;
}

/* "S16_LE, S32_LE" of what the device takes. */
static void list_formats(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, char *names, size_t size)
{
	names[0] = '\0';
	for (int format = 0; format <= SND_PCM_FORMAT_LAST; format++) {
		const char *name = snd_pcm_format_name((snd_pcm_format_t)format);
		size_t used = strlen(names);

		if (name && !snd_pcm_hw_params_test_format(pcm, hw, (snd_pcm_format_t)format))
			snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
	}
}

static int set_format(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
		      struct pcm_setup *setup, struct fault *fault)
{
	char names[200];
	int err;

	setup->format = snd_pcm_format_value(asked->format);
	if (setup->format == SND_PCM_FORMAT_UNKNOWN)
		return fault_set(fault, -EINVAL, "--format %s: no such format; valid are names as "
				 "S16_LE, S24_3LE, S32_LE, FLOAT_LE", asked->format);
	err = snd_pcm_hw_params_set_format(pcm, hw, setup->format);
	if (!err)
		return 0;
	list_formats(pcm, hw, names, sizeof(names));
	return fault_set(fault, err, "--format %s: refused by %s; it takes %s", asked->format,
			 asked->device, names);
}

static int set_channels(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
			struct pcm_setup *setup, struct fault *fault)
{
	unsigned int nearest = asked->channels;
	int err = snd_pcm_hw_params_set_channels(pcm, hw, asked->channels);

	setup->channels = asked->channels;
	if (!err)
		return 0;
	if (snd_pcm_hw_params_set_channels_near(pcm, hw, &nearest))
		return fault_set(fault, err, "--channels %u: refused by %s: %s", asked->channels,
				 asked->device, snd_strerror(err));
	return fault_set(fault, err, "--channels %u: refused by %s; the nearest it takes is %u",
			 asked->channels, asked->device, nearest);
}

static int set_rate(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
		    struct pcm_setup *setup, struct fault *fault)
{
	double off;
	int direction = 0, err;

	setup->rate_hz = asked->rate_hz;
	err = snd_pcm_hw_params_set_rate_near(pcm, hw, &setup->rate_hz, &direction);
	if (err)
		return fault_set(fault, err, "--rate %u: refused by %s: %s", asked->rate_hz,
				 asked->device, snd_strerror(err));
	off = (double)setup->rate_hz - (double)asked->rate_hz;
	if (off > RATE_TOLERANCE * asked->rate_hz || off < -RATE_TOLERANCE * asked->rate_hz)
		return fault_set(fault, -EINVAL,
				 "--rate %u: refused by %s; the nearest it takes is %u",
				 asked->rate_hz, asked->device, setup->rate_hz);
	return 0;
}

static bool within_factor_two(unsigned long granted, unsigned long asked)
{
	return granted <= 2 * asked && asked <= 2 * granted;
}

static int set_period(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
		      struct pcm_setup *setup, struct fault *fault)
{
	int direction = 0, err;

	setup->period_frames = asked->period_frames;
	err = snd_pcm_hw_params_set_period_size_near(pcm, hw, &setup->period_frames, &direction);
	if (err)
		return fault_set(fault, err, "--period-frames %u: refused by %s: %s",
				 asked->period_frames, asked->device, snd_strerror(err));
	if (!within_factor_two(setup->period_frames, asked->period_frames))
		return fault_set(fault, -EINVAL, "--period-frames %u: refused by %s; the nearest "
				 "it takes at %u Hz is %lu", asked->period_frames, asked->device,
				 setup->rate_hz, setup->period_frames);
	return 0;
}

static int set_periods(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
		       struct pcm_setup *setup, struct fault *fault)
{
	int direction = 0, err;

	/* Not every device has a choice here; what it grants is checked below. */
	snd_pcm_hw_params_set_periods_integer(pcm, hw);
	setup->periods = asked->periods;
	err = snd_pcm_hw_params_set_periods_near(pcm, hw, &setup->periods, &direction);
	if (err)
		return fault_set(fault, err, "--periods %u: refused by %s: %s", asked->periods,
				 asked->device, snd_strerror(err));
	if (!within_factor_two(setup->periods, asked->periods))
		return fault_set(fault, -EINVAL, "--periods %u: refused by %s; the nearest it "
				 "takes with periods of %lu frames is %u", asked->periods,
				 asked->device, setup->period_frames, setup->periods);
	return 0;
}

static int set_hardware(snd_pcm_t *pcm, snd_pcm_hw_params_t *hw, const struct sound_params *asked,
			struct pcm_setup *setup, struct fault *fault)
{
	snd_pcm_uframes_t buffer;
	int direction = 0;
	int err = snd_pcm_hw_params_any(pcm, hw);

	if (err < 0)
		return fault_set(fault, err, "--device %s: no parameters at all: %s", asked->device,
				 snd_strerror(err));
	err = set_access(pcm, hw, asked->device, fault);
	if (!err)
		err = set_format(pcm, hw, asked, setup, fault);
	if (!err)
		err = set_channels(pcm, hw, asked, setup, fault);
	if (!err)
		err = set_rate(pcm, hw, asked, setup, fault);
	if (!err)
		err = set_period(pcm, hw, asked, setup, fault);
	if (!err)
		err = set_periods(pcm, hw, asked, setup, fault);
	if (err)
		return err;
	err = snd_pcm_hw_params(pcm, hw);
	if (!err)
		err = snd_pcm_hw_params_get_period_size(hw, &setup->period_frames, &direction);
	if (!err)
		err = snd_pcm_hw_params_get_buffer_size(hw, &buffer);
	if (!err)
		err = snd_pcm_hw_params_get_rate(hw, &setup->rate_hz, &direction);
	if (err)
		return fault_set(fault, err, "--device %s: refuses %u Hz with %u periods of %u "
				 "frames: %s", asked->device, asked->rate_hz, asked->periods,
				 asked->period_frames, snd_strerror(err));
	if (!setup->period_frames || buffer % setup->period_frames)
		return fault_set(fault, -EINVAL, "--device %s: a buffer of %lu frames is no whole "
				 "number of periods of %lu", asked->device, buffer,
				 setup->period_frames);
	setup->periods = (unsigned int)(buffer / setup->period_frames);
	return 0;
}

/* Wakes once a cycle, stops at an xrun, starts by hand, stamps its interrupts. */
static int set_software(snd_pcm_t *pcm, snd_pcm_sw_params_t *sw, const struct sound_params *asked,
			struct pcm_setup *setup)
{
	snd_pcm_uframes_t boundary;
	snd_pcm_tstamp_type_t type;
	int err = snd_pcm_sw_params_current(pcm, sw);

	if (!err)
		err = snd_pcm_sw_params_get_boundary(sw, &boundary);
	if (!err)
		err = snd_pcm_sw_params_set_avail_min(pcm, sw,
						      asked->wakeups * setup->period_frames);
	if (!err)
		err = snd_pcm_sw_params_set_start_threshold(pcm, sw, boundary);
	if (!err)
		err = snd_pcm_sw_params_set_stop_threshold(pcm, sw,
							   setup->periods * setup->period_frames);
	if (!err)
		err = snd_pcm_sw_params_set_tstamp_mode(pcm, sw, SND_PCM_TSTAMP_ENABLE);
	if (err)
		return err;
	setup->stamps =
		!snd_pcm_sw_params_set_tstamp_type(pcm, sw, SND_PCM_TSTAMP_TYPE_MONOTONIC) &&
		!snd_pcm_sw_params(pcm, sw) && !snd_pcm_sw_params_get_tstamp_type(sw, &type) &&
		type == SND_PCM_TSTAMP_TYPE_MONOTONIC;
	if (setup->stamps)
		return 0;
	snd_pcm_sw_params_set_tstamp_type(pcm, sw, SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY);
	return snd_pcm_sw_params(pcm, sw);
}

int pcm_params_set(snd_pcm_t *pcm, const struct sound_params *asked, struct pcm_setup *setup,
		   struct fault *fault)
{
	snd_pcm_hw_params_t *hw = NULL;
	snd_pcm_sw_params_t *sw = NULL;
	int err = snd_pcm_hw_params_malloc(&hw);

	if (!err)
		err = snd_pcm_sw_params_malloc(&sw);
	if (err) {
		fault_set(fault, err, "no memory");
	} else {
		err = set_hardware(pcm, hw, asked, setup, fault);
		if (!err && (err = set_software(pcm, sw, asked, setup)))
			fault_set(fault, err, "--device %s: its software parameters cannot be set: "
				  "%s", asked->device, snd_strerror(err));
	}
	snd_pcm_hw_params_free(hw);
	snd_pcm_sw_params_free(sw);
	return err;
}

static void add_difference(char *note, size_t size, const char *what, unsigned long granted,
			   unsigned long asked)
{
	size_t used = strlen(note);

	if (granted != asked)
		snprintf(note + used, size - used, "%s%s %lu where %lu was asked for",
			 used ? ", " : "granted ", what, granted, asked);
}

void pcm_params_note(const struct pcm_setup *setup, const struct sound_params *asked, char *note,
		     size_t size)
{
	note[0] = '\0';
	add_difference(note, size, "rate", setup->rate_hz, asked->rate_hz);
	add_difference(note, size, "period frames", setup->period_frames, asked->period_frames);
	add_difference(note, size, "periods", setup->periods, asked->periods);
}
