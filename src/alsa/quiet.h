/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How libasound is to behave in this program. */
#ifndef LT_ALSA_QUIET_H
#define LT_ALSA_QUIET_H

/*
 * Silences the messages that libasound itself prints (errors are told in struct fault), and has it
 * take no lock of its own in streams opened from now on: each stream has one user at a time. Call
 * before any other thread runs.
 */
void alsa_quiet(void);

#endif
