/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts put into a JSON object under fixed keys. What could not be read becomes the string
 * "unknown". Each function returns 0, or -1 without memory, so that results can be or'ed.
 */
#ifndef LT_SYSTEM_FACTS_H
#define LT_SYSTEM_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

int facts_unknown(json_t *facts, const char *key);

/* NULL is unknown; bytes that are not UTF-8 become '?'. */
int facts_text(json_t *facts, const char *key, const char *text);

int facts_int(json_t *facts, const char *key, int64_t value);
int facts_bool(json_t *facts, const char *key, bool value);

/* A value that is not finite becomes null. */
int facts_real(json_t *facts, const char *key, double value);

/* The whole text of a small file; an empty file gives "". */
int facts_file_text(json_t *facts, const char *key, const char *path);

/* A file that holds one number. */
int facts_file_int(json_t *facts, const char *key, const char *path);

/* A file that holds 0 or 1. */
int facts_file_bool(json_t *facts, const char *key, const char *path);

/* The word that the file marks with brackets. */
int facts_file_marked(json_t *facts, const char *key, const char *path);

#endif
