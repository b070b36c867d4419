/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pcm source: the interrupts of a sound card's stream. A tick is a frame; the thread wakes once
 * a cycle, and hands a cycle's frames over after the burn, as a synthesizer does.
 *
 * The buffer and, where the driver allows it, the stream's state are mapped into memory: in a cycle
 * poll() is the only system call, and nothing but an interrupt moves the pointer and its stamp.
 */
#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "alsa/pcm_errors.h"
#include "alsa/pcm_params.h"
#include "alsa/period.h"
#include "alsa/quiet.h"
#include "alsa/sources.h"
#include "alsa/tone.h"
#include "system/clock.h"

#define MAX_FDS 16
/* A device that says so often that it is ready when it is not never will be. */
#define MAX_IDLE_POLLS 10000

struct stream {
	snd_pcm_t *pcm;                /* NULL: this direction is not used */
	snd_pcm_uframes_t handed_over; /* frames written or taken since the start */
};

struct pcm_state {
	struct stream play, capture;
	struct stream *clocked;        /* the one that is waited for: capture where there is one */
	struct pollfd fds[MAX_FDS];
	unsigned int n_fds;
	bool linked;                   /* one start, stop and prepare for both */
	struct pcm_setup setup;
	struct period_clock clock;
	struct tone tone;
	snd_pcm_uframes_t owed_silence, owed; /* to be written: first silence, then the tone */
	char note[240];
};

/* ---- opening ---- */

static int open_stream(struct stream *stream, bool capture, const struct sound_params *asked,
		       struct pcm_setup *setup, struct fault *fault)
{
	int err = snd_pcm_open(&stream->pcm, asked->device,
			       capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK,
			       SND_PCM_NONBLOCK);

	if (err) {
		stream->pcm = NULL;
		return pcm_explain_open(asked->device, capture, err, fault);
	}
	return pcm_params_set(stream->pcm, asked, setup, fault);
}

/* Both directions must agree, or their periods would drift apart. */
static int open_duplex(struct pcm_state *state, const struct sound_params *asked,
		       struct fault *fault)
{
	struct pcm_setup other = { 0 };
	int err = open_stream(&state->capture, true, asked, &state->setup, fault);

	if (!err)
		err = open_stream(&state->play, false, asked, &other, fault);
	if (err)
		return err;
	if (other.rate_hz != state->setup.rate_hz || other.periods != state->setup.periods ||
	    other.period_frames != state->setup.period_frames)
		return fault_set(fault, -EINVAL, "--duplex: %s records at %u Hz with %u periods of "
				 "%lu frames, but plays at %u Hz with %u of %lu", asked->device,
				 state->setup.rate_hz, state->setup.periods,
				 state->setup.period_frames, other.rate_hz, other.periods,
				 other.period_frames);
	err = snd_pcm_link(state->capture.pcm, state->play.pcm);
	if (err)
		return fault_set(fault, err, "--duplex: %s cannot link its two directions: %s",
				 asked->device, snd_strerror(err));
	state->linked = true;
	return 0;
}

static int get_descriptors(struct pcm_state *state, const char *device, struct fault *fault)
{
	int n = snd_pcm_poll_descriptors_count(state->clocked->pcm);

	if (n > 0 && n <= MAX_FDS)
		n = snd_pcm_poll_descriptors(state->clocked->pcm, state->fds, MAX_FDS);
	if (n <= 0 || n > MAX_FDS)
		return fault_set(fault, -EINVAL, "--device %s: gives no descriptor to wait for",
				 device);
	state->n_fds = (unsigned int)n;
	return 0;
}

/* A cycle's periods have to leave some in the buffer that play or record meanwhile. */
static int check_buffer(const struct pcm_state *state, const struct sound_params *asked,
			struct fault *fault)
{
	if (asked->wakeups < state->setup.periods)
		return 0;
	return fault_set(fault, -EINVAL, "--wakeups %u: %s granted a buffer of %u periods; valid "
			 "is 1 to %u", asked->wakeups, asked->device, state->setup.periods,
			 state->setup.periods - 1);
}

