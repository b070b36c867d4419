/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/grid.h"

/* How near to the throttling gap and its period a stall has to be to count as one. */
#define THROTTLE_TOLERANCE 0.25
#define THROTTLE_SPACING_TOLERANCE 0.1
#define THROTTLE_MIN_GAPS 2
/* A period now and then goes by without one; further apart it is chance. */
#define THROTTLE_MAX_PERIODS 2

double metrics_period_ns(uint32_t rate_hz, uint32_t wakeups)
{
	return wakeups * 1e9 / rate_hz;
}

int metrics_init(struct metrics *metrics, const struct metrics_params *params)
{
	memset(metrics, 0, sizeof(*metrics));
	metrics->params = *params;
	metrics->last_stall_ns = -1;
	metrics->diff = histogram_new();
	metrics->burn = histogram_new();
	metrics->lateness = histogram_new();
	metrics->finish = histogram_new();
	if (metrics->diff && metrics->burn && metrics->lateness && metrics->finish)
		return 0;
	metrics_free(metrics);
	return -ENOMEM;
}

void metrics_free(struct metrics *metrics)
{
	free(metrics->diff);
	free(metrics->burn);
	free(metrics->lateness);
	free(metrics->finish);
	metrics->diff = metrics->burn = metrics->lateness = metrics->finish = NULL;
}

void metrics_set_phase(struct metrics *metrics, int64_t phase_ns)
{
	metrics->phase_ns = phase_ns;
}

int64_t metrics_due_ns(const struct metrics *metrics, const struct cycle *cycle)
{
	const struct metrics_params *params = &metrics->params;
	uint64_t tick = cycle->ticks - cycle->ticks % params->wakeups;

	if (params->lateness == LATENESS_FITTED)
		return metrics->phase_ns + (int64_t)tick * params->slope_ns;
	return grid_due_ns(tick, params->rate_hz);
}

static void add_lateness(struct metrics *metrics, const struct cycle *cycle)
{
	const struct metrics_params *params = &metrics->params;
	int64_t lateness, finish;

	if (params->lateness == LATENESS_INTERRUPT) {
		if (cycle->lateness_ns == LATENESS_UNKNOWN)
			return;
		lateness = cycle->lateness_ns;
	} else {
		lateness = cycle->wake_ns - metrics_due_ns(metrics, cycle);
	}
	finish = lateness + cycle->burn_ns;
	histogram_add(metrics->lateness, lateness);
	histogram_add(metrics->finish, finish);
	if ((double)finish > params->deadline * params->period_ns)
		metrics->late_finishes++;
}

static void add_burn(struct metrics *metrics, const struct cycle *cycle)
{
	double off = fabs((double)cycle->burn_ns - metrics->params.burn_ns);

	metrics->burn_sum_ns += (double)cycle->burn_ns;
	metrics->burn_within_100us += off <= 1e5;
	metrics->burn_within_200us += off <= 2e5;
	histogram_add(metrics->burn, cycle->burn_ns);
}

static void add_diff(struct metrics *metrics, double diff)
{
	const struct metrics_params *params = &metrics->params;
	double off = fabs(diff - params->period_ns);

	metrics->diffs++;
	metrics->diff_sum_ns += diff;
	metrics->off_sum_ns += off;
	metrics->off_square_sum_ns2 += off * off;
	if (off <= 1e6) {
		metrics->within_1ms++;
		metrics->within_1ms_ns += diff;
	}
	if (off <= 2e6) {
		metrics->within_2ms++;
		metrics->within_2ms_ns += diff;
	}
	metrics->overruns += diff > params->deadline * params->period_ns;
}

static bool near(double value, double target, double tolerance)
{
	return fabs(value - target) <= tolerance * target;
}

/* A stall of about the throttling gap, one throttling period (or two) after the last one. */
static void watch_throttling(struct metrics *metrics, int64_t began_ns, double stall_ns)
{
	const struct metrics_params *params = &metrics->params;
	double spacing, periods;

	if (!near(stall_ns, params->throttle_gap_ns, THROTTLE_TOLERANCE))
		return;
	spacing = (double)(began_ns - metrics->last_stall_ns);
	/* A burn that was stalled makes the next diff long as well: the same stall. */
	if (metrics->last_stall_ns >= 0 && spacing < 2 * params->throttle_gap_ns)
		return;
	metrics->throttle_stalls++;
	periods = round(spacing / params->throttle_period_ns);
	if (metrics->last_stall_ns < 0)
		metrics->throttle_gaps = 1;
	else if (periods >= 1 && periods <= THROTTLE_MAX_PERIODS &&
		 fabs(spacing - periods * params->throttle_period_ns) <=
			 THROTTLE_SPACING_TOLERANCE * params->throttle_period_ns)
		metrics->throttle_gaps++;
	metrics->last_stall_ns = began_ns;
}

static void add_cycle(struct metrics *metrics, const struct cycle *cycle)
{
	uint64_t index = cycle->ticks / metrics->params.wakeups;
	int64_t diff = cycle->wake_ns - metrics->last_wake_ns;

	metrics->cycles++;
	metrics->missed += cycle->missed;
	metrics->migrations += cycle->cpu != metrics->last_cpu;
	if (cycle->cpu < METRICS_MAX_CPUS)
		metrics->cycles_on_cpu[cycle->cpu]++;
	/* Where the index jumped by more than was missed, cycles were lost: no diff spans them. */
	if (index - metrics->last_index == 1 + (uint64_t)cycle->missed) {
		add_diff(metrics, (double)diff);
		histogram_add(metrics->diff, diff);
	}
	add_burn(metrics, cycle);
	add_lateness(metrics, cycle);
	/* The CPU is taken away during a burn (it gets longer) or between two (the wait does). */
	if (metrics->params.throttle_gap_ns > 0) {
		double burn_stall = (double)cycle->burn_ns - metrics->params.burn_ns;
		double wait_stall = (double)diff - metrics->params.period_ns;

		watch_throttling(metrics, cycle->wake_ns,
				 burn_stall > metrics->params.period_ns ? burn_stall : wait_stall);
	}
}

void metrics_add(struct metrics *metrics, const struct cycle *cycles, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (metrics->have_origin)
			add_cycle(metrics, &cycles[i]);
		metrics->have_origin = true;
		metrics->last_wake_ns = cycles[i].wake_ns;
		metrics->last_index = cycles[i].ticks / metrics->params.wakeups;
		metrics->last_cpu = cycles[i].cpu;
	}
}

double metrics_deviation_ns(const struct metrics *metrics)
{
	return metrics->diffs ? metrics->off_sum_ns / (double)metrics->diffs : NAN;
}

double metrics_rms_ns(const struct metrics *metrics)
{
	return metrics->diffs ? sqrt(metrics->off_square_sum_ns2 / (double)metrics->diffs) : NAN;
}

bool metrics_burn_p5_ns(const struct metrics *metrics, int64_t *value)
{
	return histogram_quantile(metrics->burn, 0, 0.05, value) == QUANTILE_KNOWN;
}

bool metrics_throttled(const struct metrics *metrics)
{
	/* Of stalls at random moments some are a period apart as well, but not most of them. */
	return metrics->throttle_gaps >= THROTTLE_MIN_GAPS &&
	       2 * (metrics->throttle_gaps - 1) > metrics->throttle_stalls - 1;
}
