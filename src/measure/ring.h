/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring between one producer (the measuring thread) and one consumer (the recorder): no lock, no
 * system call. A full ring takes nothing and counts what it could not take.
 */
#ifndef LT_MEASURE_RING_H
#define LT_MEASURE_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/cycle.h"

struct ring {
	/* Each side's counter on a cache line of its own, so that they do not slow each other. */
	_Alignas(64) _Atomic uint64_t written;
	_Atomic uint64_t lost;
	_Alignas(64) _Atomic uint64_t read;
	_Alignas(64) uint64_t mask;
	struct cycle slots[];
};

/* Bytes of a ring of that many slots (a power of two). */
static inline size_t ring_bytes(uint64_t slots)
{
	return sizeof(struct ring) + slots * sizeof(struct cycle);
}

/* Readies zeroed memory of ring_bytes(slots). */
static inline void ring_init(struct ring *ring, uint64_t slots)
{
	ring->mask = slots - 1;
}

/* Producer only. */
static inline void ring_put(struct ring *ring, const struct cycle *cycle)
{
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
	uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);

	if (written - read > ring->mask) {
		atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
		return;
	}
	ring->slots[written & ring->mask] = *cycle;
	atomic_store_explicit(&ring->written, written + 1, memory_order_release);
}

/* Consumer only: copies up to max cycles out. Returns how many. */
static inline size_t ring_take(struct ring *ring, struct cycle *cycles, size_t max)
{
	uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
	uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
	size_t n = 0;

	while (n < max && read + n < written) {
		cycles[n] = ring->slots[(read + n) & ring->mask];
		n++;
	}
	atomic_store_explicit(&ring->read, read + n, memory_order_release);
	return n;
}

/* Samples that found the ring full. */
static inline uint64_t ring_lost(const struct ring *ring)
{
	return atomic_load_explicit(&ring->lost, memory_order_relaxed);
}

#endif
