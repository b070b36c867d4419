/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/sweep_words.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/textfile.h"

static const char *const status_names[] = {
	"planned", "running", "complete", "interrupted", "failed", "changed",
};

const char *sweep_status_name(enum position_status status)
{
	return status_names[status];
}

int sweep_status_find(const char *name, enum position_status *status)
{
	for (size_t i = 0; i < sizeof(status_names) / sizeof(status_names[0]); i++) {
		if (!strcmp(name, status_names[i])) {
			*status = (enum position_status)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *sweep_time_text(char *buf, size_t size, double seconds)
{
	double minutes = round(seconds / 60);

	if (seconds < 99.5)
		snprintf(buf, size, "%.0f s", seconds);
	else if (minutes < 120)
		snprintf(buf, size, "%.0f min", minutes);
	else
		snprintf(buf, size, "%.0f h %.0f min", floor(minutes / 60), fmod(minutes, 60));
	return buf;
}

void sweep_say(bool quiet, const char *fmt, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

void sweep_warn(const char *fmt, ...)
{
	va_list args;

	fputs("latencytest: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

const char *sweep_shell_word(char *buf, size_t size, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/_.:-";
	FILE *out = fmemopen(buf, size, "w");

	buf[0] = '\0';
	if (!out)
		return buf;
	if (text[0] && !text[strspn(text, plain)]) {
		fputs(text, out);
	} else {
		putc('\'', out);
		for (; *text; text++)
			fputs(*text == '\'' ? "'\\''" : (char[]){ *text, '\0' }, out);
		putc('\'', out);
	}
	/* A word that is cut is another one. */
	if (fclose(out))
		buf[0] = '\0';
	return buf;
}

bool sweep_show_file(const char *path)
{
	char *text = text_read_all(path);
	bool any = text && text[0];

	if (any)
		fputs(text, stderr);
	free(text);
	return any;
}
