/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/metrics_json.h"

#include <math.h>
#include <stdio.h>

#include "util/jx.h"

#define NS_PER_MS 1e6
#define NS_PER_US 1e3

/* The quantiles that are told, beside least and greatest. */
static const struct {
	const char *name;
	double q;
} quantiles[] = {
	{ "median", 0.5 },   { "p90", 0.9 },       { "p99", 0.99 },
	{ "p99_9", 0.999 },  { "p99_99", 0.9999 }, { "p99_999", 0.99999 },
};

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

/* min, the quantiles and max of a histogram as PREFIX_QUANTILE_UNIT. */
static void put_distribution(json_t *object, const char *prefix, const char *unit, double unit_ns,
			     const struct histogram *h, uint64_t missed)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_min_%s", prefix, unit);
	jx_put_real(object, key, h->n ? (double)h->min / unit_ns : NAN);
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++) {
		int64_t value = 0;

		snprintf(key, sizeof(key), "%s_%s_%s", prefix, quantiles[i].name, unit);
		switch (h->n ? histogram_quantile(h, missed, quantiles[i].q, &value) :
			       QUANTILE_TOO_FEW) {
		case QUANTILE_KNOWN:
			jx_put_real(object, key, (double)value / unit_ns);
			break;
		case QUANTILE_MISSED:
			jx_put(object, key, json_string("missed"));
			break;
		case QUANTILE_TOO_FEW:
			jx_put(object, key, json_null());
			break;
		}
	}
	snprintf(key, sizeof(key), "%s_max_%s", prefix, unit);
	jx_put_real(object, key, h->n ? (double)h->max / unit_ns : NAN);
	snprintf(key, sizeof(key), "%s_overflow_count", prefix);
	jx_put_count(object, key, h->overflow);
}

static void put_diffs(json_t *object, const struct metrics *m)
{
	double n = (double)m->diffs;

	jx_put_count(object, "diffs", m->diffs);
	jx_put_real(object, "min_diff_ms", m->diff->n ? (double)m->diff->min / NS_PER_MS : NAN);
	jx_put_real(object, "mean_diff_ms", m->diffs ? m->diff_moments.mean / NS_PER_MS : NAN);
	jx_put_real(object, "stddev_diff_ms", moments_stddev(&m->diff_moments) / NS_PER_MS);
	jx_put_real(object, "max_diff_ms", m->diff->n ? (double)m->diff->max / NS_PER_MS : NAN);
	jx_put_count(object, "diff_overflow_count", m->diff->overflow);
	jx_put_count(object, "overruns", m->overruns);
	jx_put_count(object, "within_1ms_count", m->within_1ms);
	jx_put_real(object, "within_1ms_percent", percent((double)m->within_1ms, n));
	jx_put_real(object, "within_1ms_time_percent", percent(m->within_1ms_ns, m->diff_sum_ns));
	jx_put_count(object, "within_2ms_count", m->within_2ms);
	jx_put_real(object, "within_2ms_percent", percent((double)m->within_2ms, n));
	jx_put_real(object, "within_2ms_time_percent", percent(m->within_2ms_ns, m->diff_sum_ns));
	jx_put_real(object, "deviation_ms", metrics_deviation_ns(m) / NS_PER_MS);
	jx_put_real(object, "rms_deviation_ms", metrics_rms_ns(m) / NS_PER_MS);
}

static void put_burn(json_t *object, const struct metrics *m, double load_asked)
{
	double n = (double)m->cycles, mean = m->cycles ? m->burn_sum_ns / n : NAN;
	double period = m->params.period_ns;
	int64_t p5;
	double work = metrics_burn_p5_ns(m, &p5) ? (double)p5 : NAN;

	jx_put_real(object, "burn_nominal_ms", m->params.burn_ns / NS_PER_MS);
	jx_put_real(object, "burn_p5_ms", work / NS_PER_MS);
	jx_put_real(object, "burn_mean_ms", mean / NS_PER_MS);
	jx_put_real(object, "burn_max_ms", m->burn->n ? (double)m->burn->max / NS_PER_MS : NAN);
	jx_put_count(object, "burn_overflow_count", m->burn->overflow);
	jx_put_real(object, "burn_within_0_1ms_percent", percent((double)m->burn_within_100us, n));
	jx_put_real(object, "burn_within_0_2ms_percent", percent((double)m->burn_within_200us, n));
	jx_put_real(object, "load_asked", load_asked);
	jx_put_real(object, "load_achieved", work / period);
	jx_put_real(object, "stolen_percent", percent(mean - work, period));
}

static const char *lateness_name(enum lateness_kind kind)
{
	switch (kind) {
	case LATENESS_EXACT:
		return "exact";
	case LATENESS_FITTED:
		return "fitted";
	case LATENESS_INTERRUPT:
		return "from interrupt";
	}
	return "unknown";
}

json_t *metrics_json(const struct evaluation *evaluation, uint64_t expected, double load_asked)
{
	const struct metrics *m = &evaluation->metrics;
	json_t *object = json_object();
	json_t *cpus = json_object();

	jx_put(object, "thread", json_integer(0));
	jx_put_count(object, "cycles", m->cycles);
	jx_put_count(object, "missed_cycles", m->missed);
	jx_put_count(object, "expected_cycles", expected);
	jx_put_count(object, "lost_samples",
		  evaluation->has_end ? evaluation->end.lost : evaluation->lost);
	put_diffs(object, m);
	put_burn(object, m, load_asked);
	jx_put(object, "lateness_kind", json_string(lateness_name(m->params.lateness)));
	put_distribution(object, "lateness", "us", NS_PER_US, m->lateness, m->missed);
	put_distribution(object, "finish", "ms", NS_PER_MS, m->finish, m->missed);
	/* Of none that is known nothing can be said; not that there were no late ones. */
	jx_put(object, "late_finishes",
	       m->finish->n ? json_integer((json_int_t)m->late_finishes) : json_null());
	jx_put_count(object, "unstamped_cycles", m->unstamped);
	jx_put_count(object, "throttling_gaps", metrics_throttled(m) ? m->throttle_gaps : 0);
	jx_put_count(object, "xruns", m->xruns);
	jx_put_real(object, "rate_drift_ppm", metrics_drift_ppm(m));
	jx_put_count(object, "migrations", m->migrations);
	for (unsigned int cpu = 0; cpu < METRICS_MAX_CPUS; cpu++) {
		char key[16];

		snprintf(key, sizeof(key), "%u", cpu);
		if (m->cycles_on_cpu[cpu])
			jx_put_count(cpus, key, m->cycles_on_cpu[cpu]);
	}
	jx_put(object, "cycles_by_cpu", cpus);
	return object;
}
