/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal shows while a run goes on: a live line on a tty, plain lines elsewhere. */
#ifndef LT_RUN_PROGRESS_H
#define LT_RUN_PROGRESS_H

#include <stdbool.h>

#include "measure/phase.h"
#include "run/run.h"

struct progress {
	enum run_verbosity verbosity;
	bool tty;
	const char *phase;
	const char *unit;      /* of the stressor; NULL: it does no work */
	double period_ns;
	double seconds;        /* of the phase */
	uint64_t cycles;       /* due in the phase */
	int64_t shown_ns;      /* when the live line was drawn last */
	int shown_columns;     /* its length, to be wiped */
};

void progress_init(struct progress *progress, enum run_verbosity verbosity);

/* Says that a phase begins. */
void progress_phase(struct progress *progress, const struct stressor *stressor, double period_ns,
		    uint64_t cycles);

/* Draws the live line, four times a second at most; nothing where stdout is no tty. */
void progress_live(struct progress *progress, const struct phase_live *live);

/* Takes the live line away. */
void progress_clear(struct progress *progress);

/* One line of information, unless --quiet. */
void progress_say(struct progress *progress, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* One line on stderr: a warning or an error, whatever the verbosity. */
void progress_warn(struct progress *progress, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
