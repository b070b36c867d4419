/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Producer, recorder and who asks it, all at once: also for the thread sanitizer. */
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "measure/recorder.h"

#define PERIOD_NS 1953125
#define BURST 1000

static const struct sample_header header = {
	.rate_hz = 1024, .wakeups = 2, .lateness = LATENESS_EXACT,
};

struct production {
	struct ring *ring;
	uint64_t items;
	_Atomic bool done;
};

static struct cycle item(uint64_t number)
{
	return (struct cycle){ .wake_ns = (int64_t)number * PERIOD_NS + (int64_t)(number % 977),
			       .burn_ns = (int64_t)(number % 1009) + 1, .ticks = 2 * number,
			       .cpu = (uint32_t)(number % 3) };
}

/* In bursts that last for more than one turn of the recorder. */
static void *produce(void *argument)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	struct production *production = argument;

	for (uint64_t i = 0; i < production->items; i++) {
		struct cycle cycle = item(i);

		ring_put(production->ring, &cycle);
		if (i % BURST == BURST - 1)
			nanosleep(&pause, NULL);
	}
	atomic_store(&production->done, true);
	return NULL;
}

struct recording {
	uint64_t cycles, lost_events, wrong;
};

static struct recording read_back(void)
{
	struct recording recording = { 0 };
	struct sample_reader *reader;
	struct sample_block block;
	struct fault fault = { "" };
	uint64_t next = 0;
	int got;

	assert_int_equal(sample_reader_open(&reader, unit_file, &fault), 0);
	while ((got = sample_reader_next(reader, &block, &fault)) > 0) {
		if (block.kind == SAMPLE_BLOCK_EVENT && block.event.kind == SAMPLE_LOST)
			recording.lost_events += block.event.value;
		for (size_t i = 0; block.kind == SAMPLE_BLOCK_CYCLES_KIND && i < block.n; i++) {
			const struct cycle *cycle = &block.cycles[i];
			struct cycle wanted = item(cycle->ticks / 2);

			recording.wrong += cycle->ticks / 2 < next || cycle->ticks % 2 ||
					   cycle->wake_ns != wanted.wake_ns ||
					   cycle->burn_ns != wanted.burn_ns ||
					   cycle->cpu != wanted.cpu;
			next = cycle->ticks / 2 + 1;
			recording.cycles++;
		}
	}
	assert_int_equal(got, 0);
	sample_reader_close(reader);
	return recording;
}

/* Records that many cycles through a ring of that many slots; what got lost. */
static uint64_t record(uint64_t items, uint64_t slots)
{
	struct ring *ring = aligned_alloc(64, (ring_bytes(slots) + 63) / 64 * 64);
	struct production production = { .ring = ring, .items = items };
	struct recorder_result result;
	struct recording recording;
	struct sample_writer *writer;
	struct recorder *recorder;
	struct fault fault = { "" };
	pthread_t thread;
	uint64_t lost;

	assert_non_null(ring);
	memset(ring, 0, ring_bytes(slots));
	ring_init(ring, slots);
	unlink(unit_file);
	assert_int_equal(sample_writer_open(&writer, unit_file, &header, "{}", &fault), 0);
	assert_int_equal(recorder_start(&recorder, ring, writer), 0);
	assert_int_equal(pthread_create(&thread, NULL, produce, &production), 0);
	while (!atomic_load(&production.done)) {
		assert_true(recorder_blocked_ns(recorder) >= 0);
		sched_yield();
	}
	pthread_join(thread, NULL);
	recorder_stop(recorder, &result);
	assert_int_equal(sample_writer_close(writer), 0);
	assert_int_equal(result.error, 0);
	assert_int_equal(result.unwritten, 0);
	lost = ring_lost(ring);
	recording = read_back();
	assert_int_equal(recording.wrong, 0);
	assert_int_equal(recording.cycles + lost, items);
	assert_int_equal(recording.lost_events, lost);
	free(ring);
	return lost;
}

static void a_ring_that_holds_all_loses_nothing(void **state)
{
	(void)state;
	assert_int_equal(record(100000, 1 << 17), 0);
}

static void what_a_small_ring_loses_is_in_the_file(void **state)
{
	(void)state;
	assert_true(record(100000, 64) > 0);
}

static void what_is_left_at_the_end_is_written(void **state)
{
	(void)state;
	/* All of it within one turn of the recorder. */
	for (uint64_t items = 1; items < 20; items++)
		assert_int_equal(record(items, 64), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ring_that_holds_all_loses_nothing),
		cmocka_unit_test(what_a_small_ring_loses_is_in_the_file),
		cmocka_unit_test(what_is_left_at_the_end_is_written),
	};

	return unit_run(tests);
}
