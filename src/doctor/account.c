/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/account.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/procfile.h"
#include "util/number.h"
#include "util/textfile.h"

#define STATUS "/proc/thread-self/status"
#define FIELDS 4 /* that matter of a line of passwd and group */

/* Parts "a:b:c:d..." in a copy; false for a line with fewer fields. */
static bool split(const char *line, char *copy, size_t size, char *field[FIELDS])
{
	size_t bytes = strcspn(line, "\n");
	char *cursor = copy;

	if (bytes >= size)
		return false;
	memcpy(copy, line, bytes);
	copy[bytes] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		field[i] = strsep(&cursor, ":");
		if (!field[i])
			return false;
	}
	return true;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

static void find_name(struct account *account)
{
	char *text = text_read_all("/etc/passwd"), copy[1024], *field[FIELDS];
	int64_t uid;

	for (const char *line = text; line && *line; line = next_line(line))
		if (split(line, copy, sizeof(copy), field) &&
		    !number_i64(field[2], 0, UINT32_MAX, &uid) && uid == account->uid) {
			snprintf(account->name, sizeof(account->name), "%s", field[0]);
			break;
		}
	free(text);
}

int account_read(struct account *account)
{
	char text[128], *cursor = text, *word;
	size_t used;

	memset(account, 0, sizeof(*account));
	account->group_file = text_read_all("/etc/group");
	if (procfile_read_field(STATUS, "Uid", text, sizeof(text)))
		return -ENOENT;
	word = procfile_next_word(&cursor);
	/* Real, then effective: the second counts. */
	word = word ? procfile_next_word(&cursor) : NULL;
	if (!word || number_i64(word, 0, UINT32_MAX, &account->uid) ||
	    procfile_read_field(STATUS, "Groups", account->groups, sizeof(account->groups)))
		return -ENOENT;
	/* The own group need not be among the others. */
	cursor = text;
	if (!procfile_read_field(STATUS, "Gid", text, sizeof(text)) &&
	    (word = procfile_next_word(&cursor))) {
		used = strlen(account->groups);
		snprintf(account->groups + used, sizeof(account->groups) - used, " %s", word);
	}
	find_name(account);
	return 0;
}

void account_release(struct account *account)
{
	free(account->group_file);
	account->group_file = NULL;
}

/* The line of that group, parted; false where there is none. */
static bool find_group(const struct account *account, const char *group, char *copy, size_t size,
		       char *field[FIELDS])
{
	for (const char *line = account->group_file; line && *line; line = next_line(line))
		if (split(line, copy, size, field) && !strcmp(field[0], group))
			return true;
	return false;
}

bool account_has_group(const struct account *account, const char *group)
{
	char copy[8192], *field[FIELDS];

	return find_group(account, group, copy, sizeof(copy), field);
}

bool account_in_group(const struct account *account, const char *group)
{
	char copy[8192], *field[FIELDS];

	return find_group(account, group, copy, sizeof(copy), field) &&
	       procfile_has_word(account->groups, ' ', field[2]);
}

bool account_enlisted(const struct account *account, const char *group)
{
	char copy[8192], *field[FIELDS];

	return account->name[0] && find_group(account, group, copy, sizeof(copy), field) &&
	       procfile_has_word(field[3], ',', account->name);
}
