/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/burner.h"

#include <math.h>
#include <time.h>

#include "system/clock.h"

/* Long enough that the clock's own cost does not count, short enough to fit between interrupts. */
#define TRY_NS 2000000.0
/* A processor that was idle needs this long to reach the speed that it keeps under load. */
#define RAMP_NS 100000000LL
#define MIN_TRIES 20
/* After so many tries the CPU is given away for a moment, or the kernel's real-time throttling
 * would take it away for longer. */
#define TRIES_PER_REST 4
#define REST_NS 1000000

/*
 * In assembler where we can, so that neither compiler nor options change what one iteration costs.
 * The constants are those of Knuth's MMIX generator; any odd multiplier would do.
 */
void burner_work(uint64_t loops)
{
	uint64_t x = 1;

	if (!loops)
		return;
#if defined(__x86_64__)
	{
		uint64_t factor = 6364136223846793005u;

		__asm__ volatile(".p2align 5\n"
				 "1:\n\t"
				 "imulq %[factor], %[x]\n\t"
				 "addq $1, %[x]\n\t"
				 "subq $1, %[loops]\n\t"
				 "jnz 1b"
				 : [x] "+r"(x), [loops] "+r"(loops)
				 : [factor] "r"(factor)
				 : "cc");
	}
#elif defined(__aarch64__)
	{
		uint64_t factor = 6364136223846793005u, one = 1;

		__asm__ volatile(".p2align 5\n"
				 "1:\n\t"
				 "madd %[x], %[x], %[factor], %[one]\n\t"
				 "subs %[loops], %[loops], #1\n\t"
				 "b.ne 1b"
				 : [x] "+r"(x), [loops] "+r"(loops)
				 : [factor] "r"(factor), [one] "r"(one)
				 : "cc");
	}
#else
	while (loops--) {
		x = x * 6364136223846793005u + 1;
		/* The compiler must not see through the chain. */
		__asm__ volatile("" : "+r"(x));
	}
#endif
	__asm__ volatile("" : : "r"(x));
}

static double time_loops(uint64_t loops)
{
	int64_t start = clock_now_ns();

	burner_work(loops);
	return (double)(clock_now_ns() - start) / (double)loops;
}

/* Keeps the BURNER_AGREE smallest values, sorted. */
static void keep_smallest(double *best, double value)
{
	for (int i = 0; i < BURNER_AGREE; i++) {
		if (value < best[i]) {
			double larger = best[i];

			best[i] = value;
			value = larger;
		}
	}
}

void burner_calibrate(struct calibration *calibration)
{
	const struct timespec rest = { .tv_nsec = REST_NS };
	int64_t start = clock_now_ns();
	double best[BURNER_AGREE];
	uint64_t loops = 1000;
	double ns_per_loop;

	do {
		ns_per_loop = time_loops(loops);
		loops = (uint64_t)fmax(TRY_NS / ns_per_loop, 1000.0);
	} while (clock_now_ns() - start < RAMP_NS);

	for (int i = 0; i < BURNER_AGREE; i++)
		best[i] = INFINITY;
	calibration->tries = 0;
	calibration->settled = false;
	do {
		keep_smallest(best, time_loops(loops));
		calibration->tries++;
		if (calibration->tries % TRIES_PER_REST == 0)
			clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
		calibration->spread = best[BURNER_AGREE - 1] / best[0] - 1;
		calibration->settled = calibration->tries >= MIN_TRIES &&
				       calibration->spread <= BURNER_SPREAD;
		calibration->elapsed_ns = clock_now_ns() - start;
	} while (!calibration->settled && calibration->elapsed_ns < BURNER_LIMIT_NS);
	calibration->ns_per_loop = best[0];
}

uint64_t burner_loops(const struct calibration *calibration, double ns)
{
	return (uint64_t)llround(ns / calibration->ns_per_loop);
}
