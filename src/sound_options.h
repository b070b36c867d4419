/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of run that are about sound devices: an argp of its own, a child of that of run. */
#ifndef LT_SOUND_OPTIONS_H
#define LT_SOUND_OPTIONS_H

#include <argp.h>

#include "measure/source.h"

struct sound_options {
	struct sound_params params;
	const char *pcm_option; /* the first one given that needs --source pcm, or NULL */
};

/* What holds where nothing is said. */
extern const struct sound_options sound_defaults;

/* Its input is a struct sound_options. */
extern const struct argp sound_argp;

/*
 * Ends the program with a usage error where the options do not go together; wakeups is that of the
 * run.
 */
void sound_options_check(const struct sound_options *options, const char *source,
			 unsigned int wakeups);

/* Whether the source of that name is one with sound, also in a build that does not have it. */
bool sound_source(const char *source);

#endif
