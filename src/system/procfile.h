/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The forms in which /proc and /sys put a value into a line of text. */
#ifndef LT_SYSTEM_PROCFILE_H
#define LT_SYSTEM_PROCFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The value of the first line "key: value" or "key=value", without white space around it. 0,
 * or -ENOENT (value is then ""). A value that is too long is cut.
 */
int procfile_field(const char *text, const char *key, char *value, size_t size);

/* The same from a file; a negative errno also where the file cannot be read. */
int procfile_read_field(const char *path, const char *key, char *value, size_t size);

/* The word that is marked as chosen: b of "a [b] c" or "a (b) c". 0 or -ENOENT. */
int procfile_marked(const char *text, char *value, size_t size);

/* The same from a file; a negative errno also where the file cannot be read. */
int procfile_read_marked(const char *path, char *value, size_t size);

/* Whether word is one of the words of list, which are parted by the character between. */
bool procfile_has_word(const char *list, char between, const char *word);

/* The next word of the text at *cursor, ended in place and stepped over; NULL at the end. */
char *procfile_next_word(char **cursor);

#endif
