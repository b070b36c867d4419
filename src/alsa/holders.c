/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "alsa/holders.h"

#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "system/procfile.h"
#include "util/number.h"
#include "util/textfile.h"

/* Appends "name (process N)" unless it is there. */
static void add_process(char *buf, size_t size, const char *pid_text)
{
	char path[64], name[32] = "", entry[96];
	size_t used = strlen(buf);
	int64_t pid;

	if (number_i64(pid_text, 1, INT32_MAX, &pid))
		return;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	if (text_read(path, name, sizeof(name)) <= 0)
		snprintf(name, sizeof(name), "a process that has ended");
	name[strcspn(name, "\n")] = '\0';
	snprintf(entry, sizeof(entry), "%s (process %d)", name, (int)pid);
	if (!strstr(buf, entry))
		snprintf(buf + used, size - used, "%s%s", used ? ", " : "", entry);
}

unsigned int alsa_holders(int card, int device, char direction, char *buf, size_t size)
{
	char pattern[96], card_text[16] = "*", device_text[16] = "*", pid[32];
	unsigned int held = 0;
	glob_t found;

	buf[0] = '\0';
	if (card >= 0)
		snprintf(card_text, sizeof(card_text), "%d", card);
	if (device >= 0)
		snprintf(device_text, sizeof(device_text), "%d", device);
	snprintf(pattern, sizeof(pattern), "/proc/asound/card%s/pcm%s%c/sub*/status", card_text,
		 device_text, direction ? direction : '?');
	if (glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (procfile_read_field(found.gl_pathv[i], "owner_pid", pid, sizeof(pid)))
			continue;
		held++;
		add_process(buf, size, pid);
	}
	globfree(&found);
	return held;
}
