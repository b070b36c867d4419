/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ring keeps the order, loses nothing silently, and two threads may share it. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>

#include "measure/ring.h"

/* ThreadSanitizer makes every access some twenty times as dear. */
#if defined(__SANITIZE_THREAD__)
#define ITEMS 1000000u
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ITEMS 1000000u
#endif
#endif
#ifndef ITEMS
#define ITEMS 10000000u
#endif

static struct ring *ring_new(uint64_t slots)
{
	struct ring *ring = aligned_alloc(64, (ring_bytes(slots) + 63) / 64 * 64);

	assert_non_null(ring);
	memset(ring, 0, ring_bytes(slots));
	ring_init(ring, slots);
	return ring;
}

/* Every field tells the number, so that a torn slot is seen. */
static struct cycle item(uint64_t i)
{
	return (struct cycle){ .wake_ns = (int64_t)i, .burn_ns = -(int64_t)i,
			       .lateness_ns = (int64_t)(i * 3), .ticks = i << 8,
			       .missed = (uint32_t)i, .cpu = ~(uint32_t)i,
			       .xruns = (uint32_t)i + 1 };
}

static bool is_item(const struct cycle *cycle, uint64_t i)
{
	struct cycle wanted = item(i);

	/* Field by field: what lies between them need not be copied. */
	return cycle->wake_ns == wanted.wake_ns && cycle->burn_ns == wanted.burn_ns &&
	       cycle->lateness_ns == wanted.lateness_ns && cycle->ticks == wanted.ticks &&
	       cycle->missed == wanted.missed && cycle->cpu == wanted.cpu &&
	       cycle->xruns == wanted.xruns;
}

static void put(struct ring *ring, uint64_t i)
{
	struct cycle cycle = item(i);

	ring_put(ring, &cycle);
}

static void what_goes_in_comes_out_in_order(void **state)
{
	struct ring *ring = ring_new(8);
	struct cycle out[8];
	uint64_t in = 0, taken = 0;

	(void)state;
	assert_int_equal(ring_take(ring, out, 8), 0);
	/* 5 in, at most 3 out at a time: wraps many times, and is never full. */
	for (int round = 0; round < 1000; round++) {
		size_t n;

		for (int i = 0; i < 5; i++)
			put(ring, in++);
		while ((n = ring_take(ring, out, 3)) > 0) {
			assert_true(n <= 3);
			for (size_t i = 0; i < n; i++)
				assert_true(is_item(&out[i], taken++));
		}
		assert_int_equal(taken, in);
	}
	assert_int_equal(ring_lost(ring), 0);
	free(ring);
}

static void a_full_ring_keeps_the_old_and_counts_the_new(void **state)
{
	struct ring *ring = ring_new(8);
	struct cycle out[16];

	(void)state;
	for (uint64_t i = 0; i < 8; i++)
		put(ring, i);
	assert_int_equal(ring_lost(ring), 0); /* all 8 slots can be used */
	for (uint64_t i = 8; i < 13; i++)
		put(ring, i);
	assert_int_equal(ring_lost(ring), 5);
	/* Two out, three in: room for two. */
	assert_int_equal(ring_take(ring, out, 2), 2);
	assert_true(is_item(&out[0], 0) && is_item(&out[1], 1));
	for (uint64_t i = 100; i < 103; i++)
		put(ring, i);
	assert_int_equal(ring_lost(ring), 6);
	assert_int_equal(ring_take(ring, out, 16), 8);
	for (uint64_t i = 0; i < 6; i++)
		assert_true(is_item(&out[i], i + 2));
	assert_true(is_item(&out[6], 100) && is_item(&out[7], 101));
	assert_int_equal(ring_take(ring, out, 16), 0);
	free(ring);
}

struct production {
	struct ring *ring;
	bool retry; /* until it is in */
};

static void *produce(void *argument)
{
	struct production *production = argument;
	struct ring *ring = production->ring;

	for (uint64_t i = 0; i < ITEMS; i++) {
		uint64_t lost = ring_lost(ring);

		put(ring, i);
		while (production->retry && ring_lost(ring) != lost) {
			lost = ring_lost(ring);
			sched_yield();
			put(ring, i);
		}
	}
	return NULL;
}

static void two_threads_keep_the_order(void **state)
{
	struct production production = { ring_new(4096), true };
	static struct cycle out[1024];
	uint64_t taken = 0, wrong = 0;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, produce, &production), 0);
	while (taken < ITEMS) {
		size_t n = ring_take(production.ring, out, COUNT(out));

		for (size_t i = 0; i < n; i++)
			wrong += !is_item(&out[i], taken++);
		if (!n)
			sched_yield();
	}
	pthread_join(thread, NULL);
	assert_int_equal(wrong, 0);
	assert_int_equal(taken, ITEMS);
	assert_int_equal(ring_take(production.ring, out, COUNT(out)), 0);
	free(production.ring);
}

static void two_threads_lose_only_what_is_counted(void **state)
{
	struct production production = { ring_new(64), false };
	static struct cycle out[64];
	uint64_t taken = 0, wrong = 0, next = 0;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, produce, &production), 0);
	while (taken + ring_lost(production.ring) < ITEMS) {
		size_t n = ring_take(production.ring, out, COUNT(out));

		for (size_t i = 0; i < n; i++) {
			uint64_t number = (uint64_t)out[i].wake_ns;

			wrong += number < next || !is_item(&out[i], number);
			next = number + 1;
		}
		taken += n;
		if (!n)
			sched_yield();
	}
	pthread_join(thread, NULL);
	assert_int_equal(wrong, 0);
	assert_int_equal(taken + ring_lost(production.ring), ITEMS);
	assert_int_equal(ring_take(production.ring, out, COUNT(out)), 0);
	free(production.ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_in_comes_out_in_order),
		cmocka_unit_test(a_full_ring_keeps_the_old_and_counts_the_new),
		cmocka_unit_test(two_threads_keep_the_order),
		cmocka_unit_test(two_threads_lose_only_what_is_counted),
	};

	return unit_run(tests);
}
