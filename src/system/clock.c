/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/clock.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/cpu_mask.h"

#define BATCHES 101
#define BATCH 100
#define STEP_READINGS 10000
#define STEP_WAIT_NS (20 * 1000000LL) /* a clock of ticks steps only every 1 to 10 ms */
#define COMPARE_NS (3 * 1000000LL)
#define COMPARE_READINGS 100
#define STACK_BYTES (64 * 1024)

/* What the comparing threads share. */
struct comparison {
	_Atomic int64_t last; /* latest reading that any of them made */
	_Atomic int64_t end;  /* when to stop; INT64_MAX while threads are still being made */
};

struct comparer {
	pthread_t thread;
	struct comparison *shared;
	int cpu;
	int err;
	int64_t backward_ns;
};

static int compare_int64(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* In batches, because one reading may cost less than the clock can tell. */
static int64_t measure_cost(void)
{
	int64_t cost[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		int64_t start = clock_now_ns();

		for (int j = 1; j < BATCH; j++)
			clock_now_ns();
		cost[i] = (clock_now_ns() - start) / BATCH;
	}
	qsort(cost, BATCHES, sizeof(cost[0]), compare_int64);
	return cost[BATCHES / 2];
}

static int64_t measure_step(void)
{
	int64_t start = clock_now_ns(), last = start, step = INT64_MAX;

	for (int i = 0; i < STEP_READINGS || (step == INT64_MAX && last - start < STEP_WAIT_NS);
	     i++) {
		int64_t now = clock_now_ns();

		if (now > last && now - last < step)
			step = now - last;
		last = now;
	}
	return step;
}

static void *compare_readings(void *arg)
{
	struct comparer *own = arg;
	struct comparison *shared = own->shared;
	struct cpu_mask mask;
	int64_t now = 0;

	CPU_ZERO_S(sizeof(mask), mask.sets);
	CPU_SET_S(own->cpu, sizeof(mask), mask.sets);
	if (sched_setaffinity(0, sizeof(mask), mask.sets) < 0) {
		own->err = -errno;
		return NULL;
	}
	for (int i = 0; i < COMPARE_READINGS || now < atomic_load(&shared->end); i++) {
		int64_t last = atomic_load(&shared->last);

		now = clock_now_ns();
		if (last - now > own->backward_ns)
			own->backward_ns = last - now;
		if (now > last)
			atomic_compare_exchange_strong(&shared->last, &last, now);
	}
	return NULL;
}

static int list_cpus(int *cpus, size_t *count, struct fault *fault)
{
	struct cpu_mask mask;

	if (sched_getaffinity(0, sizeof(mask), mask.sets) < 0)
		return fault_set(fault, -errno, "clock test: sched_getaffinity: %s",
				 strerror(errno));
	*count = 0;
	for (int cpu = 0; cpu < CPU_MASK_CPUS; cpu++)
		if (CPU_ISSET_S(cpu, sizeof(mask), mask.sets))
			cpus[(*count)++] = cpu;
	return 0;
}

/* All CPUs at once, each against the latest reading of any: the time does not grow with them. */
static int run_comparers(struct comparer *comparer, size_t count, struct clock_quality *quality,
			 struct fault *fault)
{
	struct comparison shared = { .last = 0, .end = INT64_MAX };
	pthread_attr_t attr;
	size_t started;
	int err = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (started = 0; !err && started < count; started++) {
		comparer[started].shared = &shared;
		err = -pthread_create(&comparer[started].thread, &attr, compare_readings,
				      &comparer[started]);
		if (err)
			break;
	}
	pthread_attr_destroy(&attr);
	atomic_store(&shared.end, err ? 0 : clock_now_ns() + COMPARE_NS);
	for (size_t i = 0; i < started; i++)
		pthread_join(comparer[i].thread, NULL);
	if (err)
		return fault_set(fault, err, "clock test: pthread_create: %s", strerror(-err));
	for (size_t i = 0; i < count; i++) {
		/* A CPU may go offline meanwhile: then it was not compared. */
		if (comparer[i].err)
			continue;
		quality->cpus++;
		if (comparer[i].backward_ns > quality->backward_ns)
			quality->backward_ns = comparer[i].backward_ns;
	}
	return 0;
}

static int compare_cpus(struct clock_quality *quality, struct fault *fault)
{
	int *cpus = calloc(CPU_MASK_CPUS, sizeof(*cpus));
	struct comparer *comparer = NULL;
	size_t count = 0;
	int err;

	if (!cpus)
		return fault_set(fault, -ENOMEM, "clock test: no memory");
	err = list_cpus(cpus, &count, fault);
	if (!err) {
		comparer = calloc(count + 1, sizeof(*comparer));
		if (!comparer)
			err = fault_set(fault, -ENOMEM, "clock test: no memory");
	}
	if (comparer) {
		for (size_t i = 0; i < count; i++)
			comparer[i].cpu = cpus[i];
		err = run_comparers(comparer, count, quality, fault);
	}
	free(comparer);
	free(cpus);
	return err;
}

int clock_test(struct clock_quality *quality, struct fault *fault)
{
	struct timespec resolution;

	memset(quality, 0, sizeof(*quality));
	if (clock_getres(CLOCK_MONOTONIC, &resolution) < 0)
		return fault_set(fault, -errno, "clock_getres(CLOCK_MONOTONIC): %s",
				 strerror(errno));
	quality->resolution_ns = resolution.tv_sec * NS_PER_SEC + resolution.tv_nsec;
	quality->cost_ns = measure_cost();
	quality->step_ns = measure_step();
	if (quality->step_ns == INT64_MAX)
		return fault_set(fault, -EIO, "clock test: CLOCK_MONOTONIC stands still");
	return compare_cpus(quality, fault);
}
