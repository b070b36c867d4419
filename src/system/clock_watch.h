/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens to the other clocks while CLOCK_MONOTONIC measures: CLOCK_REALTIME is set (by hand,
 * by NTP), the machine is suspended (CLOCK_BOOTTIME goes on, CLOCK_MONOTONIC stands still).
 */
#ifndef LT_SYSTEM_CLOCK_WATCH_H
#define LT_SYSTEM_CLOCK_WATCH_H

#include <stdint.h>

struct clock_watch {
	int64_t start_ns;       /* CLOCK_MONOTONIC */
	int64_t looked_ns;      /* the same, at the last look */
	int64_t real_ns;        /* CLOCK_REALTIME - CLOCK_MONOTONIC at the last look */
	int64_t boot_ns;        /* CLOCK_BOOTTIME - CLOCK_MONOTONIC at the first one */
	unsigned int steps;     /* of CLOCK_REALTIME */
	int64_t stepped_ns;     /* their sum; negative: back */
	int64_t suspended_ns;   /* since the first look */
};

void clock_watch_start(struct clock_watch *watch);

/*
 * To be called often (four times a second): a change of CLOCK_REALTIME against CLOCK_MONOTONIC is
 * a step where it is more than 0.1 s, and more than the slewing of NTP (0.05 % at most) makes in
 * the time since the last look.
 */
void clock_watch_look(struct clock_watch *watch);

#endif
