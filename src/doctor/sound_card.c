/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/sound_card.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/number.h"
#include "util/textfile.h"

#define CARDS_MAX 32

int sound_card_number(const char *device)
{
	const char *colon = strchr(device, ':');
	char card[32], path[48], id[32];
	int64_t number;

	if (!colon || (strncmp(device, "hw:", 3) && strncmp(device, "plughw:", 7)))
		return -1;
	colon++;
	if (!strncmp(colon, "CARD=", 5))
		colon += 5;
	snprintf(card, sizeof(card), "%s", colon);
	card[strcspn(card, ",")] = '\0';
	if (!number_i64(card, 0, CARDS_MAX - 1, &number))
		return (int)number;
	for (int i = 0; i < CARDS_MAX; i++) {
		snprintf(path, sizeof(path), "/proc/asound/card%d/id", i);
		if (text_read(path, id, sizeof(id)) > 0 && !strcmp(id, card))
			return i;
	}
	return -1;
}
