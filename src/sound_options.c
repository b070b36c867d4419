/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sound_options.h"

#include <string.h>

#include "alsa/sources.h"
#include "options.h"

#define MIN_TONE_HZ 20
#define MAX_TONE_HZ 20000

const struct sound_options sound_defaults = {
	.params = { .device = "default", .rate_hz = 48000, .period_frames = 64, .periods = 2,
		    .format = "S16_LE", .channels = 2 },
};

enum {
	OPT_DEVICE = 512, OPT_RATE, OPT_PERIOD_FRAMES, OPT_PERIODS, OPT_FORMAT, OPT_CHANNELS,
	OPT_CAPTURE, OPT_DUPLEX, OPT_TONE, OPT_TIMER,
};

static const struct argp_option option_table[] = {
	{ "device", OPT_DEVICE, "NAME", 0, "sound device, as ALSA names it: hw:0 (default)", 0 },
	{ "rate", OPT_RATE, "HZ", 0, "frames per second (48000)", 0 },
	{ "period-frames", OPT_PERIOD_FRAMES, "N", 0, "frames in a period (64)", 0 },
	{ "periods", OPT_PERIODS, "N", 0, "periods in the buffer (2)", 0 },
	{ "format", OPT_FORMAT, "NAME", 0, "of a sample: S16_LE, S24_3LE, S32_LE ... (S16_LE)", 0 },
	{ "channels", OPT_CHANNELS, "N", 0, "channels (2)", 0 },
	{ "capture", OPT_CAPTURE, NULL, 0, "record in place of playing", 0 },
	{ "duplex", OPT_DUPLEX, NULL, 0, "record and play, both directions linked", 0 },
	{ "tone", OPT_TONE, "HZ", 0, "play a quiet sine (silence)", 0 },
	{ "timer", OPT_TIMER, "NAME", 0,
	  "for --source alsa-timer, as hw:CLASS=1,SCLASS=-1,CARD=0,DEV=3,SUBDEV=0 (that: the "
	  "high-resolution timer)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static const char *name_of(int key)
{
	for (const struct argp_option *option = option_table; option->name; option++)
		if (option->key == key)
			return option->name;
	return NULL;
}

static const char *not_empty(const char *option, const char *text)
{
	if (!text[0])
		usage_error("%s \"\": valid is a name, see `latencytest list`", option);
	return text;
}

static unsigned int count(const char *option, const char *text, int64_t min, int64_t max)
{
	return (unsigned int)option_i64(option, text, min, max);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct sound_options *options = state->input;
	struct sound_params *params = &options->params;

	switch (key) {
	case OPT_DEVICE:
		params->device = not_empty("--device", arg);
		break;
	case OPT_RATE:
		params->rate_hz = count("--rate", arg, SOUND_MIN_HZ, SOUND_MAX_HZ);
		break;
	case OPT_PERIOD_FRAMES:
		params->period_frames = count("--period-frames", arg, 1, SOUND_MAX_PERIOD_FRAMES);
		break;
	case OPT_PERIODS:
		params->periods = count("--periods", arg, 2, SOUND_MAX_PERIODS);
		break;
	case OPT_FORMAT:
		params->format = not_empty("--format", arg);
		break;
	case OPT_CHANNELS:
		params->channels = count("--channels", arg, 1, SOUND_MAX_CHANNELS);
		break;
	case OPT_CAPTURE:
		params->capture = true;
		break;
	case OPT_DUPLEX:
		params->duplex = true;
		break;
	case OPT_TONE:
		params->tone_hz = option_double("--tone", arg, MIN_TONE_HZ, MAX_TONE_HZ);
		break;
	case OPT_TIMER:
		params->timer = not_empty("--timer", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (!options->pcm_option)
		options->pcm_option = name_of(key);
	return 0;
}

const struct argp sound_argp = { .options = option_table, .parser = parse_option };

bool sound_source(const char *source)
{
	return !strcmp(source, "pcm") || !strcmp(source, "alsa-timer");
}

void sound_options_check(const struct sound_options *options, const char *source,
			 unsigned int wakeups)
{
	const struct sound_params *params = &options->params;
	bool pcm = !strcmp(source, "pcm");

	if (options->pcm_option && !pcm)
		usage_error("--%s: goes with --source pcm only, not with %s", options->pcm_option,
			    source);
	if (params->timer && strcmp(source, "alsa-timer"))
		usage_error("--timer %s: goes with --source alsa-timer only, not with %s",
			    params->timer, source);
	if (params->capture && params->duplex)
		usage_error("--capture --duplex: valid is one of them");
	if (params->tone_hz > 0 && params->capture)
		usage_error("--tone %g: nothing is played with --capture; valid without, or with "
			    "--duplex", params->tone_hz);
	if (params->tone_hz * 2 > params->rate_hz)
		usage_error("--tone %g: valid is up to half of --rate %u", params->tone_hz,
			    params->rate_hz);
	if (pcm && wakeups >= params->periods)
		usage_error("--wakeups %u: a cycle of that many periods leaves none of --periods "
			    "%u for meanwhile; valid is 1 to %u", wakeups, params->periods,
			    params->periods - 1);
}
