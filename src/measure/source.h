/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source wakes the measuring thread: /dev/rtc, a kernel timer, a sound card. Each is one
 * file that ends in one struct source_ops; source.c lists them.
 */
#ifndef LT_MEASURE_SOURCE_H
#define LT_MEASURE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/fault.h"

/* What a PCM or ALSA timer source is asked for; the kernel's own sources pass it over. */
struct sound_params {
	const char *device;      /* PCM name, as hw:0 */
	const char *timer;       /* ALSA timer, as hw:CLASS=...,SCLASS=...; NULL: the hrtimer */
	unsigned int rate_hz;    /* frames per second */
	unsigned int period_frames;
	unsigned int periods;    /* of the buffer */
	const char *format;      /* as libasound names it: S16_LE */
	unsigned int channels;
	bool capture, duplex;    /* neither: playback */
	double tone_hz;          /* 0: silence */
	unsigned int wakeups;    /* periods in a cycle */
};

struct source_params {
	unsigned int rate_hz;    /* ticks per second */
	const char *rtc_device;  /* NULL: /dev/rtc0, then /dev/rtc */
	struct sound_params sound;
};

/*
 * What the device grants, where that is for it to say: sound cards do not take every rate and
 * period. There a tick is a frame, so that a period of 64 frames at 44100 Hz is exact.
 */
struct source_grant {
	unsigned int rate_hz;        /* ticks per second */
	unsigned int ticks_per_wait; /* frames in a period; 1 where a tick is what is waited for */
	unsigned int buffer_waits;   /* periods in the buffer: the default deadline; 0: no buffer */
	char note[240];              /* how that differs from what was asked, or "" */
};

/* How lateness is known (see struct source_ops). Stored in sample files: numbers never change. */
enum lateness_kind {
	LATENESS_EXACT = 1,  /* due times are known: tick j is due at t0 + floor(j * 10^9 / rate) */
	LATENESS_FITTED = 2, /* due times are t0 + phase + j * slope, the phase fitted afterwards */
	LATENESS_INTERRUPT = 3, /* the source tells it with each wake-up */
};

#define LATENESS_UNKNOWN INT64_MIN

/* One return from wait(). */
struct wake {
	/* CLOCK_MONOTONIC, read straight after the wait; before it, one made not long ago, or 0. */
	int64_t now_ns;
	int64_t lateness_ns; /* LATENESS_INTERRUPT sources only, else LATENESS_UNKNOWN */
	uint64_t ticks;      /* ticks since the wait before, the one waited for included (>= 1) */
	uint32_t xruns;      /* buffer underruns and overruns since the wait before */
};

struct source_ops {
	const char *name;
	const char *summary;   /* one line for `latencytest list` */
	size_t state_bytes;    /* the source's state; it lies in the locked memory of the thread */
	enum lateness_kind lateness;
	bool any_rate;         /* takes every whole rate, not powers of two alone */
	unsigned int min_hz;
	unsigned int max_hz;
	const char *library;   /* name, or its beginning, of one that wait() runs in */

	/*
	 * Called at ordinary priority, never from the measuring thread: open() readies the device
	 * (0 or a negative errno with the reason in fault), start() makes it tick and tells when
	 * tick 0 was, stop() ends the ticks, close() undoes open() and may follow any of them.
	 */
	int (*open)(void *state, const struct source_params *params, struct fault *fault);
	int (*start)(void *state, int64_t *t0_ns, struct fault *fault);
	void (*stop)(void *state);
	void (*close)(void *state);

	/*
	 * Called from the measuring thread: blocks until the next tick that was not yet reported
	 * (returns at once when that has passed) and allocates, locks and prints nothing. 0,
	 * -EINTR after a signal (nothing is lost: call again), or another negative errno.
	 */
	int (*wait)(void *state, struct wake *wake);

	/*
	 * Called from the measuring thread after the burn, where not NULL: hands the work of this
	 * cycle and of `missed` ones before it to the device. 0 or a negative errno.
	 */
	int (*complete)(void *state, uint32_t missed);

	/* What open() was granted; NULL where the parameters are taken as they are. */
	void (*granted)(const void *state, struct source_grant *grant);

	/* ns from one tick to the next on the due grid of a LATENESS_FITTED source. */
	int64_t (*slope_ns)(unsigned int rate_hz);
};

/* The table, ended by NULL, in the order in which `auto` tries them. */
extern const struct source_ops *const sources[];

/* The source of that name or NULL. */
const struct source_ops *source_find(const char *name);

#endif
