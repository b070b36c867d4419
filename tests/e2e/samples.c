/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample file holds, for the tests. `samples FILE` prints one JSON object; `samples
 * --cycles FILE` one line a cycle: CLOCK_MONOTONIC of its wake-up, the diff before it, the lateness
 * that the source told ("-" where it did not), all in ns; missed cycles, xruns, ticks so far.
 * Fails for what is no sample file; a file that is cut off is told as damage.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/sample.h"

struct count {
	bool print;
	bool begun;
	int64_t t0_ns, last_ns;
	uint64_t cycles, missed, blocks;
	bool has_end;
};

static void print_cycle(const struct count *count, const struct cycle *cycle)
{
	char lateness[32] = "-";

	if (cycle->lateness_ns != LATENESS_UNKNOWN)
		snprintf(lateness, sizeof(lateness), "%" PRId64, cycle->lateness_ns);
	printf("%" PRId64 " %" PRId64 " %s %" PRIu32 " %" PRIu32 " %" PRIu64 "\n",
	       count->t0_ns + cycle->wake_ns, cycle->wake_ns - count->last_ns, lateness,
	       cycle->missed, cycle->xruns, cycle->ticks);
}

static void take(struct count *count, const struct cycle *cycle)
{
	/* The first is where the first diff begins. */
	if (count->begun) {
		count->cycles++;
		count->missed += cycle->missed;
		if (count->print)
			print_cycle(count, cycle);
	}
	count->begun = true;
	count->last_ns = cycle->wake_ns;
}

int main(int argc, char **argv)
{
	struct count count = { .print = argc == 3 && !strcmp(argv[1], "--cycles") };
	struct sample_reader *reader;
	struct sample_block block;
	struct fault fault = { "" };
	json_t *report;
	int got;

	if (argc != 2 + count.print) {
		fputs("usage: samples [--cycles] FILE\n", stderr);
		return 64;
	}
	if (sample_reader_open(&reader, argv[argc - 1], &fault)) {
		fprintf(stderr, "samples: %s\n", fault.text);
		return EXIT_FAILURE;
	}
	count.t0_ns = sample_reader_header(reader)->t0_ns;
	while ((got = sample_reader_next(reader, &block, &fault)) > 0) {
		count.blocks++;
		count.has_end |= block.kind == SAMPLE_BLOCK_END;
		for (size_t i = 0; block.kind == SAMPLE_BLOCK_CYCLES_KIND && i < block.n; i++)
			take(&count, &block.cycles[i]);
	}
	sample_reader_close(reader);
	if (count.print)
		return EXIT_SUCCESS;
	report = json_pack("{sIsIsIsbsbss}", "blocks", (json_int_t)count.blocks, "cycles",
			   (json_int_t)count.cycles, "missed", (json_int_t)count.missed, "end",
			   count.has_end, "damaged", got < 0, "damage", got < 0 ? fault.text : "");
	if (!report || json_dumpf(report, stdout, JSON_COMPACT))
		return EXIT_FAILURE;
	putchar('\n');
	json_decref(report);
	return EXIT_SUCCESS;
}
