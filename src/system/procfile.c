/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/procfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/textfile.h"

static void copy_part(char *to, size_t size, const char *from, size_t bytes)
{
	if (bytes >= size)
		bytes = size - 1;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
}

int procfile_field(const char *text, const char *key, char *value, size_t size)
{
	size_t key_bytes = strlen(key);
	const char *line, *end, *p;

	value[0] = '\0';
	for (line = text; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (strncmp(line, key, key_bytes))
			continue;
		p = line + key_bytes;
		p += strspn(p, " \t");
		if (*p != ':' && *p != '=')
			continue;
		p++;
		p += strspn(p, " \t");
		if (p > end)
			p = end;
		while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
		copy_part(value, size, p, (size_t)(end - p));
		return 0;
	}
	return -ENOENT;
}

int procfile_read_field(const char *path, const char *key, char *value, size_t size)
{
	char *text = text_read_all(path);
	int err;

	value[0] = '\0';
	if (!text)
		return -errno;
	err = procfile_field(text, key, value, size);
	free(text);
	return err;
}

int procfile_marked(const char *text, char *value, size_t size)
{
	const char *from = text + strcspn(text, "[(");
	size_t bytes;

	value[0] = '\0';
	if (!*from)
		return -ENOENT;
	from++;
	bytes = strcspn(from, "])");
	if (!from[bytes])
		return -ENOENT;
	copy_part(value, size, from, bytes);
	return 0;
}

int procfile_read_marked(const char *path, char *value, size_t size)
{
	char text[1024];
	int err = text_read(path, text, sizeof(text));

	value[0] = '\0';
	return err < 0 ? err : procfile_marked(text, value, size);
}

bool procfile_has_word(const char *list, char between, const char *word)
{
	size_t bytes = strlen(word);
	const char *p = list;

	while (p) {
		if (!strncmp(p, word, bytes) && (p[bytes] == between || p[bytes] == '\0'))
			return true;
		p = strchr(p, between);
		if (p)
			p++;
	}
	return false;
}

char *procfile_next_word(char **cursor)
{
	char *word = *cursor + strspn(*cursor, " \t\n");
	char *end = word + strcspn(word, " \t\n");

	*cursor = *end ? end + 1 : end;
	*end = '\0';
	return *word ? word : NULL;
}
