/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/paragraph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void paragraph_put(FILE *out, const char *words, size_t column, size_t indent, size_t columns)
{
	bool begun = column > 0; /* this line holds a word */

	while (*words) {
		size_t length = strcspn(words, " \n"), room = columns - indent;
		size_t piece = length > room ? room : length;

		if (begun && column + 1 + piece > columns) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (begun) {
			fputc(' ', out);
			column++;
		}
		fwrite(words, 1, piece, out);
		begun = true;
		column += piece;
		words += piece;
		words += strspn(words, " \n");
	}
	fputc('\n', out);
}

void paragraph_vprintf(FILE *out, size_t column, size_t indent, size_t columns, const char *fmt,
		       va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	paragraph_put(out, text ? text : "(no memory)", column, indent, columns);
	free(text);
}

size_t paragraph_terminal_columns(size_t most)
{
	struct winsize size = { .ws_col = 0 };
	size_t columns = 80;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		columns = size.ws_col;
	if (columns < 20)
		columns = 20;
	return columns < most ? columns : most;
}
