/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short forms for jansson: set a member, read one that may be missing. */
#ifndef LT_UTIL_JX_H
#define LT_UTIL_JX_H

#include <jansson.h>
#include <stdint.h>

/* object[key] = value; the reference is taken over. NULL (no memory) leaves the member out. */
void jx_put(json_t *object, const char *key, json_t *value);
void jx_put_count(json_t *object, const char *key, uint64_t value);
/* A number that is not finite becomes null. */
void jx_put_real(json_t *object, const char *key, double value);
/* Text that is not UTF-8 (a file name need not be) becomes a remark that says so. */
void jx_put_text(json_t *object, const char *key, const char *value);

/* Appends a line of text to an array. */
void jx_add_line(json_t *array, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The member as a number; NaN where it is missing or none. */
double jx_number(const json_t *object, const char *key);
/* The member as a whole number; 0 where it is missing or none. */
long long jx_count(const json_t *object, const char *key);
/* The member as text; "unknown" where it is missing or none. The object's memory. */
const char *jx_text(const json_t *object, const char *key);

#endif
