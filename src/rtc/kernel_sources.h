/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The periodic sources of the kernel. */
#ifndef LT_RTC_KERNEL_SOURCES_H
#define LT_RTC_KERNEL_SOURCES_H

#include "measure/source.h"

#define RTC_MIN_HZ 2
#define RTC_MAX_HZ 8192
#define TIMER_MAX_HZ 50000

extern const struct source_ops source_rtc;
extern const struct source_ops source_timer;

/* The first RTC device that exists ("/dev/rtc0" or "/dev/rtc"), or NULL. */
const char *rtc_default_device(void);

#endif
