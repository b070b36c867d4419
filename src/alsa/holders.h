/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has sound devices open, as /proc/asound tells. */
#ifndef LT_ALSA_HOLDERS_H
#define LT_ALSA_HOLDERS_H

#include <stddef.h>

/*
 * Writes the processes that hold a PCM open, as "jackd (process 123), ...", into buf. card or
 * device below 0: any; direction: 'p', 'c' or 0 for either. The number of substreams held; buf is
 * "" for none, or where /proc does not tell.
 */
unsigned int alsa_holders(int card, int device, char direction, char *buf, size_t size);

#endif
