/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
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
	struct recorder_result result;
	struct cycle cycles[SAMPLE_BLOCK_CYCLES];
};

/* Takes over the outcome of one write: the first error stays, its time is accounted. */
static void account(struct recorder *recorder, int err, int64_t began_ns, int64_t wake_ns)
{
	struct recorder_result *result = &recorder->result;
	int64_t took = clock_now_ns() - began_ns;

	if (err && !result->error)
		result->error = err;
	if (took > result->longest_write_ns)
		result->longest_write_ns = took;
	if (took > RECORDER_BLOCKED_NS) {
		struct sample_event event = { .time_ns = wake_ns, .kind = SAMPLE_WRITE_BLOCKED,
					      .value = (uint64_t)took };

		result->blocked_ns += took;
		if (!result->error)
			result->error = sample_writer_event(recorder->writer, 0, &event);
	}
}

static void write_cycles(struct recorder *recorder, size_t n)
{
	int64_t began = clock_now_ns();
	int err;

	if (recorder->result.error) {
		/* A gap in the middle would be taken for missed cycles: after an error, nothing. */
		recorder->result.unwritten += n;
		return;
	}
	atomic_store(&recorder->write_began_ns, began);
	err = sample_writer_cycles(recorder->writer, 0, recorder->cycles, n);
	atomic_store(&recorder->write_began_ns, 0);
	if (err)
		recorder->result.unwritten += n;
	account(recorder, err, began, recorder->cycles[n - 1].wake_ns);
}

static void note_losses(struct recorder *recorder)
{
	uint64_t lost = ring_lost(recorder->ring);
	struct sample_event event = { .kind = SAMPLE_LOST, .value = lost - recorder->lost };

	if (lost == recorder->lost || recorder->result.error)
		return;
	recorder->lost = lost;
	recorder->result.error = sample_writer_event(recorder->writer, 0, &event);
}

static void drain(struct recorder *recorder)
{
	size_t n;

	/* Full blocks while there are more; never for ever, the ring fills while we write. */
	for (uint64_t most = recorder->ring->mask + 1; most > 0; most -= n < most ? n : most) {
		n = ring_take(recorder->ring, recorder->cycles, SAMPLE_BLOCK_CYCLES);
		if (!n)
			break;
		write_cycles(recorder, n);
	}
	note_losses(recorder);
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
		drain(recorder);
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
