/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the result directory: what was measured reaches it also where somebody removes it in
 * mid-run, or fills its disk.
 */
#ifndef LT_RUN_KEEP_H
#define LT_RUN_KEEP_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "measure/phase.h"
#include "util/fault.h"

struct keep {
	const char *dir;
	dev_t device;    /* by which it is known, */
	ino_t inode;     /* whatever its name leads to */
	uid_t owner;
	int dir_fd;      /* the directory itself; -1: it could not be opened */
	int reserve_fd;  /* room for the last files; -1: none */
	bool harmed;     /* something of the result was removed by others */
};

/*
 * Makes the result directory: output, or where that is NULL a name made of kernel and time. An
 * existing one is never used. 0, with its name in dir, or a negative errno with the reason in
 * fault.
 */
int keep_make_directory(const char *output, char *dir, size_t size, struct fault *fault);

/* dir, which exists, is the caller's and outlives keep. End with keep_close(). */
void keep_open(struct keep *keep, const char *dir);

/*
 * Writes run.json; with a phase that has cycles its log too. A directory that is gone is made
 * anew, with all that is known, and that is noted as an incident of the run. 0 or a negative errno
 * with the reason in fault.
 */
int keep_save(struct keep *keep, json_t *run, const json_t *phase, struct fault *fault);

/* The same at the end, with the summary; notes which sample files are gone. */
int keep_save_last(struct keep *keep, json_t *run, struct fault *fault);

/* Notes what befell the recording of a phase, where nothing was lost by it. */
void keep_note_phase(struct keep *keep, json_t *run, const char *name,
		     const struct phase_result *result);

void keep_close(struct keep *keep);

#endif
