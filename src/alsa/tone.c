/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/tone.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

#include "system/rights.h"

#define LOOPS_PER_SECOND 20
#define AMPLITUDE 0.03 /* 30 dB below full scale */

/* Writes one sample, -1 <= value <= 1. */
static void put_sample(uint8_t *at, snd_pcm_format_t format, double value)
{
	int width = snd_pcm_format_width(format);
	int bytes = snd_pcm_format_physical_width(format) / 8;
	uint64_t bits;

	if (snd_pcm_format_float(format) == 1 && width == 64) {
		memcpy(&bits, &value, sizeof(bits));
	} else if (snd_pcm_format_float(format) == 1) {
		float single = (float)value;
		uint32_t single_bits;

		memcpy(&single_bits, &single, sizeof(single_bits));
		bits = single_bits;
	} else {
		double half = ldexp(1, width - 1);

		bits = (uint64_t)llround(value * (half - 1));
		if (snd_pcm_format_unsigned(format) == 1)
			bits += (uint64_t)half;
	}
	for (int i = 0; i < bytes; i++)
		at[snd_pcm_format_big_endian(format) == 1 ? bytes - 1 - i : i] =
			(uint8_t)(bits >> 8 * i);
}

static void fill_loop(struct tone *tone, size_t sample_bytes, unsigned int waves)
{
	uint8_t *at = tone->loop;

	for (snd_pcm_uframes_t frame = 0; frame < tone->loop_frames; frame++) {
		double phase = 2 * M_PI * waves * (double)frame / (double)tone->loop_frames;

		for (unsigned int channel = 0; channel < tone->channels; channel++) {
			put_sample(at, tone->format, AMPLITUDE * sin(phase));
			at += sample_bytes;
		}
	}
	tone->at = 0;
}

int tone_make(struct tone *tone, const struct pcm_setup *setup, double tone_hz,
		struct fault *fault)
{
	size_t bits = (size_t)snd_pcm_format_physical_width(setup->format), locked = 0;
	int err;

	tone->format = setup->format;
	tone->channels = setup->channels;
	tone->loop = NULL;
	if (!(tone_hz > 0))
		return 0;
	if ((snd_pcm_format_linear(setup->format) != 1 &&
	     snd_pcm_format_float(setup->format) != 1) || bits % 8)
		return fault_set(fault, -EINVAL, "--tone %g: not with --format %s; valid are "
				 "linear formats as S16_LE, and FLOAT_LE", tone_hz,
				 snd_pcm_format_name(setup->format));
	if (tone_hz * 2 > setup->rate_hz)
		return fault_set(fault, -EINVAL, "--tone %g: more than half of the rate, %u",
				 tone_hz, setup->rate_hz);
	tone->loop_frames = setup->rate_hz / LOOPS_PER_SECOND;
	tone->loop_bytes = tone->loop_frames * tone->channels * bits / 8;
	tone->loop = mmap(NULL, tone->loop_bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (tone->loop == MAP_FAILED) {
		tone->loop = NULL;
		return fault_set(fault, -errno, "no memory for --tone: %s", strerror(errno));
	}
	err = rights_lock(tone->loop, tone->loop_bytes, "the tone", &locked, fault);
	if (err) {
		tone_free(tone);
		return err;
	}
	for (unsigned int channel = 0; channel < tone->channels; channel++)
		tone->areas[channel] = (snd_pcm_channel_area_t){
			.addr = tone->loop, .first = (unsigned int)bits * channel,
			.step = (unsigned int)bits * tone->channels };
	fill_loop(tone, bits / 8, (unsigned int)lround(fmax(1, tone_hz / LOOPS_PER_SECOND)));
	return 0;
}

void tone_free(struct tone *tone)
{
	if (tone->loop)
		munmap(tone->loop, tone->loop_bytes);
	tone->loop = NULL;
}

void tone_put(struct tone *tone, const snd_pcm_channel_area_t *areas,
		snd_pcm_uframes_t offset, snd_pcm_uframes_t frames)
{
	if (!tone->loop) {
		tone_put_silence(tone, areas, offset, frames);
		return;
	}
	while (frames) {
		snd_pcm_uframes_t n = tone->loop_frames - tone->at;

		if (n > frames)
			n = frames;
		snd_pcm_areas_copy(areas, offset, tone->areas, tone->at, tone->channels, n,
				   tone->format);
		tone->at = (tone->at + n) % tone->loop_frames;
		offset += n;
		frames -= n;
	}
}

void tone_put_silence(const struct tone *tone, const snd_pcm_channel_area_t *areas,
			snd_pcm_uframes_t offset, snd_pcm_uframes_t frames)
{
	snd_pcm_areas_silence(areas, offset, tone->channels, frames, tone->format);
}
