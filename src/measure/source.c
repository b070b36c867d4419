/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/source.h"

#include <string.h>

#include "rtc/kernel_sources.h"

const struct source_ops *const sources[] = {
	&source_rtc,
	&source_timer,
	NULL,
};

const struct source_ops *source_find(const char *name)
{
	for (size_t i = 0; sources[i]; i++)
		if (!strcmp(sources[i]->name, name))
			return sources[i];
	return NULL;
}
