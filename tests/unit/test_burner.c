/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burn is work in proportion to its loops, and its calibration ends also in a crowd. */
#include "unit.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "measure/burner.h"
#include "system/clock.h"

/*
 * A clock of our own for what cannot be had from a real one (linked with --wrap=clock_gettime):
 * while it is on, each reading is further from the one before, so that no two tries agree.
 */
static bool unsteady;
static double unsteady_now_ns, unsteady_step_ns;

int __real_clock_gettime(clockid_t clock, struct timespec *ts);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ts);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ts)
{
	if (!unsteady)
		return __real_clock_gettime(clock, ts);
	unsteady_step_ns *= 1.01;
	unsteady_now_ns += unsteady_step_ns;
	ts->tv_sec = (time_t)((int64_t)unsteady_now_ns / NS_PER_SEC);
	ts->tv_nsec = (long)((int64_t)unsteady_now_ns % NS_PER_SEC);
	return 0;
}

/* Processor time, not time: what others take from this CPU does not count. */
static double cpu_ns_of(uint64_t loops, int times)
{
	struct timespec a, b;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
	for (int i = 0; i < times; i++)
		burner_work(loops);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
	return (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#define TRIES 31

static double median(double *values)
{
	qsort(values, TRIES, sizeof(*values), compare);
	return values[TRIES / 2];
}

static void time_is_linear_in_loops(void **state)
{
	static const uint64_t factors[] = { 2, 4, 8 };

	(void)state;
	for (size_t f = 0; f < COUNT(factors); f++) {
		double ratios[TRIES], ratio;

		/* Side by side, so that a change of frequency meets both. */
		for (int i = 0; i < TRIES; i++) {
			double one = cpu_ns_of(200000, 1);

			ratios[i] = cpu_ns_of(200000 * factors[f], 1) / one;
		}
		ratio = median(ratios) / (double)factors[f];
		assert_case(ratio > 0.85 && ratio < 1.15, "factor %d: %.3f of it",
			    (int)factors[f], ratio);
	}
}

static void no_loops_burn_nothing(void **state)
{
	double none[TRIES], some[TRIES];

	(void)state;
	for (int i = 0; i < TRIES; i++) {
		none[i] = cpu_ns_of(0, 1000);
		some[i] = cpu_ns_of(1000, 1000);
	}
	/* A call and a test against a thousand multiplications. */
	assert_true(median(none) * 20 < median(some));
}

static void loops_are_the_nearest_whole_number(void **state)
{
	struct calibration c = { .ns_per_loop = 2.0 };

	(void)state;
	assert_int_equal(burner_loops(&c, 0), 0);
	assert_int_equal(burner_loops(&c, 0.9), 0);
	assert_int_equal(burner_loops(&c, 2.9), 1);
	assert_int_equal(burner_loops(&c, 3.1), 2);
	assert_int_equal(burner_loops(&c, 1e6), 500000);
	/* 1.5625 ms with 645209 loops, the block of the design: 2.42170 ns each. */
	c.ns_per_loop = 1562500.0 / 645209;
	assert_int_equal(burner_loops(&c, 1562500.0), 645209);
}

/* How the shortest of some bursts of 1 ms, as calibrated, compares with 1 ms. */
static double calibrated_ratio(void)
{
	struct calibration c;
	double ratio = INFINITY;

	burner_calibrate(&c);
	assert_true(c.ns_per_loop > 0);
	assert_true(c.tries >= BURNER_AGREE);
	assert_true(c.spread >= 0);
	assert_true(!c.settled || c.spread <= BURNER_SPREAD);
	for (int i = 0; i < TRIES; i++)
		ratio = fmin(ratio, cpu_ns_of(burner_loops(&c, 1e6), 1) / 1e6);
	return ratio;
}

/*
 * Wide bounds: it is the order that is checked. And not at once: a shared machine may be slow for
 * the whole of a calibration and fast again after it, a wrong calibration is wrong each time.
 */
static void calibration_agrees_with_the_loop(void **state)
{
	double ratio = 0;

	(void)state;
	for (int i = 0; i < 5 && !(ratio > 0.5 && ratio < 2); i++)
		ratio = calibrated_ratio();
	assert_case(ratio > 0.5 && ratio < 2, "%.3f ms of work for 1 ms", ratio);
}

static pid_t neighbour(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		__asm__ volatile("");
}

static void calibration_ends_beside_two_busy_neighbours(void **state)
{
	struct calibration c = { .ns_per_loop = -1 };
	cpu_set_t before, one;
	pid_t neighbours[2];
	int cpu = sched_getcpu();

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (size_t i = 0; i < COUNT(neighbours); i++)
		neighbours[i] = neighbour();
	/* No answer within a minute ends the program, and so fails. */
	alarm(60);
	burner_calibrate(&c);
	alarm(0);
	for (size_t i = 0; i < COUNT(neighbours); i++) {
		if (neighbours[i] > 0) {
			kill(neighbours[i], SIGKILL);
			waitpid(neighbours[i], NULL, 0);
		}
	}
	sched_setaffinity(0, sizeof(before), &before);
	assert_true(neighbours[0] > 0 && neighbours[1] > 0);
	assert_true(c.ns_per_loop > 0);
	/* It tells the truth about itself: settled in time, or gave up when the time was over. */
	if (c.settled)
		assert_true(c.spread <= BURNER_SPREAD);
	else
		assert_true(c.elapsed_ns >= BURNER_LIMIT_NS);
	/* The limit, and a generous part of a second for the try that was under way. */
	assert_case(c.elapsed_ns < BURNER_LIMIT_NS + 5 * NS_PER_SEC, "took %lld ms",
		    (long long)(c.elapsed_ns / 1000000));
}

static void calibration_that_never_agrees_gives_up(void **state)
{
	struct calibration c = { .settled = true };

	(void)state;
	unsteady_now_ns = 0;
	unsteady_step_ns = 2e6;
	unsteady = true;
	alarm(60);
	burner_calibrate(&c);
	alarm(0);
	unsteady = false;
	assert_false(c.settled);
	assert_true(c.spread > BURNER_SPREAD);
	assert_true(c.ns_per_loop > 0);
	/* By that clock: over the limit, by no more than some of its steps. */
	assert_true(c.elapsed_ns >= BURNER_LIMIT_NS);
	assert_true(c.elapsed_ns < BURNER_LIMIT_NS + NS_PER_SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_linear_in_loops),
		cmocka_unit_test(no_loops_burn_nothing),
		cmocka_unit_test(loops_are_the_nearest_whole_number),
		cmocka_unit_test(calibration_agrees_with_the_loop),
		cmocka_unit_test(calibration_that_never_agrees_gives_up),
		cmocka_unit_test(calibration_ends_beside_two_busy_neighbours),
	};

	return unit_run(tests);
}
