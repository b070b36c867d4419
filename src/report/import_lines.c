/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines out of any bytes, freed from what mail programs and terminals put around them. */
#include "report/import_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct import_lines {
	FILE *in;
	unsigned long number;
	char *text;
	size_t length, room;
	size_t at, filled; /* in buffer */
	char buffer[65536];
};

struct import_lines *import_lines_new(FILE *in)
{
	struct import_lines *lines = malloc(sizeof(*lines));

	if (!lines)
		return NULL;
	lines->in = in;
	lines->number = 0;
	lines->length = 0;
	lines->room = 4096;
	lines->at = lines->filled = 0;
	lines->text = malloc(lines->room + 1);
	if (!lines->text) {
		free(lines);
		return NULL;
	}
	return lines;
}

void import_lines_free(struct import_lines *lines)
{
	if (lines)
		free(lines->text);
	free(lines);
}

/* Adds to the line what fits. 0 or -ENOMEM. */
static int keep(struct import_lines *lines, const char *bytes, size_t n)
{
	size_t left = IMPORT_LINE_BYTES - lines->length;

	if (n > left)
		n = left;
	if (lines->length + n > lines->room) {
		size_t room = lines->room;
		char *text;

		while (lines->length + n > room)
			room *= 2;
		text = realloc(lines->text, room + 1);
		if (!text)
			return -ENOMEM;
		lines->text = text;
		lines->room = room;
	}
	memcpy(lines->text + lines->length, bytes, n);
	lines->length += n;
	return 0;
}

/* Reads up to a line end, which it takes away. 1, 0 at the end of the file, a negative errno. */
static int read_line(struct import_lines *lines, bool *terminated)
{
	bool any = false;

	lines->length = 0;
	*terminated = false;
	while (!*terminated) {
		const char *from = lines->buffer + lines->at, *end;
		size_t n;

		if (lines->at == lines->filled) {
			lines->at = 0;
			errno = 0;
			lines->filled = fread(lines->buffer, 1, sizeof(lines->buffer), lines->in);
			if (!lines->filled && ferror(lines->in))
				return errno ? -errno : -EIO;
			if (!lines->filled)
				return any;
			continue;
		}
		any = true;
		end = memchr(from, '\n', lines->filled - lines->at);
		*terminated = end;
		n = end ? (size_t)(end - from) : lines->filled - lines->at;
		lines->at += n + *terminated;
		if (keep(lines, from, n))
			return -ENOMEM;
	}
	return 1;
}

/* Takes terminal sequences (ESC [ ... letter) away; other control bytes become visible. */
static void plain(struct import_lines *lines)
{
	char *text = lines->text;
	size_t to = 0;

	for (size_t i = 0; i < lines->length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\x1b' && i + 1 < lines->length && text[i + 1] == '[') {
			i++;
			while (i + 1 < lines->length && (unsigned char)text[i + 1] >= 0x20 &&
			       (unsigned char)text[i + 1] < 0x40)
				i++;
			i++; /* the letter */
			continue;
		}
		if ((c < 0x20 && c != '\t') || c == 0x7f)
			c = '?';
		text[to++] = (char)c;
	}
	lines->length = to;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

int import_lines_next(struct import_lines *lines, struct import_line *line)
{
	bool terminated;
	size_t skip = 0;
	int got = read_line(lines, &terminated);

	if (got <= 0)
		return got;
	lines->number++;
	if (lines->length && lines->text[lines->length - 1] == '\r')
		lines->length--;
	plain(lines);
	if (lines->number == 1 && lines->length >= 3 && !memcmp(lines->text, "\xef\xbb\xbf", 3))
		skip = 3;
	while (skip < lines->length && (blank(lines->text[skip]) || lines->text[skip] == '>'))
		skip++;
	while (lines->length > skip && blank(lines->text[lines->length - 1]))
		lines->length--;
	lines->text[lines->length] = '\0';
	line->text = lines->text + skip;
	line->length = lines->length - skip;
	line->number = lines->number;
	line->unterminated = !terminated;
	return 1;
}
