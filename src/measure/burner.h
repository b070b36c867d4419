/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The burn: a fixed number of iterations of work, as a synthesizer would do per period. Work, not
 * time: a burn that is disturbed takes longer, and that is measured.
 */
#ifndef LT_MEASURE_BURNER_H
#define LT_MEASURE_BURNER_H

#include <stdbool.h>
#include <stdint.h>

struct calibration {
	double ns_per_loop;    /* the fastest of the tries */
	double spread;         /* how far the slowest of the agreeing tries lay above, as a share */
	unsigned int tries;
	int64_t elapsed_ns;    /* time the calibration took */
	bool settled;          /* false: the tries never agreed within the time */
};

/*
 * Runs the loop that many times. One iteration is one step of a chain of dependent multiplications
 * and additions, so that its speed is the latency of the multiplier and nothing else.
 */
void burner_work(uint64_t loops);

/*
 * Times the loop on the calling thread, which should have the policy and CPU of the measurement,
 * until BURNER_AGREE tries agree within BURNER_SPREAD; ends after BURNER_LIMIT_NS at the latest.
 */
void burner_calibrate(struct calibration *calibration);

#define BURNER_AGREE 5
#define BURNER_SPREAD 0.005
#define BURNER_LIMIT_NS 1500000000LL

/* The loops that fill that many ns: the nearest whole number, 0 for 0 ns. */
uint64_t burner_loops(const struct calibration *calibration, double ns);

#endif
