/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/printable.h"

#include <stddef.h>
#include <stdlib.h>

bool printable(char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	bool changed = false;
	size_t to = 0;

	for (size_t i = 0; from[i]; i++) {
		/* U+0080 to U+009F are the bytes c2 80 to c2 9f. */
		bool high = from[i] == 0xc2 && from[i + 1] >= 0x80 && from[i + 1] <= 0x9f;
		bool control = from[i] < 0x20 || from[i] == 0x7f || high;
		bool space = from[i] == '\t' || from[i] == '\n' || from[i] == '\r';

		changed = changed || control;
		if (control)
			text[to++] = space ? ' ' : '?';
		else
			text[to++] = text[i];
		i += high;
	}
	text[to] = '\0';
	return changed;
}

void print_line_v(FILE *out, const char *fmt, va_list args)
{
	char *line;

	if (vasprintf(&line, fmt, args) < 0)
		return;
	printable(line);
	fprintf(out, "%s\n", line);
	free(line);
}

void print_line(FILE *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line_v(out, fmt, args);
	va_end(args);
}
