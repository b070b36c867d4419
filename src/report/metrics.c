/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/metrics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/grid.h"
#include "util/wrap.h"

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

static inline int64_t due_ns(const struct metrics_params *params, int64_t phase_ns,
			     struct grid_cursor *cursor, const struct cycle *cycle)
{
	uint64_t tick = cycle->ticks;

	if (params->wakeups > 1)
		tick -= tick % params->wakeups;
	if (params->lateness == LATENESS_FITTED)
		return wrap_add(phase_ns, wrap_mul(tick, params->slope_ns));
	return grid_cursor_due_ns(cursor, tick);
}

int64_t metrics_due_ns(const struct metrics *metrics, const struct cycle *cycle)
{
	struct grid_cursor cursor = { .rate_hz = metrics->params.rate_hz };

	return due_ns(&metrics->params, metrics->phase_ns, &cursor, cycle);
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
	spacing = (double)wrap_sub(began_ns, metrics->last_stall_ns);
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

/* Takes one cycle. Returns whether it has a diff, which then is in *diff_ns. */
static bool add_cycle(struct metrics *metrics, const struct cycle *cycle, double *diff_ns)
{
	uint64_t index = cycle->ticks / metrics->params.wakeups;
	int64_t diff = wrap_sub(cycle->wake_ns, metrics->last_wake_ns);
	/* Where the index jumped by more than was missed, cycles were lost: no diff spans them. */
	bool has_diff = index - metrics->last_index == 1 + (uint64_t)cycle->missed;

	metrics->cycles++;
	metrics->missed += cycle->missed;
	metrics->xruns += cycle->xruns;
	metrics->migrations += cycle->cpu != metrics->last_cpu;
	if (cycle->cpu < METRICS_MAX_CPUS)
		metrics->cycles_on_cpu[cycle->cpu]++;
	*diff_ns = (double)diff;
	if (has_diff) {
		add_diff(metrics, (double)diff);
		histogram_add(metrics->diff, diff);
	}
	add_burn(metrics, cycle);
	/* The CPU is taken away during a burn (it gets longer) or between two (the wait does). */
	if (metrics->params.throttle_gap_ns > 0) {
		double burn_stall = (double)cycle->burn_ns - metrics->params.burn_ns;
		double wait_stall = has_diff ? (double)diff - metrics->params.period_ns : 0;

		watch_throttling(metrics, cycle->wake_ns,
				 burn_stall > metrics->params.period_ns ? burn_stall : wait_stall);
	}
	return has_diff;
}

void metrics_add_diffs(struct metrics *metrics, const struct cycle *cycles, size_t n)
{
	double diffs[512];
	size_t n_diffs = 0;

	for (size_t i = 0; i < n; i++) {
		if (metrics->have_origin && add_cycle(metrics, &cycles[i], &diffs[n_diffs]))
			n_diffs++;
		if (!metrics->have_origin) {
			metrics->origin_wake_ns = cycles[i].wake_ns;
			metrics->origin_ticks = cycles[i].ticks;
		}
		metrics->have_origin = true;
		metrics->last_ticks = cycles[i].ticks;
		metrics->last_wake_ns = cycles[i].wake_ns;
		metrics->last_index = cycles[i].ticks / metrics->params.wakeups;
		metrics->last_cpu = cycles[i].cpu;
		if (n_diffs == sizeof(diffs) / sizeof(diffs[0]) || i + 1 == n) {
			moments_add(&metrics->diff_moments, diffs, n_diffs);
			n_diffs = 0;
		}
	}
}

void metrics_add_lateness(struct metrics *metrics, const struct cycle *cycles, size_t n)
{
	/* Copies: what lies beside the originals may be written by the thread of the other half. */
	const struct metrics_params params = metrics->params;
	struct histogram *lateness_histogram = metrics->lateness,
			 *finish_histogram = metrics->finish;
	int64_t phase_ns = metrics->phase_ns;
	struct grid_cursor cursor = { .rate_hz = params.rate_hz };
	double limit_ns = params.deadline * params.period_ns;
	uint64_t late = 0, unstamped = 0;

	for (size_t i = !metrics->have_lateness_origin; i < n; i++) {
		const struct cycle *cycle = &cycles[i];
		int64_t lateness = cycle->lateness_ns, finish;

		if (params.lateness != LATENESS_INTERRUPT) {
			lateness =
				wrap_sub(cycle->wake_ns, due_ns(&params, phase_ns, &cursor, cycle));
		} else if (lateness == LATENESS_UNKNOWN) {
			unstamped++;
			continue;
		}
		finish = wrap_add(lateness, cycle->burn_ns);
		histogram_add(lateness_histogram, lateness);
		histogram_add(finish_histogram, finish);
		late += (double)finish > limit_ns;
	}
	metrics->late_finishes += late;
	metrics->unstamped += unstamped;
	metrics->have_lateness_origin |= n > 0;
}

void metrics_add(struct metrics *metrics, const struct cycle *cycles, size_t n)
{
	metrics_add_diffs(metrics, cycles, n);
	metrics_add_lateness(metrics, cycles, n);
}

double metrics_deviation_ns(const struct metrics *metrics)
{
	return metrics->diffs ? metrics->off_sum_ns / (double)metrics->diffs : NAN;
}

double metrics_rms_ns(const struct metrics *metrics)
{
	return metrics->diffs ? sqrt(metrics->off_square_sum_ns2 / (double)metrics->diffs) : NAN;
}

double metrics_drift_ppm(const struct metrics *metrics)
{
	double elapsed_ns = (double)wrap_sub(metrics->last_wake_ns, metrics->origin_wake_ns);
	double nominal_ns = (double)(metrics->last_ticks - metrics->origin_ticks) * 1e9 /
			    metrics->params.rate_hz;

	return metrics->cycles > 1 && nominal_ns > 0 ? 1e6 * (elapsed_ns / nominal_ns - 1) : NAN;
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
