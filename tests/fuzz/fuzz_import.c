/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: any bytes as a log or a mail. Whatever comes out is a run that the rest of the
 * program can be given, and the statistics agree with it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/import.h"
#include "report/imported.h"
#include "report/run_file.h"
#include "report/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	unsigned int runs, phases, complaints;
};

static int take_run(void *argument, json_t *run)
{
	struct seen *seen = argument;
	struct fault fault = { "" };
	FILE *out = fopen("/dev/null", "w");
	char *text = json_dumps(run, 0);

	if (!out || !text || !imported_run(run) || run_file_check(run, "run", &fault) ||
	    summary_write(out, run))
		abort();
	fclose(out);
	free(text);
	seen->runs++;
	seen->phases += (unsigned int)json_array_size(json_object_get(run, "phases"));
	return 0;
}

static void take_complaint(void *argument, const char *file, unsigned long line,
			   const char *reason)
{
	struct seen *seen = argument;

	if (strcmp(file, "input") || !line || !reason[0])
		abort();
	seen->complaints++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = { 0 };
	struct import_stats stats;
	struct fault fault = { "" };
	FILE *in;

	if (!size)
		return 0;
	in = fmemopen((void *)(uintptr_t)data, size, "r");
	if (!in || import_stream(in, "input", take_run, take_complaint, &seen, &stats, &fault))
		abort();
	fclose(in);
	if (seen.runs != stats.runs || seen.phases != stats.phases ||
	    seen.complaints != stats.damaged)
		abort();
	return 0;
}
