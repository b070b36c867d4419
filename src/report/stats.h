/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals and tests for comparing runs. All are exact where that can be had, two-sided unless
 * they say otherwise, and take and return plain numbers: counts, shares from 0 to 1, or values in
 * the unit of whoever calls. p is a probability from 0 to 1.
 */
#ifndef LT_REPORT_STATS_H
#define LT_REPORT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stats_interval {
	double low, high;
	double confidence; /* what it has: at least what was asked, where that can be had */
};

enum stats_side {
	STATS_TWO_SIDED,
	STATS_GREATER,     /* the first sample, or the share, is the greater one */
	STATS_LESS,
};

/* ---- stats_interval.c: of one share or one count ---- */

/*
 * The share of `hits` among n by the score interval (Wilson 1927; Brown, Cai, DasGupta 2001, eq.
 * 4). For n = 0: 0 to 1.
 */
struct stats_interval stats_wilson(double hits, double n, double confidence);

/*
 * The same, exact: quantiles of beta distributions (Clopper and Pearson 1934), 0 and 1 at the ends.
 * For n = 0: 0 to 1.
 */
struct stats_interval stats_clopper_pearson(double hits, double n, double confidence);

/*
 * The mean of a Poisson count of which `seen` events were counted, exact: qchisq(a / 2, 2 seen) / 2
 * to qchisq(1 - a / 2, 2 seen + 2) / 2 (Garwood 1936); the lower end for 0 is 0.
 */
struct stats_interval stats_garwood(double seen, double confidence);

/* ---- stats_binomial.c: counts of two single runs ---- */

/*
 * p of `hits` of n where the share is expected to be `share`: the probability of all outcomes that
 * are no likelier than the one seen (as binom.test of R; Clopper and Pearson 1934). 1 for n = 0.
 */
double stats_binomial_test(double hits, double n, double share);

struct stats_rates {
	double ratio;                   /* (x / tx) / (y / ty); infinite or NaN where y is 0 */
	struct stats_interval interval; /* of the ratio, by Clopper and Pearson */
	double p;
};

/*
 * Events x in exposure tx against y in ty, both Poisson: given x + y, x is binomial with share
 * tx / (tx + ty) (Przyborowski and Wilenski 1940; poisson.test of R). Exposures are in the same
 * unit and greater than 0. It takes for granted that events come singly and at a constant rate.
 */
struct stats_rates stats_rate_ratio(double x, double tx, double y, double ty, double confidence);

/* ---- stats_rank.c: values of some runs a side ---- */

struct stats_rank_test {
	double w;   /* pairs in which x is the greater, ties as halves */
	double p;
	bool exact; /* else the normal approximation with correction for ties and continuity */
	bool ties;
};

/*
 * The rank test of Wilcoxon (1945) and Mann and Whitney (1947). Exact up to 50 values a side: by
 * the recurrence of Mann and Whitney (libRmath), where there are ties by the conditional
 * distribution of the sum of midranks (the shift algorithm of Streitberg and Roehmel 1986). Two-
 * sided p is twice the smaller tail, at most 1. Infinite values are ranks like any other. 0, or
 * -EINVAL where a side is empty or has a NaN, or -ENOMEM.
 */
int stats_mann_whitney(const double *x, size_t nx, const double *y, size_t ny,
		       enum stats_side side, struct stats_rank_test *test);

/*
 * By how much x lies above y: the median of all differences x - y, and the interval between those
 * that the rank test does not reject (Hodges and Lehmann 1963; Moses 1965; Hollander and Wolfe,
 * Nonparametric Statistical Methods, 4.3). The confidence is exact without ties and at least that
 * with them; where so few values cannot reach what was asked, the interval is from the least to the
 * greatest difference, and its confidence says what it is worth. Two infinite values differ by
 * 0. Errors as above; at most 30,000 values a side (-E2BIG).
 */
int stats_hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double confidence,
			 double *shift, struct stats_interval *interval);

/* The median of n values, which are sorted by this; NaN for none. */
double stats_median(double *values, size_t n);

/*
 * Which of n sorted values (from 1) bound their population's median: ranks k and n + 1 - k with the
 * greatest k whose coverage 1 - 2 pbinom(k - 1, n, 1/2) is the confidence or more (David and
 * Nagaraja, Order Statistics, 7.1). Fewer than 6 values give no 95 %: then the interval is 1 to n
 * with the confidence that it has.
 */
struct stats_interval stats_median_ranks(size_t n, double confidence);

/* ---- stats_permutation.c: rates of some runs a side ---- */

struct stats_permutation {
	double difference;   /* mean of x less mean of y */
	double p;
	bool exact;          /* all ways of parting the values; else `draws` of them at random */
	double arrangements; /* how many ways there are, equal values being one */
	unsigned int draws;
};

/*
 * The permutation test of Fisher (1935) and Pitman (1937) on the difference of means: p is the
 * share of the ways to part all values into nx and ny whose difference is no smaller than the one
 * seen. All ways are counted where there are at most a million (and 64 values), equal values taken
 * together; else 99,999 are drawn at random, the same ones for the same seed, and p is (b + 1) /
 * (draws + 1) (Phipson and Smyth 2010). 0, -EINVAL (a side is empty, a value not finite), -ENOMEM.
 */
int stats_permutation_test(const double *x, size_t nx, const double *y, size_t ny, uint64_t seed,
			   struct stats_permutation *test);

/* ---- stats_spearman.c: two values each of some runs ---- */

struct stats_spearman {
	double rho;  /* -1 to 1; NaN where one of the two does not vary */
	double p;    /* two-sided; NaN with rho */
	bool exact;
	bool ties;
};

/*
 * Rank correlation (Spearman 1904) of x and y, equal values at their midranks. p is the share of
 * all orders of y with a correlation no weaker, counted up to 9 values, also where there are ties;
 * beyond that by Student's t with n - 2 degrees of freedom (Kendall 1970). Where `fitted` constants
 * were taken out of x and y before (medians of groups, beside one for all), not all orders are
 * equally likely: then it is always t, with as many degrees of freedom less. No p is less than the
 * share of the orders that are the same as the one seen. Infinite values are ranks like any other.
 * 0, -EINVAL (fewer than 3 + fitted values, a NaN, more than 100,000) or -ENOMEM.
 */
int stats_spearman(const double *x, const double *y, size_t n, size_t fitted,
		   struct stats_spearman *test);

/* The least p that n values without ties can give: 2 / n!. */
double stats_spearman_least_p(size_t n);

/* ---- stats_holm.c: many tests ---- */

/*
 * Adjusts n values of p for a family of `family` tests (at least n: those that could not be made
 * count as well), by Holm (1979): the i-th smallest times family - i + 1, never less than the one
 * before, at most 1. NaN stays NaN and is not counted in the order. 0 or -ENOMEM.
 */
int stats_holm(const double *p, size_t n, size_t family, double *adjusted);

/* The least p that a rank or permutation test can give: 2 / choose(nx + ny, nx). */
double stats_least_p(size_t nx, size_t ny);

/*
 * How many runs a side it takes before the least p times the family is below alpha: before that
 * no outcome, however clear, is significant.
 */
size_t stats_runs_needed(size_t family, double alpha);

#endif
