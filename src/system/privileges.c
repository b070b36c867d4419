/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/privileges.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "system/procfile.h"
#include "util/textfile.h"

#define STATUS "/proc/thread-self/status"

bool privilege_user_namespace(void)
{
	char text[256], *cursor = text;
	const char *word[4] = { NULL };

	if (text_read("/proc/self/uid_map", text, sizeof(text)) < 0)
		return false; /* a kernel without user namespaces */
	for (int i = 0; i < 4; i++)
		word[i] = procfile_next_word(&cursor);
	/* Only the initial one maps all users onto themselves in one line. */
	return !(word[0] && word[1] && word[2] && !word[3] && !strcmp(word[0], "0") &&
		 !strcmp(word[1], "0") && !strcmp(word[2], "4294967295"));
}

bool privilege_held(int capability)
{
	unsigned long long set;
	char text[32], *end;

	if (procfile_read_field(STATUS, "CapEff", text, sizeof(text)) < 0)
		return false;
	errno = 0;
	set = strtoull(text, &end, 16);
	if (errno || end == text || *end)
		return false;
	return (set >> capability & 1) && !privilege_user_namespace();
}

bool privilege_filtered(void)
{
	char text[32];

	return !procfile_read_field(STATUS, "Seccomp", text, sizeof(text)) && strcmp(text, "0");
}
