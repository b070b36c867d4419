/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.html: a whole run on one page that needs neither a network nor scripts. */
#ifndef LT_REPORT_HTML_H
#define LT_REPORT_HTML_H

#include <stdio.h>

#include "report/view.h"
#include "util/fault.h"

/* Writes the page. 0, or a negative errno with the reason in fault. */
int html_write(FILE *out, const struct run_view *view, struct fault *fault);

#endif
