/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/summary_parts.h"

#include "report/summary.h"
#include "util/jx.h"

#define MAX_LEVELS 8 /* as many as are recorded; a file may hold anything */

static void put_below(FILE *out, const json_t *device, int level)
{
	const json_t *below;
	size_t i;

	json_array_foreach(json_object_get(device, "devices_below"), i, below) {
		summary_line(out, 4, "below %s: %s, elevator %s", jx_text(device, "device"),
			     jx_text(below, "device"), jx_text(below, "elevator"));
		if (level < MAX_LEVELS)
			put_below(out, below, level + 1);
	}
}

void summary_below(FILE *out, const json_t *device)
{
	put_below(out, device, 1);
}

void summary_changes(FILE *out, const json_t *run)
{
	const json_t *line;
	size_t i;

	json_array_foreach(json_object_get(run, "environment_changes"), i, line)
		if (json_is_string(line))
			summary_line(out, 4, "changed during the run: %s",
				     json_string_value(line));
}
