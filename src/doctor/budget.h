/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long real-time tasks may run of each period. */
#ifndef LT_DOCTOR_BUDGET_H
#define LT_DOCTOR_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "doctor/doctor.h"

struct budget {
	int64_t runtime_us; /* -1: without limit */
	int64_t period_us;
};

/* Of the machine, and of the own control group. false where it is not told or makes no sense. */
bool budget_global(const struct doctor_params *params, struct budget *budget);
bool budget_group(const struct doctor_params *params, struct budget *budget);

/* Whether the kernel has the fair server (6.12 and later); -1 where its release is not told. */
int budget_fair_server(const struct doctor_params *params);

/*
 * Whether it throttles by budgets at all: from 6.12 on only with CONFIG_RT_GROUP_SCHED. -1 where
 * that is not told.
 */
int budget_throttles(const struct doctor_params *params);

#endif
