/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "system/clock.h"

struct recorder {
	pthread_t id;
	struct ring *ring;
	struct sample_writer *writer;
	pthread_mutex_t lock;    /* for stop and its condition */
	pthread_cond_t wake;
	int stop;
	uint64_t lost;           /* losses already recorded */
	_Atomic int64_t write_began_ns;
	int64_t full_ns;         /* since when the disk has been full; 0: it is not */
	struct recorder_result result;
	size_t pending;          /* cycles that are yet to be written */
	struct cycle cycles[SAMPLE_BLOCK_CYCLES];
};

/* A disk that is full may have room again soon: until then the ring keeps what comes. */
static bool may_pass(int err)
{
	return err == -ENOSPC || err == -EDQUOT;
}

/* An event whose figures stand in the result too: where there is no room for it, it is left out. */
static void note_event(struct recorder *recorder, const struct sample_event *event)
{
	int err = sample_writer_event(recorder->writer, 0, event);

	if (err && !may_pass(err))
		recorder->result.error = err;
}

/* Accounts the time of one write. */
static void account(struct recorder *recorder, int64_t began_ns, int64_t wake_ns)
{
	struct recorder_result *result = &recorder->result;
	int64_t took = clock_now_ns() - began_ns;

	if (took > result->longest_write_ns)
		result->longest_write_ns = took;
	if (took > RECORDER_BLOCKED_NS) {
		struct sample_event event = { .time_ns = wake_ns, .kind = SAMPLE_WRITE_BLOCKED,
					      .value = (uint64_t)took };

		result->blocked_ns += took;
		note_event(recorder, &event);
	}
}

/* The disk has room again: for how long it had none is noted like a write that was blocked. */
static void end_of_full(struct recorder *recorder)
{
	int64_t now = clock_now_ns();
	struct sample_event event = { .time_ns = recorder->cycles[recorder->pending - 1].wake_ns,
				      .kind = SAMPLE_WRITE_BLOCKED,
				      .value = (uint64_t)(now - recorder->full_ns) };

	recorder->result.blocked_ns += now - recorder->full_ns;
	recorder->result.full_ns += now - recorder->full_ns;
	recorder->full_ns = 0;
	note_event(recorder, &event);
}

/* Writes the pending cycles; they stay pending where the disk is full, and time is left. */
static void write_cycles(struct recorder *recorder, bool last)
{
	int64_t began = clock_now_ns();
	int err;

	if (recorder->result.error) {
		/* A gap in the middle would be taken for missed cycles: after an error, nothing. */
		recorder->result.unwritten += recorder->pending;
		recorder->pending = 0;
		return;
	}
	atomic_store(&recorder->write_began_ns, recorder->full_ns ? recorder->full_ns : began);
	err = sample_writer_cycles(recorder->writer, 0, recorder->cycles, recorder->pending);
	if (may_pass(err) && !last) {
		if (!recorder->full_ns)
			recorder->full_ns = began;
		return;
	}
	atomic_store(&recorder->write_began_ns, 0);
	if (err) {
		recorder->result.unwritten += recorder->pending;
		recorder->result.error = err;
	} else if (recorder->full_ns) {
		end_of_full(recorder);
	} else {
		account(recorder, began, recorder->cycles[recorder->pending - 1].wake_ns);
	}
	recorder->pending = 0;
}

static void note_losses(struct recorder *recorder, bool last)
{
	uint64_t lost = ring_lost(recorder->ring);
	struct sample_event event = { .kind = SAMPLE_LOST, .value = lost - recorder->lost };

	int err;

	if (lost == recorder->lost || recorder->result.error)
		return;
	err = sample_writer_event(recorder->writer, 0, &event);
	if (!err)
		recorder->lost = lost;
	else if (!may_pass(err) || last)
		recorder->result.error = err;
}

static void drain(struct recorder *recorder, bool last)
{
	size_t n;

	if (recorder->pending)
		write_cycles(recorder, last);
	/* Full blocks while there are more; never for ever, the ring fills while we write. */
	for (uint64_t most = recorder->ring->mask + 1; most > 0; most -= n < most ? n : most) {
		if (recorder->pending)
			return;
		n = ring_take(recorder->ring, recorder->cycles, SAMPLE_BLOCK_CYCLES);
		if (!n)
			break;
		recorder->pending = n;
		write_cycles(recorder, last);
	}
	note_losses(recorder, last);
}

static void *recorder_main(void *argument)
{
	struct recorder *recorder = argument;
	int stop = 0;

	prctl(PR_SET_NAME, "lt-record");
	while (!stop) {
		int64_t until = clock_now_ns() + RECORDER_PERIOD_NS;
		struct timespec ts = { .tv_sec = until / NS_PER_SEC,
				       .tv_nsec = until % NS_PER_SEC };

		pthread_mutex_lock(&recorder->lock);
		while (!recorder->stop &&
		       pthread_cond_timedwait(&recorder->wake, &recorder->lock, &ts) != ETIMEDOUT)
			;
		stop = recorder->stop;
		pthread_mutex_unlock(&recorder->lock);
		drain(recorder, stop);
	}
	return NULL;
}

int recorder_start(struct recorder **result, struct ring *ring, struct sample_writer *writer)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	pthread_condattr_t attr;
	int err;

	if (!recorder)
		return -ENOMEM;
	recorder->ring = ring;
	recorder->writer = writer;
	pthread_mutex_init(&recorder->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&recorder->wake, &attr);
	pthread_condattr_destroy(&attr);
	err = pthread_create(&recorder->id, NULL, recorder_main, recorder);
	if (err) {
		free(recorder);
		return -err;
	}
	*result = recorder;
	return 0;
}

void recorder_stop(struct recorder *recorder, struct recorder_result *result)
{
	if (!recorder)
		return;
	pthread_mutex_lock(&recorder->lock);
	recorder->stop = 1;
	pthread_cond_signal(&recorder->wake);
	pthread_mutex_unlock(&recorder->lock);
	pthread_join(recorder->id, NULL);
	*result = recorder->result;
	pthread_cond_destroy(&recorder->wake);
	pthread_mutex_destroy(&recorder->lock);
	free(recorder);
}

int64_t recorder_blocked_ns(const struct recorder *recorder)
{
	int64_t began = atomic_load(&recorder->write_began_ns);

	return began ? clock_now_ns() - began : 0;
}