static int pcm_open(void *memory, const struct source_params *params, struct fault *fault)
{
	const struct sound_params *asked = &params->sound;
	struct pcm_state *state = memory;
	int err;

	memset(state, 0, sizeof(*state));
	alsa_quiet();
	state->clocked = asked->capture || asked->duplex ? &state->capture : &state->play;
	if (asked->duplex)
		err = open_duplex(state, asked, fault);
	else
		err = open_stream(state->clocked, asked->capture, asked, &state->setup, fault);
	if (!err)
		err = check_buffer(state, asked, fault);
	if (!err)
		err = get_descriptors(state, asked->device, fault);
	if (!err)
		err = tone_make(&state->tone, &state->setup, asked->tone_hz, fault);
	if (err)
		return err;
	state->clock = (struct period_clock){
		.rate_hz = state->setup.rate_hz,
		.period = (uint32_t)state->setup.period_frames,
		.cycle = (uint32_t)(asked->wakeups * state->setup.period_frames),
		.of_kernel = snd_pcm_type(state->clocked->pcm) == SND_PCM_TYPE_HW,
	};
	pcm_params_note(&state->setup, asked, state->note, sizeof(state->note));
	return 0;
}

static void pcm_granted(const void *memory, struct source_grant *grant)
{
	const struct pcm_state *state = memory;

	grant->rate_hz = state->setup.rate_hz;
	grant->ticks_per_wait = (unsigned int)state->setup.period_frames;
	grant->buffer_waits = state->setup.periods;
	memcpy(grant->note, state->note, sizeof(grant->note));
}

static void pcm_close(void *memory)
{
	struct pcm_state *state = memory;

	if (state->linked)
		snd_pcm_unlink(state->play.pcm);
	if (state->play.pcm)
		snd_pcm_close(state->play.pcm);
	if (state->capture.pcm)
		snd_pcm_close(state->capture.pcm);
	state->play.pcm = state->capture.pcm = NULL;
	state->linked = false;
	tone_free(&state->tone);
}

/* ---- handing over ---- */

enum content { CONTENT_SILENCE, CONTENT_TONE, CONTENT_TAKEN };

/*
 * Hands over up to *frames, as many as there is room for (or as were recorded), and takes them off
 * *frames. 0 or a negative errno, -EPIPE after an xrun.
 */
static int hand_over(struct pcm_state *state, struct stream *stream, snd_pcm_uframes_t *frames,
		     enum content content)
{
	snd_pcm_sframes_t done = snd_pcm_avail_update(stream->pcm);

	while (done >= 0 && *frames) {
		const snd_pcm_channel_area_t *areas;
		snd_pcm_uframes_t offset, n = *frames;
		int err = snd_pcm_mmap_begin(stream->pcm, &areas, &offset, &n);

		if (err)
			return err;
		if (!n)
			break;
		if (content == CONTENT_TONE)
			tone_put(&state->tone, areas, offset, n);
		else if (content == CONTENT_SILENCE)
			tone_put_silence(&state->tone, areas, offset, n);
		done = snd_pcm_mmap_commit(stream->pcm, offset, n);
		if (done <= 0)
			break;
		stream->handed_over += (snd_pcm_uframes_t)done;
		*frames -= (snd_pcm_uframes_t)done;
	}
	return done < 0 ? (int)done : 0;
}

static int write_owed(struct pcm_state *state)
{
	int err = hand_over(state, &state->play, &state->owed_silence, CONTENT_SILENCE);

	if (!err && !state->owed_silence)
		err = hand_over(state, &state->play, &state->owed, CONTENT_TONE);
	return err;
}

/*
 * The loop's own count of missed cycles is not needed: what is due follows from the position, also
 * where an xrun lay between. An error is left for the next wait() to find, which tells it apart.
 */
static int pcm_complete(void *memory, uint32_t missed)
{
	struct pcm_state *state = memory;
	snd_pcm_uframes_t due = period_clock_serve(&state->clock), taken = due;
	int err = 0;

	(void)missed;
	if (!due)
		return 0;
	if (state->capture.pcm)
		err = hand_over(state, &state->capture, &taken, CONTENT_TAKEN);
	if (err || !state->play.pcm)
		return 0;
	state->owed_silence += due - state->clock.cycle;
	state->owed += state->clock.cycle;
	err = write_owed(state);
	/* In full duplex the playing side's own interrupt may yet have to come. */
	if (!err && state->capture.pcm && state->owed_silence + state->owed &&
	    !snd_pcm_hwsync(state->play.pcm))
		write_owed(state);
	return 0;
}

/* ---- starting ---- */

/*
 * Starts the stream from nothing, its buffer full of silence; *start_ns is when it started. 0 or a
 * negative errno.
 */
static int restart(struct pcm_state *state, int64_t *start_ns)
{
	snd_pcm_uframes_t fill = state->setup.periods * state->setup.period_frames;
	int err = 0;

	state->play.handed_over = state->capture.handed_over = 0;
	state->owed_silence = state->owed = 0;
	if (state->capture.pcm)
		err = snd_pcm_prepare(state->capture.pcm);
	if (!err && state->play.pcm)
		err = snd_pcm_prepare(state->play.pcm);
	if (!err && state->play.pcm)
		err = hand_over(state, &state->play, &fill, CONTENT_SILENCE);
	/* The position is reckoned from a full buffer. */
	if (!err && state->play.pcm && fill)
		err = -EIO;
	if (!err)
		err = snd_pcm_start(state->clocked->pcm);
	*start_ns = clock_now_ns();
	return err;
}

