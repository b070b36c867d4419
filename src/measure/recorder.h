/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that carries cycles from the ring to the sample file, as they come. */
#ifndef LT_MEASURE_RECORDER_H
#define LT_MEASURE_RECORDER_H

#include <stdint.h>

#include "measure/ring.h"
#include "measure/sample.h"

/*
 * How often the ring is emptied: with a write that is not blocked, less than a second is at risk.
 */
#define RECORDER_PERIOD_NS 250000000LL
/* A write that takes longer is recorded as an event. */
#define RECORDER_BLOCKED_NS 500000000LL

struct recorder_result {
	int error;                 /* 0, or the first negative errno of a write */
	uint64_t unwritten;        /* cycles that were taken from the ring but not written */
	int64_t longest_write_ns;
	int64_t blocked_ns; /* sum of the writes longer than RECORDER_BLOCKED_NS, and full_ns */
	int64_t full_ns;           /* how long the disk was full, where it had room again in time */
};

struct recorder;

/*
 * Starts the thread, which inherits the caller's CPU affinity. ring and writer are the caller's
 * and must outlive it. 0 or a negative errno.
 */
int recorder_start(struct recorder **recorder, struct ring *ring, struct sample_writer *writer);

/*
 * A disk that is full is tried again and again until the end: the ring keeps a minute. Empties the
 * ring a last time, ends the thread, frees it. recorder may be NULL.
 */
void recorder_stop(struct recorder *recorder, struct recorder_result *result);

/* ns since the recorder began the write it is in; 0 where it is in none. For the live line. */
int64_t recorder_blocked_ns(const struct recorder *recorder);

#endif
