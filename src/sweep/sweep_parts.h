/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a sweep share: its state, and each part's one function. */
#ifndef LT_SWEEP_SWEEP_PARTS_H
#define LT_SWEEP_SWEEP_PARTS_H

#include "sweep/guardian.h"
#include "sweep/settings.h"
#include "sweep/sweep.h"
#include "sweep/sweep_file.h"

struct sweep_state {
	const struct sweep_options *options;
	struct run_options run;           /* of a resumed sweep: those of its record */
	char **run_argv;                  /* likewise, ended by NULL; free() it, not the texts */
	struct sweep_record record;
	struct sweep_settings settings;
	struct guardian guardian;
	char dir[PATH_MAX];               /* the sweep's directory, absolute */
	const char *shown;                /* as the user named it */
	char name[PATH_MAX];              /* where it was not named */
	int dir_lock;                     /* -1: none */
};

/* All return 0 or a negative errno with the reason in fault. */

/*
 * sweep_new.c: settings found, plan made, nothing written; the settings are open, the record is
 * filled.
 */
int sweep_plan_new(struct sweep_state *state, struct fault *fault);
/* Makes and locks the directory, and writes the record. */
int sweep_make_directory(struct sweep_state *state, struct fault *fault);
/* Puts what settings_open() found into the record. */
void sweep_record_found(struct sweep_state *state);

/* sweep_resume.c: the same from DIR/sweep.json, the directory locked. */
int sweep_plan_resumed(struct sweep_state *state, struct fault *fault);

/* Locks a directory against other sweeps. */
int sweep_lock(struct sweep_state *state, struct fault *fault);

/*
 * sweep_course.c: all runs that have no result yet. -EINTR: a request; -ECANCELED: a run failed, or
 * several in a row have an invalid phase.
 */
int sweep_course(struct sweep_state *state, struct fault *fault);
/* What a run is likely to take, in seconds: as those done so far did. */
double sweep_run_seconds(const struct sweep_state *state);

/* sweep_outcome.c: drift and comparison, as text on stdout and as files. */
int sweep_outcome(struct sweep_state *state, struct fault *fault);

/* sweep_dry_run.c: the plan and what would be changed, on stdout. */
void sweep_show_plan(const struct sweep_state *state);

#endif
