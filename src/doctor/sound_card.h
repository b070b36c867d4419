/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sound card a device of ALSA is on. */
#ifndef LT_DOCTOR_SOUND_CARD_H
#define LT_DOCTOR_SOUND_CARD_H

/*
 * The number of "hw:1", "hw:1,0", "plughw:1", "hw:PCH,0", "hw:CARD=PCH,DEV=0"; -1 for what names
 * no card ("default") or one that is not there by that name.
 */
int sound_card_number(const char *device);

#endif
