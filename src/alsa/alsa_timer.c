/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The alsa-timer source: ALSA's timer interface, which sequencers go by. Each event carries the
 * time at which the kernel's timer fired.
 */
#include <alsa/asoundlib.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "alsa/pcm_errors.h"
#include "alsa/period.h"
#include "alsa/quiet.h"
#include "alsa/sources.h"
#include "system/clock.h"

/* The global timer 3 is the high-resolution one, of the module snd-hrtimer. */
#define DEFAULT_TIMER "hw:CLASS=1,SCLASS=-1,CARD=0,DEV=3,SUBDEV=0"
#define QUEUE_EVENTS 128
/* How far a rate may be off a whole number of Hz by the rounding of the interval. */
#define WHOLE_TOLERANCE 2e-6

struct timer_state {
	snd_timer_t *timer;
	unsigned int rate_hz;    /* granted */
	long interval;           /* in the timer's own resolution */
	int64_t interval_ns;
	unsigned int wakeups;    /* ticks of a cycle */
	uint64_t told;           /* ticks since the start */
	int64_t last_ns;         /* stamp of the last event that was told */
	snd_timer_tread_t events[QUEUE_EVENTS];
	char note[240];
};

/* Sets rate_hz and interval: the nearest whole rate that the resolution allows. */
static int choose_interval(struct timer_state *state, long resolution_ns, const char *name,
			   unsigned int asked_hz, struct fault *fault)
{
	long interval = lround(1e9 / asked_hz / (double)resolution_ns);

	if (interval < 1)
		interval = 1;
	for (; interval > 0; interval--) {
		double rate = 1e9 / ((double)interval * (double)resolution_ns);
		double whole = round(rate);

		if (whole < 1 || fabs(rate - whole) > WHOLE_TOLERANCE * rate)
			continue;
		/* Going on to shorter intervals never comes nearer than this one. */
		if (whole > ALSA_TIMER_MAX_HZ)
			break;
		state->rate_hz = (unsigned int)whole;
		state->interval = interval;
		state->interval_ns = interval * resolution_ns;
		return 0;
	}
	return fault_set(fault, -EINVAL, "--rtc %u: no whole rate near to it with --timer %s, "
			 "which has a resolution of %ld ns", asked_hz, name, resolution_ns);
}

static int set_params(struct timer_state *state, const char *name, unsigned int asked_hz,
		      struct fault *fault)
{
	snd_timer_params_t *params = NULL;
	snd_timer_info_t *info = NULL;
	long resolution_ns;
	int err = snd_timer_info_malloc(&info);

	if (!err)
		err = snd_timer_params_malloc(&params);
	if (!err)
		err = snd_timer_info(state->timer, info);
	if (err) {
		fault_set(fault, err, "--timer %s: %s", name, snd_strerror(err));
	} else {
		resolution_ns = snd_timer_info_get_resolution(info);
		if (snd_timer_info_is_slave(info) || resolution_ns < 1)
			err = fault_set(fault, -EINVAL, "--timer %s: has no rate of its own", name);
		else
			err = choose_interval(state, resolution_ns, name, asked_hz, fault);
	}
	if (!err) {
		snd_timer_params_set_auto_start(params, 1);
		snd_timer_params_set_ticks(params, state->interval);
		snd_timer_params_set_queue_size(params, QUEUE_EVENTS);
		snd_timer_params_set_filter(params, 1 << SND_TIMER_EVENT_TICK);
		err = snd_timer_params(state->timer, params);
		if (err)
			fault_set(fault, err, "--timer %s: refuses %u Hz: %s", name, state->rate_hz,
				  snd_strerror(err));
	}
	snd_timer_info_free(info);
	snd_timer_params_free(params);
	return err;
}

