/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/cpu_list.h"

#include <limits.h>
#include <stdio.h>

#define CPUS_MAX 65536 /* more than any kernel knows: such a list is damaged */

/* Reads "N" or "N-M" off the front; NULL where there is none. */
static const char *next_range(const char *list, int *first, int *last)
{
	unsigned int from, to;
	int used;

	if (sscanf(list, "%9u%n", &from, &used) != 1)
		return NULL;
	list += used;
	to = from;
	if (sscanf(list, "-%9u%n", &to, &used) == 1)
		list += used;
	if (from >= CPUS_MAX || to >= CPUS_MAX)
		return NULL;
	*first = (int)from;
	*last = (int)to;
	return list + (*list == ',');
}

int cpu_list_next(const char *list, int after)
{
	int first, last, best = INT_MAX;

	while (list && *list) {
		list = next_range(list, &first, &last);
		if (!list || last <= after)
			continue;
		if (first <= after)
			first = after + 1;
		if (first <= last && first < best)
			best = first;
	}
	return best == INT_MAX ? -1 : best;
}

bool cpu_list_has(const char *list, int cpu)
{
	return cpu >= 0 && cpu_list_next(list, cpu - 1) == cpu;
}
