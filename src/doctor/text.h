/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings for people. */
#ifndef LT_DOCTOR_TEXT_H
#define LT_DOCTOR_TEXT_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum doctor_detail {
	DOCTOR_BRIEF = -1, /* what is not good, only */
	DOCTOR_NORMAL,     /* why and cure of what is not good or unknown */
	DOCTOR_VERBOSE,    /* why of everything */
};

/*
 * Prints the array of doctor_examine() in groups and the verdict, in lines of that width where
 * words allow.
 */
void doctor_text(FILE *out, const json_t *findings, enum doctor_detail detail, size_t columns);

/* One line of a finding, to be freed: "governor: powersave on CPUs 0-3". NULL without memory. */
char *doctor_line(const json_t *finding);

#endif
