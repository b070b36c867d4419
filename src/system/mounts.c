/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/procfile.h"
#include "util/number.h"
#include "util/textfile.h"

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* The kernel writes blanks, tabs, newlines and backslashes in names as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && is_octal(text[1]) && is_octal(text[2]) &&
		    is_octal(text[3])) {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

/* id parent major:minor root point options [optional...] - type source super */
static bool parse_line(char *line, struct mount *mount)
{
	char *cursor = line, *word;
	char *field[6];

	for (int i = 0; i < 6; i++) {
		field[i] = strsep(&cursor, " ");
		if (!field[i])
			return false;
	}
	do {
		word = strsep(&cursor, " ");
	} while (word && strcmp(word, "-"));
	mount->root = field[3];
	mount->point = field[4];
	mount->options = field[5];
	mount->type = strsep(&cursor, " ");
	mount->source = strsep(&cursor, " ");
	mount->super = strsep(&cursor, " ");
	if (!mount->super || number_i64(field[0], 0, INT64_MAX, &mount->id))
		return false;
	unescape(mount->root);
	unescape(mount->point);
	unescape(mount->source);
	return true;
}

int mount_find(bool (*match)(const struct mount *mount, const void *arg), const void *arg,
	       struct mount *found)
{
	char *text = text_read_all("/proc/self/mountinfo");
	char *cursor = text, *line;

	if (!text)
		return -errno;
	while ((line = strsep(&cursor, "\n"))) {
		if (!parse_line(line, found) || !match(found, arg))
			continue;
		found->text = text;
		return 0;
	}
	free(text);
	memset(found, 0, sizeof(*found)); /* nothing may point into what was freed */
	return -ENOENT;
}

static bool has_id(const struct mount *mount, const void *arg)
{
	return mount->id == *(const int64_t *)arg;
}

int mount_of_path(const char *path, struct mount *found)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	char name[64], value[32];
	int64_t id;
	int err;

	if (fd < 0)
		return -errno;
	/* Not by the longest mount point: a later mount may cover it. */
	snprintf(name, sizeof(name), "/proc/self/fdinfo/%d", fd);
	err = procfile_read_field(name, "mnt_id", value, sizeof(value));
	close(fd);
	if (!err)
		err = number_i64(value, 0, INT64_MAX, &id);
	return err ? err : mount_find(has_id, &id, found);
}

void mount_release(struct mount *mount)
{
	free(mount->text);
	mount->text = NULL;
}
