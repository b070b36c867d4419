/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many diffs there were, from two counts and the percentages that were printed of them: the
 * printed percentage falls as the number grows, so the numbers that give it are neighbours.
 */
#include "report/import_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIFFS_LIMIT ((uint64_t)1 << 53) /* beyond, a double does not hold every whole number */

static void print_factor(char *text, size_t size, uint64_t count, uint64_t n)
{
	snprintf(text, size, "%g", 100.0 * (double)count / (double)n);
}

static double printed_factor(uint64_t count, uint64_t n)
{
	char text[32];

	print_factor(text, sizeof(text), count, n);
	return strtod(text, NULL);
}

static bool is_below(uint64_t count, uint64_t n, double factor, bool or_equal)
{
	double printed = printed_factor(count, n);

	return printed < factor || (or_equal && printed <= factor);
}

/* The least n of from.. whose printed factor is below the one given, or not above it. */
static uint64_t first_below(uint64_t count, double factor, bool or_equal, uint64_t from)
{
	uint64_t to = DIFFS_LIMIT;
	double near = factor > 0 ? 100 * (double)count / factor : 0;

	/* Six digits leave a part in 10^5 at most: look there, if it is there. */
	if (near >= 1 && near < (double)DIFFS_LIMIT / 2) {
		uint64_t low = (uint64_t)(near * (1 - 1e-5));
		uint64_t high = (uint64_t)(near * (1 + 1e-5)) + 2;

		if (low > from && !is_below(count, low, factor, or_equal))
			from = low;
		if (high > from && is_below(count, high, factor, or_equal))
			to = high;
	}
	while (from < to) {
		uint64_t middle = from + (to - from) / 2;

		if (is_below(count, middle, factor, or_equal))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
}

/* As import_recover_diffs, from one line. */
static int recover_one(const struct import_within *within, uint64_t *min, uint64_t *max)
{
	char text[32];
	double factor;

	*min = *max = 0;
	/* Nothing of nothing. */
	if (!strcmp(within->factor, "nan") || !strcmp(within->factor, "-nan"))
		return within->count ? -EPROTO : 0;
	factor = strtod(within->factor, NULL);
	*min = within->count ? within->count : 1;
	*min = first_below(within->count, factor, true, *min);
	*max = first_below(within->count, factor, false, *min);
	if (*max == *min)
		return -EPROTO;
	*max = *max == DIFFS_LIMIT ? IMPORT_DIFFS_UNBOUNDED : *max - 1;
	print_factor(text, sizeof(text), within->count, *min);
	return strcmp(text, within->factor) ? -EPROTO : 0;
}

int import_recover_diffs(const struct import_within within[2], uint64_t *min, uint64_t *max)
{
	uint64_t least[2], most[2];

	if (within[0].count > within[1].count || recover_one(&within[0], &least[0], &most[0]) ||
	    recover_one(&within[1], &least[1], &most[1]))
		return -EPROTO;
	*min = least[0] > least[1] ? least[0] : least[1];
	*max = most[0] < most[1] ? most[0] : most[1];
	return *min > *max ? -EPROTO : 0;
}
