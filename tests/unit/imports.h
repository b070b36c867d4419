/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts imported, and what that gave. */
#ifndef LT_TESTS_IMPORTS_H
#define LT_TESTS_IMPORTS_H

#include <math.h>

#include "report/import.h"
#include "unit.h"

static struct import_stats stats;
static json_t *runs;
static char complaints[8192];
static int sink_answer; /* what each run is answered with */

static inline int keep_run(void *argument, json_t *run)
{
	(void)argument;
	json_array_append(runs, run);
	return sink_answer;
}

static inline void keep_complaint(void *argument, const char *file, unsigned long line,
				  const char *reason)
{
	size_t used = strlen(complaints);

	(void)argument;
	snprintf(complaints + used, sizeof(complaints) - used, "%s:%lu: %s\n", file, line, reason);
}

static inline int import_bytes(const char *name, const char *bytes, size_t n)
{
	FILE *in = fmemopen((void *)(uintptr_t)(n ? bytes : "\n"), n ? n : 1, "r");
	struct fault fault = { "" };
	int err;

	assert_non_null(in);
	json_decref(runs);
	runs = json_array();
	complaints[0] = '\0';
	err = import_stream(in, name, keep_run, keep_complaint, NULL, &stats, &fault);
	fclose(in);
	if (err)
		assert_true(fault.text[0]);
	return err;
}

static inline void import_text(const char *text)
{
	assert_int_equal(import_bytes("mail", text, strlen(text)), 0);
}

static inline void expect(unsigned int n_runs, unsigned int phases, unsigned int duplicates,
		   unsigned int damaged, const char *which)
{
	assert_case(stats.runs == n_runs && stats.phases == phases &&
			    stats.duplicates == duplicates && stats.damaged == damaged,
		    "%s: %u runs, %u phases, %u duplicates, %u damaged; %s", which, stats.runs,
		    stats.phases, stats.duplicates, stats.damaged, complaints);
}

static inline const json_t *phase_of(size_t run, size_t phase)
{
	return json_array_get(json_object_get(json_array_get(runs, run), "phases"), phase);
}

static inline const char *name_of(size_t run, size_t phase)
{
	return json_string_value(json_object_get(phase_of(run, phase), "name"));
}

/* Of a thread of a phase; NaN where there is none. */
static inline double figure(size_t run, size_t phase, size_t thread, const char *key)
{
	const json_t *object =
		json_array_get(json_object_get(phase_of(run, phase), "threads"), thread);
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

/* NaN where there is none. */
static inline double condition(size_t run, const char *key)
{
	const json_t *value = json_object_get(
		json_object_get(json_array_get(runs, run), "conditions"), key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

#endif
