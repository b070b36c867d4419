/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep says: words for its records, lines for the terminal. */
#ifndef LT_SWEEP_SWEEP_WORDS_H
#define LT_SWEEP_SWEEP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "sweep/sweep_file.h"

/* "planned", "running", "complete", "interrupted", "failed", "changed". */
const char *sweep_status_name(enum position_status status);
/* 0 or -EINVAL. */
int sweep_status_find(const char *name, enum position_status *status);

/* "45 s", "12 min", "3 h 20 min"; returns buf. */
const char *sweep_time_text(char *buf, size_t size, double seconds);

/* A line on stdout unless quiet; one on stderr after the program's name. */
void sweep_say(bool quiet, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sweep_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The text as one word of the shell, quoted where it has to be; returns buf, "" without room. */
const char *sweep_shell_word(char *buf, size_t size, const char *text);

/* The text of a file on stderr; false where it cannot be read or has none. */
bool sweep_show_file(const char *path);

#endif
