/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The metrics of a thread as JSON: every figure under a fixed key with its unit in its name. */
#ifndef LT_REPORT_METRICS_JSON_H
#define LT_REPORT_METRICS_JSON_H

#include <jansson.h>

#include "report/evaluate.h"

/*
 * A new object (the caller's), or NULL without memory. A figure that is not known is null (too
 * few samples, no lateness); a quantile that falls among missed cycles is the string "missed".
 */
json_t *metrics_json(const struct evaluation *evaluation, uint64_t expected, double load_asked);

#endif
