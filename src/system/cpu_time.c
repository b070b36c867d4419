/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/cpu_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/procfile.h"
#include "util/number.h"
#include "util/textfile.h"

#define FIELDS 8 /* user to steal; the guests' time is within the first two */

/* The counts of a line; the last is the steal time. */
static int parse(char *line, struct cpu_time *time)
{
	char *cursor = line, *word;
	int64_t ticks;

	time->all = 0;
	procfile_next_word(&cursor); /* the name */
	for (int field = 1; field <= FIELDS; field++) {
		word = procfile_next_word(&cursor);
		if (!word || number_i64(word, 0, INT64_MAX / 16, &ticks))
			return -ENOENT;
		time->all += (uint64_t)ticks;
		time->steal = (uint64_t)ticks;
	}
	return time->all ? 0 : -ENOENT;
}

int cpu_time_read(int cpu, struct cpu_time *time)
{
	char *text = text_read_all("/proc/stat"), *cursor = text, *line, label[16] = "cpu ";
	int err = -ENOENT;

	if (cpu >= 0)
		snprintf(label, sizeof(label), "cpu%d ", cpu);
	while ((line = strsep(&cursor, "\n"))) {
		if (strncmp(line, label, strlen(label)))
			continue;
		err = parse(line, time);
		break;
	}
	free(text);
	return err;
}
