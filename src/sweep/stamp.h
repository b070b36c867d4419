/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of day for records. */
#ifndef LT_SWEEP_STAMP_H
#define LT_SWEEP_STAMP_H

#include <stdio.h>
#include <time.h>

#define STAMP_SIZE 40

/* Now, as "2024-01-31T12:00:00Z"; returns buf. */
static inline const char *stamp_utc(char buf[STAMP_SIZE])
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, STAMP_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}

#endif
