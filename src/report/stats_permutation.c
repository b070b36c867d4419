/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/stats.h"

#include <errno.h>
#define MATHLIB_STANDALONE
#include <Rmath.h>
#include <math.h>
#include <stdlib.h>

#define EXACT_VALUES 64
#define EXACT_WAYS 1e6
#define DRAWS 99999u

/* What both ways of counting need. */
struct problem {
	double *values;      /* all, those of x first; sorted for counting */
	size_t nx, ny;
	double total;        /* their sum */
	double limit;        /* as far off as what was seen, less the error of rounding */
};

/* Equal values taken together. */
struct lots {
	double value[EXACT_VALUES];
	unsigned int times[EXACT_VALUES];
	unsigned int left[EXACT_VALUES + 1]; /* values in this lot and those after it */
	size_t n;
	double extreme, all; /* ways counted */
};

static int by_number(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double difference(const struct problem *problem, double sum)
{
	return sum / (double)problem->nx - (problem->total - sum) / (double)problem->ny;
}

static void take_together(const struct problem *problem, struct lots *lots)
{
	size_t n = problem->nx + problem->ny;

	lots->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (lots->n && lots->value[lots->n - 1] == problem->values[i]) {
			lots->times[lots->n - 1]++;
			continue;
		}
		lots->value[lots->n] = problem->values[i];
		lots->times[lots->n++] = 1;
	}
	lots->left[lots->n] = 0;
	for (size_t i = lots->n; i-- > 0;)
		lots->left[i] = lots->left[i + 1] + lots->times[i];
}

/* In how many ways nx values can be taken from the lots. */
static double count_ways(const struct lots *lots, size_t nx)
{
	double ways[EXACT_VALUES + 1] = { 1 };

	for (size_t i = 0; i < lots->n; i++)
		for (size_t k = nx; k > 0; k--)
			for (size_t taken = 1; taken <= lots->times[i] && taken <= k; taken++)
				ways[k] += ways[k - taken];
	return ways[nx];
}

/* All ways to take `left` values from lot i on, each as often as its equal values can be chosen. */
static void walk(const struct problem *problem, struct lots *lots, size_t i, unsigned int left,
		 double sum, double weight)
{
	if (i == lots->n) {
		lots->all += weight;
		if (fabs(difference(problem, sum)) >= problem->limit)
			lots->extreme += weight;
		return;
	}
	for (unsigned int taken = 0; taken <= lots->times[i] && taken <= left; taken++)
		if (left - taken <= lots->left[i + 1])
			walk(problem, lots, i + 1, left - taken, sum + taken * lots->value[i],
			     weight * choose(lots->times[i], taken));
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* One way at random: the first nx of a shuffle that is not carried on. */
static double draw_sum(const struct problem *problem, uint64_t *state)
{
	size_t left = problem->nx + problem->ny;
	double sum = 0;

	for (size_t i = 0; i < problem->nx && left; i++, left--) {
		size_t other = i + (size_t)(next_random(state) % left);
		double value = problem->values[other];

		problem->values[other] = problem->values[i];
		problem->values[i] = value;
		sum += value;
	}
	return sum;
}

static void draw(const struct problem *problem, uint64_t seed, struct stats_permutation *test)
{
	double extreme = 0;

	test->exact = false;
	test->draws = DRAWS;
	for (unsigned int i = 0; i < DRAWS; i++)
		extreme += fabs(difference(problem, draw_sum(problem, &seed))) >= problem->limit;
	test->p = (extreme + 1) / (DRAWS + 1.0);
}

static void solve(const struct problem *problem, uint64_t seed, struct stats_permutation *test)
{
	size_t n = problem->nx + problem->ny;
	struct lots lots = { .n = 0 };

	test->arrangements = choose((double)n, (double)problem->nx);
	if (n <= EXACT_VALUES) {
		take_together(problem, &lots);
		test->arrangements = count_ways(&lots, problem->nx);
	}
	if (n > EXACT_VALUES || test->arrangements > EXACT_WAYS) {
		draw(problem, seed, test);
		return;
	}
	walk(problem, &lots, 0, (unsigned int)problem->nx, 0, 1);
	test->exact = true;
	test->draws = 0;
	test->p = lots.extreme / lots.all;
}

int stats_permutation_test(const double *x, size_t nx, const double *y, size_t ny, uint64_t seed,
			   struct stats_permutation *test)
{
	struct problem problem = { .nx = nx, .ny = ny };
	double sum = 0, greatest = 0;

	if (!nx || !ny)
		return -EINVAL;
	problem.values = malloc((nx + ny) * sizeof(problem.values[0]));
	if (!problem.values)
		return -ENOMEM;
	for (size_t i = 0; i < nx + ny; i++) {
		double value = i < nx ? x[i] : y[i - nx];

		if (!isfinite(value)) {
			free(problem.values);
			return -EINVAL;
		}
		problem.values[i] = value;
		problem.total += value;
		sum += i < nx ? value : 0;
		greatest = fmax(greatest, fabs(value));
	}
	test->difference = difference(&problem, sum);
	problem.limit = fabs(test->difference) - 1e-9 * greatest;
	qsort(problem.values, nx + ny, sizeof(problem.values[0]), by_number);
	solve(&problem, seed, test);
	free(problem.values);
	return 0;
}
