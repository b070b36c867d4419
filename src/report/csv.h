/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as CSV (RFC 4180, with a header line and \n). */
#ifndef LT_REPORT_CSV_H
#define LT_REPORT_CSV_H

#include <stdio.h>

#include "report/view.h"
#include "util/fault.h"

/* One field of text, quoted where it has to be. */
void csv_put_text(FILE *out, const char *text);

/* The header line, then with each run one row per phase and thread. 0 or a negative errno. */
int csv_phases_header(FILE *out);
int csv_phases(FILE *out, const struct run_view *view);

/*
 * The header line, then with each run one row per recorded cycle, read from its sample files. 0 or
 * a negative errno with the reason in fault; a damaged file gives the rows before the damage and
 * -EPROTO, a phase with figures but no samples (missing, imported) -ENOENT after all the others.
 */
int csv_samples_header(FILE *out);
int csv_samples(FILE *out, const struct run_view *view, struct fault *fault);

#endif
