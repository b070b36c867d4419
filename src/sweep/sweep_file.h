/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DIR/sweep.json: what a sweep is to do, what it has done, and how it found the machine. */
#ifndef LT_SWEEP_SWEEP_FILE_H
#define LT_SWEEP_SWEEP_FILE_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "sweep/plan.h"
#include "sweep/settings.h"
#include "util/stamp.h"
#include "util/fault.h"

#define SWEEP_FILE "sweep.json"
#define SWEEP_FORMAT_VERSION 1

enum position_status {
	POSITION_PLANNED,
	POSITION_RUNNING,     /* or was, when the sweep was killed */
	POSITION_COMPLETE,    /* a result; with exit status 1 one with an invalid phase */
	POSITION_INTERRUPTED,
	POSITION_FAILED,
	POSITION_CHANGED,     /* something else changed a setting meanwhile */
};

struct position {
	enum position_status status;
	int exit_status;              /* -1: none yet */
	double seconds;               /* how long it took; NaN: not known */
	char started_utc[STAMP_SIZE]; /* "" before */
	char directory[160];          /* below that of the sweep: "001-bfq" */
	json_t *run;                  /* its run.json once it is complete; not in the file */
};

struct sweep_record {
	char status[16];              /* "running", "complete", "interrupted", "failed" */
	char program[64];
	char kernel_release[128];
	char boot_id[64];             /* settings do not outlive a boot */
	char directory[PATH_MAX];     /* from where relative names of the options go */
	char started_utc[STAMP_SIZE], ended_utc[STAMP_SIZE];
	json_t *command_line;         /* array of text */
	json_t *run_options;          /* likewise: what follows -- */
	json_t *devices;              /* text of --device, or null */
	struct plan plan;
	struct position *positions;   /* plan.n of them */
	struct {
		char name[80], path[PATH_MAX], device[NAME_MAX + 1], original[SETTING_WORD];
	} found[SETTINGS_MAX];
	size_t n_found;
	bool restored;                /* nothing is left to be put back */
	json_t *drift;                /* array, or null while the sweep is not complete */
};

/* A new one for this machine and a plan that is made (it is taken over); 0 or -ENOMEM. */
int sweep_record_init(struct sweep_record *record, const struct plan *plan);
void sweep_record_free(struct sweep_record *record);

/* Writes DIR/sweep.json: whole or not at all. 0 or a negative errno with the reason in fault. */
int sweep_record_save(const struct sweep_record *record, const char *dir, struct fault *fault);

/*
 * Reads it back and checks it: every member there, the plan the one that this program makes of the
 * seed. 0, or a negative errno with the reason in fault and nothing to be freed. Of complete
 * positions run.json is read; one without becomes a planned one.
 */
int sweep_record_load(struct sweep_record *record, const char *dir, struct fault *fault);

/* 0, or -ESTALE with the reason in fault: another kernel or program than that of the record. */
int sweep_record_check_here(const struct sweep_record *record, struct fault *fault);

/* Says that the record is of this start of the machine. */
void sweep_record_set_boot(struct sweep_record *record);

/* Whether the machine was not started anew since then. */
bool sweep_record_same_boot(const struct sweep_record *record);

/* Name of the result directory of a position, "001-bfq". */
void sweep_record_name(const struct sweep_record *record, size_t position, char *buf, size_t size);

/* Positions with a result. */
size_t sweep_record_complete(const struct sweep_record *record);

/* Whether a position has a result with something wrong: an invalid phase, or harm to its files. */
bool sweep_record_flawed(const struct position *position);

#endif
