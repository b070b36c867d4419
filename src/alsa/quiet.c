/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/quiet.h"

#include <alsa/asoundlib.h>
#include <stdlib.h>

__attribute__((format(printf, 5, 6)))
static void keep_silent(const char *file, int line, const char *function, int err,
			const char *fmt, ...)
{
	(void)file;
	(void)line;
	(void)function;
	(void)err;
	(void)fmt;
}

void alsa_quiet(void)
{
	snd_lib_error_set_handler(keep_silent);
	setenv("LIBASOUND_THREAD_SAFE", "0", 1);
}