static int timer_open(void *memory, const struct source_params *params, struct fault *fault)
{
	const char *name = params->sound.timer ? params->sound.timer : DEFAULT_TIMER;
	struct timer_state *state = memory;
	int err;

	memset(state, 0, sizeof(*state));
	state->wakeups = params->sound.wakeups;
	alsa_quiet();
	err = snd_timer_open(&state->timer, name, SND_TIMER_OPEN_TREAD);
	if (err) {
		state->timer = NULL;
		return alsa_timer_explain_open(name, err, fault);
	}
	err = set_params(state, name, params->rate_hz, fault);
	if (!err && state->rate_hz != params->rate_hz)
		snprintf(state->note, sizeof(state->note),
			 "granted %u Hz where %u were asked for", state->rate_hz, params->rate_hz);
	return err;
}

static void timer_granted(const void *memory, struct source_grant *grant)
{
	const struct timer_state *state = memory;

	grant->rate_hz = state->rate_hz;
	grant->ticks_per_wait = 1;
	grant->buffer_waits = 0;
	memcpy(grant->note, state->note, sizeof(grant->note));
}

static int timer_start(void *memory, int64_t *t0_ns, struct fault *fault)
{
	struct timer_state *state = memory;
	int err = snd_timer_start(state->timer);

	*t0_ns = clock_now_ns();
	state->last_ns = *t0_ns;
	state->told = 0;
	if (err)
		fault_set(fault, err, "the timer cannot be started: %s", snd_strerror(err));
	return err;
}

/* Whole intervals that fit in a time; 0 for a negative one. */
static uint64_t intervals_in(const struct timer_state *state, int64_t ns)
{
	return ns > 0 ? (uint64_t)(ns / state->interval_ns) : 0;
}

static int timer_wait(void *memory, struct wake *wake)
{
	struct timer_state *state = memory;
	/* Ticks from here to the one at which the cycle is due. */
	uint64_t needed = state->wakeups - state->told % state->wakeups;
	ssize_t bytes = snd_timer_read(state->timer, state->events, sizeof(state->events));
	size_t n;

	wake->now_ns = clock_now_ns();
	if (bytes < 0)
		return (int)bytes;
	n = (size_t)bytes / sizeof(state->events[0]);
	wake->ticks = 0;
	wake->xruns = 0;
	for (size_t i = 0; i < n; i++) {
		const snd_timer_tread_t *event = &state->events[i];
		int64_t stamp_ns = event->tstamp.tv_sec * NS_PER_SEC + event->tstamp.tv_nsec;

		if (event->event != SND_TIMER_EVENT_TICK)
			continue;
		wake->ticks += timer_event_ticks(event->val, stamp_ns - state->last_ns,
						 state->interval_ns / state->interval,
						 (uint64_t)state->interval);
		state->last_ns = stamp_ns;
	}
	if (!wake->ticks)
		return -EIO;
	/* The queue was full: what came after its last event is lost, and told by its time. */
	if (n == QUEUE_EVENTS) {
		uint64_t lost = intervals_in(state, wake->now_ns - state->last_ns);

		wake->ticks += lost;
		state->last_ns += (int64_t)lost * state->interval_ns;
	}
	state->told += wake->ticks;
	wake->lateness_ns = wake->now_ns - state->last_ns +
			    ((int64_t)wake->ticks - (int64_t)needed) * state->interval_ns;
	return 0;
}

static void timer_stop(void *memory)
{
	struct timer_state *state = memory;

	snd_timer_stop(state->timer);
}

static void timer_close(void *memory)
{
	struct timer_state *state = memory;

	if (state->timer)
		snd_timer_close(state->timer);
	state->timer = NULL;
}

const struct source_ops source_alsa_timer = {
	.name = "alsa-timer",
	.summary = "ALSA's timer interface with time-stamped events (--timer)",
	.state_bytes = sizeof(struct timer_state),
	.lateness = LATENESS_INTERRUPT,
	.any_rate = true,
	.min_hz = 1,
	.max_hz = ALSA_TIMER_MAX_HZ,
	.library = "libasound.so",
	.open = timer_open,
	.start = timer_start,
	.stop = timer_stop,
	.close = timer_close,
	.wait = timer_wait,
	.granted = timer_granted,
};
