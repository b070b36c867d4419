/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/stamp.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

/* time() may lag a tick behind the clock that a run watches for steps. */
static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec;
}

const char *stamp_utc(char buf[STAMP_SIZE])
{
	time_t now = now_s();
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, STAMP_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}

int stamp_directory(char *buf, size_t size, const char *prefix)
{
	time_t now = now_s();
	struct utsname uts;
	char stamp[32];
	struct tm tm;

	uname(&uts);
	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	return snprintf(buf, size, "%s-%s-%s", prefix, uts.release, stamp);
}
