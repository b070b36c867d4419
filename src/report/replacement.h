/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that takes the place of DIR/NAME when it is whole, so that no reader sees half of one. */
#ifndef LT_REPORT_REPLACEMENT_H
#define LT_REPORT_REPLACEMENT_H

#include <limits.h>
#include <stdio.h>

#include "util/fault.h"

struct replacement {
	FILE *file; /* write here */
	char path[PATH_MAX];
	char temporary[PATH_MAX];
};

/* Opens DIR/.NAME.new for writing. 0 or a negative errno with the reason in fault. */
int replacement_open(struct replacement *r, const char *dir, const char *name, const char *suffix,
		     struct fault *fault);

/*
 * Puts it in place (flush, fsync, rename), or takes it away where err, the outcome of the writing,
 * is not 0. 0 or the first negative errno with the reason in fault.
 */
int replacement_finish(struct replacement *r, int err, struct fault *fault);

#endif
