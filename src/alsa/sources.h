/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sources with sound. They are in the table of a build with ALSA only. */
#ifndef LT_ALSA_SOURCES_H
#define LT_ALSA_SOURCES_H

#include "measure/source.h"

#define SOUND_MIN_HZ 1000
#define SOUND_MAX_HZ 768000
#define SOUND_MAX_PERIOD_FRAMES 65536
#define SOUND_MAX_PERIODS 1024
#define SOUND_MAX_CHANNELS 64
/* The kernel takes no ALSA timer interval below 1 ms from a program. */
#define ALSA_TIMER_MAX_HZ 1000

extern const struct source_ops source_pcm;
extern const struct source_ops source_alsa_timer;

#endif
