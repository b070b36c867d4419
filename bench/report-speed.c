/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the evaluation of a long recording takes, beside the least that any evaluation must do:
 * decode the same cached file and fill one histogram. Both in turn in one run, each in a process of
 * its own so that its memory can be told.
 *
 *	report-speed [CYCLES [ROUNDS [FILE]]]
 *
 * CYCLES is 88473600 by default: 24 hours at 1024 Hz with one wake-up per cycle.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/grid.h"
#include "measure/sample.h"
#include "report/view.h"
#include "report/plot.h"
#include "system/clock.h"
#include "util/number.h"

#define RATE_HZ 1024
#define BURN_NS 781250

/* A small generator of our own, so that every machine writes the same file. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Lateness as a quiet machine has it: some 12 us and a noise of 8 us, now and then up to 1 ms. */
static int64_t made_up_lateness(uint64_t *state)
{
	uint64_t r = next_random(state);

	if (r % 5000 == 0)
		return (int64_t)(r >> 32) % 1000000;
	return 12000 + (int64_t)(r % 4096 + (r >> 20) % 4096);
}

static int generate(const char *path, uint64_t cycles)
{
	struct sample_header header = { .rate_hz = RATE_HZ, .wakeups = 1,
					.lateness = LATENESS_EXACT };
	struct cycle block[SAMPLE_BLOCK_CYCLES / 4];
	struct sample_writer *writer;
	struct fault fault;
	uint64_t state = 88172645463325252u;
	int err = sample_writer_open(&writer, path, &header, "{}", &fault);

	if (err) {
		fprintf(stderr, "report-speed: %s\n", fault.text);
		return err;
	}
	for (uint64_t done = 0; !err && done < cycles;) {
		size_t n = 0;

		for (; n < sizeof(block) / sizeof(block[0]) && done < cycles; n++, done++)
			block[n] = (struct cycle){
				.wake_ns =
					grid_due_ns(done + 1, RATE_HZ) + made_up_lateness(&state),
				.burn_ns = BURN_NS + (int64_t)(next_random(&state) % 4096),
				.lateness_ns = LATENESS_UNKNOWN,
				.ticks = done + 1,
			};
		err = sample_writer_cycles(writer, 0, block, n);
	}
	return sample_writer_close(writer) || err;
}

static int minimal(const char *path)
{
	struct histogram *histogram = histogram_new();
	struct sample_reader *reader;
	struct sample_block block;
	struct fault fault;
	int64_t before = 0;

	if (!histogram || sample_reader_open(&reader, path, &fault))
		return 1;
	while (sample_reader_next(reader, &block, &fault) > 0) {
		for (size_t i = 0; i < block.n; i++) {
			histogram_add(histogram, block.cycles[i].wake_ns - before);
			before = block.cycles[i].wake_ns;
		}
	}
	sample_reader_close(reader);
	fprintf(stderr, "  minimal: %llu cycles, greatest diff %lld ns\n",
		(unsigned long long)histogram->n, (long long)histogram->max);
	free(histogram);
	return 0;
}

static int render(const struct run_view *view, const struct phase_view *phase, enum plot_kind kind)
{
	for (int format = PLOT_SVG; format <= PLOT_PNG; format++) {
		unsigned char *bytes;
		struct fault fault;
		size_t length;

		if (plot_render(view, phase, kind, (enum plot_format)format, PLOT_LIGHT, &bytes,
				&length, &fault))
			return 1;
		free(bytes);
	}
	return 0;
}

static int full(const char *path)
{
	struct metrics_params params = { .period_ns = 1e9 / RATE_HZ, .deadline = 2,
					 .burn_ns = BURN_NS, .throttle_gap_ns = 5e7,
					 .throttle_period_ns = 1e9 };
	struct evaluation evaluation;
	struct fault fault;
	json_t *phase = json_pack("{s:s, s:s}", "name", "none", "status", "valid");
	struct phase_view phase_view = { .phase = phase,
					 .name = "none",
					 .evaluation = &evaluation };
	struct run_view view = { .dir = ".", .phases = &phase_view, .n = 1 };
	int err = evaluate_samples(path, &params, &evaluation, &fault);

	if (err)
		return 1;
	view.run = json_pack("{s:[O]}", "phases", phase);
	phase_view.timeline = evaluation.timeline;
	err = render(&view, &phase_view, PLOT_TIME) || render(&view, &phase_view, PLOT_HISTOGRAM) ||
	      render(&view, &phase_view, PLOT_PERCENTILE) || render(&view, NULL, PLOT_OVERVIEW);
	fprintf(stderr, "  full:    %llu cycles, greatest diff %lld ns\n",
		(unsigned long long)evaluation.metrics.cycles,
		(long long)evaluation.metrics.diff->max);
	evaluation_free(&evaluation);
	json_decref(view.run);
	json_decref(phase);
	return err;
}

/* Runs one of them in a child; its time in ns, its peak memory in KiB. */
static int64_t timed(int (*pass)(const char *path), const char *path, long *peak_kib)
{
	int64_t start = clock_now_ns();
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(pass(path));
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || status) {
		fprintf(stderr, "report-speed: a pass failed\n");
		exit(1);
	}
	*peak_kib = usage.ru_maxrss;
	return clock_now_ns() - start;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int64_t cycles = 88473600, rounds = 3;
	const char *path = argc > 3 ? argv[3] : "report-speed.samples";
	double ratio[101];
	struct stat st;

	if ((argc > 1 && number_i64(argv[1], 2, INT64_C(1) << 40, &cycles)) ||
	    (argc > 2 && number_i64(argv[2], 1, 101, &rounds))) {
		fprintf(stderr, "usage: report-speed [CYCLES [ROUNDS, 1 to 101 [FILE]]]\n");
		return 64;
	}
	unlink(path);
	if (generate(path, (uint64_t)cycles) || stat(path, &st))
		return 1;
	printf("%lld cycles, %.2f bytes per cycle\n", (long long)cycles,
	       (double)st.st_size / (double)cycles);
	for (int64_t i = 0; i < rounds; i++) {
		long minimal_kib, full_kib;
		int64_t minimal_ns = timed(minimal, path, &minimal_kib);
		int64_t full_ns = timed(full, path, &full_kib);

		ratio[i] = (double)full_ns / (double)minimal_ns;
		printf("round %lld: minimal %.2f s (%ld KiB), full %.2f s (%ld KiB), ratio %.2f\n",
		       (long long)i + 1, (double)minimal_ns / 1e9, minimal_kib,
		       (double)full_ns / 1e9, full_kib, ratio[i]);
	}
	qsort(ratio, (size_t)rounds, sizeof(ratio[0]), compare);
	printf("median ratio %.2f\n", ratio[rounds / 2]);
	unlink(path);
	return 0;
}
