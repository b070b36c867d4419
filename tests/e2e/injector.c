/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ground truth for the tests: makes a CPU late by a known time at known moments. A SCHED_FIFO
 * thread pinned to that CPU spins `count` times for `spin`, `interval` apart, the first one
 * `delay` after the start. Prints one JSON object a spin: what really happened, CLOCK_MONOTONIC.
 */
#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "system/clock.h"
#include "util/number.h"

#define MAX_COUNT 1000

enum { CPU, PRIORITY, DELAY, SPIN, INTERVAL, COUNT, N_OPTIONS };

static const struct {
	const char *name;
	int64_t min, max;
} ranges[N_OPTIONS] = {
	[CPU] = { "cpu", 0, CPU_SETSIZE - 1 },
	[PRIORITY] = { "priority", 1, 99 },
	[DELAY] = { "delay-ms", 0, 60000 },
	[SPIN] = { "spin-ms", 1, 1000 },
	[INTERVAL] = { "interval-ms", 1, 60000 },
	[COUNT] = { "count", 1, MAX_COUNT },
};

struct spin {
	int64_t start_ns, end_ns;
};

static struct spin spins[MAX_COUNT];

static int parse(int argc, char **argv, int64_t *values)
{
	struct option table[N_OPTIONS + 1] = { { NULL, 0, NULL, 0 } };
	int key;

	for (int i = 0; i < N_OPTIONS; i++)
		table[i] = (struct option){ ranges[i].name, required_argument, NULL, 256 + i };
	while ((key = getopt_long(argc, argv, "", table, NULL)) != -1) {
		int i = key - 256;

		if (i < 0 || i >= N_OPTIONS)
			return -EINVAL;
		if (number_i64(optarg, ranges[i].min, ranges[i].max, &values[i])) {
			fprintf(stderr,
				"injector: --%s %s: valid is a whole number from %lld to %lld\n",
				ranges[i].name, optarg, (long long)ranges[i].min,
				(long long)ranges[i].max);
			return -EINVAL;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "injector: %s: options only\n", argv[optind]);
		return -EINVAL;
	}
	return 0;
}

static int become_disturber(const int64_t *values)
{
	const struct sched_param param = { .sched_priority = (int)values[PRIORITY] };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((int)values[CPU], &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus)) {
		fprintf(stderr, "injector: sched_setaffinity(CPU %d): %s\n", (int)values[CPU],
			strerror(errno));
		return -errno;
	}
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		fprintf(stderr, "injector: mlockall: %s (going on)\n", strerror(errno));
	if (sched_setscheduler(0, SCHED_FIFO, &param)) {
		fprintf(stderr, "injector: sched_setscheduler(SCHED_FIFO, %d): %s\n",
			param.sched_priority, strerror(errno));
		return -errno;
	}
	return 0;
}

static void disturb(const int64_t *values)
{
	int64_t first = clock_now_ns() + values[DELAY] * 1000000;

	for (int64_t i = 0; i < values[COUNT]; i++) {
		int64_t at = first + i * values[INTERVAL] * 1000000;
		const struct timespec until = { .tv_sec = at / NS_PER_SEC,
						.tv_nsec = at % NS_PER_SEC };

		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			;
		spins[i].start_ns = clock_now_ns();
		do {
			spins[i].end_ns = clock_now_ns();
		} while (spins[i].end_ns - spins[i].start_ns < values[SPIN] * 1000000);
	}
}

static int print_spins(int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		json_t *line = json_pack("{sIsI}", "start_ns", (json_int_t)spins[i].start_ns,
					 "end_ns", (json_int_t)spins[i].end_ns);

		if (!line || json_dumpf(line, stdout, JSON_COMPACT))
			return -EIO;
		putchar('\n');
		json_decref(line);
	}
	return fflush(stdout) ? -errno : 0;
}

int main(int argc, char **argv)
{
	int64_t values[N_OPTIONS] = {
		[CPU] = 0, [PRIORITY] = 99, [DELAY] = 0, [SPIN] = 10, [INTERVAL] = 100, [COUNT] = 1
	};

	if (parse(argc, argv, values))
		return 64;
	if (become_disturber(values))
		return EXIT_FAILURE;
	disturb(values);
	return print_spins(values[COUNT]) ? EXIT_FAILURE : EXIT_SUCCESS;
}
