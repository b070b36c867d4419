/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How checks read the facts and say what they found. */
#ifndef LT_DOCTOR_FINDING_H
#define LT_DOCTOR_FINDING_H

#include "doctor/doctor.h"

/* Status and evidence; what is too long is cut. */
void finding_set(struct finding *finding, enum doctor_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void finding_cure(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Not good, and results made under it mislead. */
void finding_spoils(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Facts, also of objects within the environment. false or NULL where they are unknown, missing, or
 * of another type.
 */
bool fact_int(const json_t *facts, const char *key, int64_t *value);
bool fact_bool(const json_t *facts, const char *key, bool *value);
const char *fact_text(const json_t *facts, const char *key);

/* Appends to a list of words, "a, b"; what has no more room is left out. */
void list_add(char *list, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
