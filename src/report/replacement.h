/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that takes the place of DIR/NAME when it is whole, so that no reader sees half of one. */
#ifndef LT_REPORT_REPLACEMENT_H
#define LT_REPORT_REPLACEMENT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "util/fault.h"

struct replacement {
	FILE *file; /* write here */
	int dir;
	bool own_dir;
	char path[PATH_MAX]; /* for messages */
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];
};

/*
 * Opens DIR/.NAME.new for writing. A link in the place of either file is replaced, not followed;
 * dir itself is as the user named it. 0 or a negative errno with the reason in fault.
 */
int replacement_open(struct replacement *r, const char *dir, const char *name, const char *suffix,
		     struct fault *fault);

/* The same in a directory that is open: dir is what messages call it. It stays the caller's. */
int replacement_open_in(struct replacement *r, int dir_fd, const char *dir, const char *name,
			const char *suffix, struct fault *fault);

/*
 * Puts it in place (flush, fsync, rename), or takes it away where err, the outcome of the writing,
 * is not 0. 0 or the first negative errno with the reason in fault.
 */
int replacement_finish(struct replacement *r, int err, struct fault *fault);

#endif
