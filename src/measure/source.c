/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "measure/source.h"

#include <string.h>

#include "rtc/kernel_sources.h"
#ifdef HAVE_ALSA
#include "alsa/sources.h"
#endif

const struct source_ops *const sources[] = {
	&source_rtc,
	&source_timer,
#ifdef HAVE_ALSA
	&source_pcm,
	&source_alsa_timer,
#endif
	NULL,
};

const struct source_ops *source_find(const char *name)
{
	for (size_t i = 0; sources[i]; i++)
		if (!strcmp(sources[i]->name, name))
			return sources[i];
	return NULL;
}
