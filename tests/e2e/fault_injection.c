/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linked into latencytest-test only: burns that go wrong, and how much memory the program took.
 *
 * $LATENCYTEST_BURN="N FACTOR": the N-th burn and all that follow have FACTOR times their loops.
 * $LATENCYTEST_PEAK=FILE: at the end the peak of the resident set goes there, in KiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "measure/burner.h"

void __real_burner_work(uint64_t loops);
void __wrap_burner_work(uint64_t loops);

static unsigned long long burns, first_wrong, factor = 1;

/* The calibration calls it within burner.c, which no wrapping reaches: only cycles are counted. */
void __wrap_burner_work(uint64_t loops)
{
	burns++;
	__real_burner_work(first_wrong && burns >= first_wrong ? loops * factor : loops);
}

__attribute__((constructor)) static void set_up(void)
{
	const char *text = getenv("LATENCYTEST_BURN");

	if (text && sscanf(text, "%llu %llu", &first_wrong, &factor) != 2) {
		fputs("$LATENCYTEST_BURN: valid is \"N FACTOR\"\n", stderr);
		exit(EXIT_FAILURE);
	}
}

__attribute__((destructor)) static void tell_peak(void)
{
	const char *path = getenv("LATENCYTEST_PEAK");
	FILE *file = path ? fopen(path, "w") : NULL;
	struct rusage usage;

	if (!file)
		return;
	getrusage(RUSAGE_SELF, &usage);
	fprintf(file, "%ld\n", usage.ru_maxrss);
	fclose(file);
}
