/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which phases have been read, by their figures: the last 65536 are remembered. */
#ifndef LT_REPORT_IMPORT_SEEN_H
#define LT_REPORT_IMPORT_SEEN_H

#include <jansson.h>
#include <stdbool.h>

struct import_seen;

/* NULL without memory; free() it. */
struct import_seen *import_seen_new(void);

/* Whether the figures of this phase of an imported run were seen before; now they are. */
bool import_seen_phase(struct import_seen *seen, const json_t *phase);

#endif
