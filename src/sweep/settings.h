/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings of the machine that a sweep varies: which they are, what they were, and setting
 * those of a label. Putting them back is the guardian's work (guardian.h).
 */
#ifndef LT_SWEEP_SETTINGS_H
#define LT_SWEEP_SETTINGS_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "sweep/plan.h"
#include "system/block.h"
#include "system/preemption.h"
#include "system/setting.h"
#include "util/fault.h"

#define SETTINGS_MAX (BLOCK_MAX_DEVICES + 1)

struct sweep_setting {
	struct setting setting;
	char device[NAME_MAX + 1];     /* "" for the preemption model */
	char original[SETTING_WORD];   /* what is to be put back */
	int lock;                      /* keeps other sweeps off; -1: none */
};

struct sweep_settings {
	struct sweep_setting items[SETTINGS_MAX]; /* in the order in which they are changed */
	size_t n;
	struct preemption_control preemption;
};

/* What is asked for; NULL where the option is not given. */
struct settings_request {
	const char *dir;                /* the directory under test */
	const char *elevators;          /* LIST or "all" */
	const char *preempts;           /* likewise */
	const char *devices;            /* LIST */
	bool look_only;                 /* changes nothing: no lock, no module */
};

/*
 * Checks a list of the command line without looking at the machine: each word once, none empty,
 * names of elevators as today's kernels know them. "all" gives no words. 0 or -EINVAL with the
 * reason in fault; option is named there.
 */
int settings_parse_elevators(const char *list, struct plan_words *words, struct fault *fault);
int settings_parse_preempts(const char *list, struct plan_words *words, struct fault *fault);

/*
 * Finds the settings and what is in force, and fills in the words of both lists ("all": what every
 * device concerned offers). Each word can be had when this succeeds; modules are loaded for it. 0
 * or a negative errno with the reason in fault (-EBUSY: another sweep has one of them). To be ended
 * by settings_unlock() in either case.
 */
int settings_open(struct sweep_settings *settings, const struct settings_request *request,
		  struct plan_words *elevators, struct plan_words *preempts, struct fault *fault);

/* Gives up the locks, as far as this process holds them. */
void settings_unlock(struct sweep_settings *settings);

/* The value that a label wants of a setting; "" where it does not vary it. */
const char *settings_wanted(const struct sweep_setting *setting, const struct plan_label *label);

/* Makes what the label says so, with read-back. 0 or a negative errno with the reason in fault. */
int settings_apply(const struct sweep_settings *settings, const struct plan_label *label,
		   struct fault *fault);

/* Whether it still is: 0, or -ESTALE (another value is in force) or what reading said. */
int settings_check(const struct sweep_settings *settings, const struct plan_label *label,
		   struct fault *fault);

/* Whether a run found the same, by its run.json: 0 or -ESTALE with the reason in fault. */
int settings_check_run(const struct sweep_settings *settings, const struct plan_label *label,
		       const json_t *run, struct fault *fault);

/* Whether a setting offers that word now. */
bool settings_offers(const struct sweep_setting *setting, const char *word);

#endif