static int pcm_start(void *memory, int64_t *t0_ns, struct fault *fault)
{
	struct pcm_state *state = memory;
	int err = restart(state, t0_ns);

	if (err)
		return fault_set(fault, err, "the stream cannot be started: %s", snd_strerror(err));
	period_clock_start(&state->clock, *t0_ns);
	return 0;
}

static void pcm_stop(void *memory)
{
	struct pcm_state *state = memory;

	snd_pcm_drop(state->clocked->pcm);
}

/* ---- waiting ---- */

/*
 * The stream has stopped. After an xrun it is started again from here, by ioctls of the real-time
 * thread, the only ones beside the wait and the transfer: what is lost is lost anyway, and waiting
 * for another thread would lose more. Every other stop ends the phase.
 */
static int after_stop(struct pcm_state *state, int64_t now_ns, struct wake *wake)
{
	int64_t start_ns;
	int err;

	switch (snd_pcm_state(state->clocked->pcm)) {
	case SND_PCM_STATE_XRUN:
		err = restart(state, &start_ns);
		if (!err)
			period_clock_xrun(&state->clock, now_ns, start_ns, wake);
		return err;
	case SND_PCM_STATE_SUSPENDED:
		return -ESTRPIPE;
	case SND_PCM_STATE_DISCONNECTED:
		return -ENODEV;
	default:
		/* A device that is being unplugged refuses calls before its state tells. */
		return snd_pcm_hwsync(state->clocked->pcm) == -ENODEV ? -ENODEV : -EIO;
	}
}

/* Where the stream is, in frames since its start, and the stamp of its last interrupt. */
static int read_position(struct pcm_state *state, uint64_t *position, int64_t *stamp_ns)
{
	struct stream *stream = state->clocked;
	snd_pcm_uframes_t avail = 0;
	snd_htimestamp_t stamp = { 0, 0 };
	snd_pcm_sframes_t ready;
	int err = snd_pcm_htimestamp(stream->pcm, &avail, &stamp);

	if (err == -ENOSYS) {
		ready = snd_pcm_avail_update(stream->pcm);
		err = ready < 0 ? (int)ready : 0;
		avail = (snd_pcm_uframes_t)ready;
	}
	if (err)
		return err;
	*position = stream->handed_over + avail;
	if (stream == &state->play)
		*position -= state->setup.periods * state->setup.period_frames;
	*stamp_ns = LATENESS_UNKNOWN;
	if (state->setup.stamps && (stamp.tv_sec || stamp.tv_nsec))
		*stamp_ns = stamp.tv_sec * NS_PER_SEC + stamp.tv_nsec;
	return 0;
}

static int pcm_wait(void *memory, struct wake *wake)
{
	struct pcm_state *state = memory;

	for (unsigned int polls = 0; polls < MAX_IDLE_POLLS; polls++) {
		unsigned short events = 0;
		uint64_t position;
		int64_t now_ns, stamp_ns;
		int n = poll(state->fds, state->n_fds, -1);
		int err;

		now_ns = clock_now_ns();
		if (n < 0)
			return -errno;
		err = snd_pcm_poll_descriptors_revents(state->clocked->pcm, state->fds,
						       state->n_fds, &events);
		if (err < 0)
			return err;
		if (events & (POLLERR | POLLNVAL | POLLHUP))
			return after_stop(state, now_ns, wake);
		if (!(events & (POLLIN | POLLOUT)))
			continue;
		err = read_position(state, &position, &stamp_ns);
		if (err)
			return after_stop(state, now_ns, wake);
		if (period_clock_wake(&state->clock, position, stamp_ns, now_ns, wake))
			return 0;
	}
	return -EIO;
}

const struct source_ops source_pcm = {
	.name = "pcm",
	.summary = "periods of a sound card, playing, recording or both (--device)",
	.state_bytes = sizeof(struct pcm_state),
	.lateness = LATENESS_INTERRUPT,
	.any_rate = true,
	.min_hz = SOUND_MIN_HZ,
	.max_hz = SOUND_MAX_HZ,
	.library = "libasound.so",
	.open = pcm_open,
	.start = pcm_start,
	.stop = pcm_stop,
	.close = pcm_close,
	.wait = pcm_wait,
	.complete = pcm_complete,
	.granted = pcm_granted,
};
