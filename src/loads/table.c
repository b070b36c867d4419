/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of stressors. A new one is a new file, a line here and a line in stressors.h. */
#include "loads/load.h"

#include <string.h>

#include "loads/stressors.h"

const struct stressor *const stressors[] = {
	&stressor_none,
	&stressor_x11,
	&stressor_proc,
	&stressor_diskwrite,
	&stressor_diskcopy,
	&stressor_diskread,
	NULL,
};

const struct stressor *stressor_find(const char *name)
{
	for (const struct stressor *const *s = stressors; *s; s++)
		if (!strcmp((*s)->name, name))
			return *s;
	return NULL;
}
