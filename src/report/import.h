/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what old and other tools printed, also out of a mailing-list mail: logs of latencytest
 * 0.5, the lines of latencytest 0.42-png, and what cyclictest prints or writes as JSON. Any bytes
 * may come in; memory does not grow with them.
 */
#ifndef LT_REPORT_IMPORT_H
#define LT_REPORT_IMPORT_H

#include <jansson.h>
#include <stdio.h>

#include "util/fault.h"

struct import_stats {
	unsigned int runs;       /* given to the sink */
	unsigned int phases;     /* in them */
	unsigned int duplicates; /* phases whose figures had been read before: quoted again */
	unsigned int damaged;    /* blocks that were begun and could not be read */
};

/*
 * Takes a run: an object as in run.json, its status "imported", without the figures that the text
 * does not give. The callee takes its own reference. 0, or a negative errno to stop.
 */
typedef int (*import_sink)(void *argument, json_t *run);

/* Told of each damaged block: the line it is about, and why it was not read. */
typedef void (*import_complaint)(void *argument, const char *file, unsigned long line,
				 const char *reason);

/*
 * Reads the stream to its end; name is what messages and runs call it. 0 also where nothing was
 * found or blocks were damaged (see stats, which is set in any case); a negative errno with the
 * reason in fault where reading failed or the sink stopped.
 */
int import_stream(FILE *in, const char *name, import_sink sink, import_complaint complain,
		  void *argument, struct import_stats *stats, struct fault *fault);

#endif
