/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/timeline.h"

#include <math.h>
#include <string.h>

#include "util/wrap.h"

void timeline_init(struct timeline *timeline, double period_ns, uint32_t wakeups)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->bin_ns = (int64_t)fmax(ceil(period_ns), 1);
	timeline->wakeups = wakeups;
}

static void merge(struct timeline_bin *into, const struct timeline_bin *from)
{
	into->missed += from->missed;
	if (!from->n)
		return;
	if (!into->n || from->min_diff_ns < into->min_diff_ns)
		into->min_diff_ns = from->min_diff_ns;
	if (!into->n || from->max_diff_ns > into->max_diff_ns)
		into->max_diff_ns = from->max_diff_ns;
	if (!into->n || from->min_burn_ns < into->min_burn_ns)
		into->min_burn_ns = from->min_burn_ns;
	if (!into->n || from->max_burn_ns > into->max_burn_ns)
		into->max_burn_ns = from->max_burn_ns;
	into->n += from->n;
}

static void halve(struct timeline *timeline)
{
	size_t half = (timeline->n + 1) / 2;

	for (size_t i = 0; i < half; i++) {
		struct timeline_bin merged = timeline->bins[2 * i];

		if (2 * i + 1 < timeline->n)
			merge(&merged, &timeline->bins[2 * i + 1]);
		timeline->bins[i] = merged;
	}
	memset(&timeline->bins[half], 0, (TIMELINE_BINS - half) * sizeof(timeline->bins[0]));
	timeline->n = half;
	timeline->bin_ns *= 2;
}

static void add_cycle(struct timeline *timeline, const struct cycle *cycle, int64_t diff)
{
	int64_t at = wrap_sub(cycle->wake_ns, timeline->start_ns);
	struct timeline_bin one = { .n = 1, .min_diff_ns = diff, .max_diff_ns = diff,
				    .min_burn_ns = cycle->burn_ns, .max_burn_ns = cycle->burn_ns,
				    .missed = cycle->missed };
	size_t bin;

	/* A clock does not go back, but a damaged or made-up file may. */
	if (at < 0 || at > INT64_MAX / 4)
		return;
	while (at / timeline->bin_ns >= TIMELINE_BINS)
		halve(timeline);
	bin = (size_t)(at / timeline->bin_ns);
	if (bin >= timeline->n)
		timeline->n = bin + 1;
	merge(&timeline->bins[bin], &one);
	timeline->end_ns = cycle->wake_ns;
}

void timeline_add(struct timeline *timeline, const struct cycle *cycles, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t index = cycles[i].ticks / timeline->wakeups;

		if (!timeline->have_origin)
			timeline->start_ns = timeline->end_ns = cycles[i].wake_ns;
		else if (index - timeline->last_index == 1 + (uint64_t)cycles[i].missed)
			add_cycle(timeline, &cycles[i],
				  wrap_sub(cycles[i].wake_ns, timeline->last_wake_ns));
		timeline->have_origin = 1;
		timeline->last_wake_ns = cycles[i].wake_ns;
		timeline->last_index = index;
	}
}

struct timeline_bin timeline_range(const struct timeline *timeline, int64_t from_ns, int64_t to_ns)
{
	struct timeline_bin range = { 0 };
	size_t first = from_ns > 0 ? (size_t)(from_ns / timeline->bin_ns) : 0;

	for (size_t i = first; i < timeline->n && (int64_t)i * timeline->bin_ns < to_ns; i++)
		merge(&range, &timeline->bins[i]);
	return range;
}
