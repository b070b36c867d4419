/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the summary's lines about the machine. */
#ifndef LT_REPORT_SUMMARY_PARTS_H
#define LT_REPORT_SUMMARY_PARTS_H

#include <jansson.h>
#include <stdio.h>

/* The devices below one, and those below these, a line each with its elevator. */
void summary_below(FILE *out, const json_t *device);

/* What somebody changed while the run went on. */
void summary_changes(FILE *out, const json_t *run);

#endif
