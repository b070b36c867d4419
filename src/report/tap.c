/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/tap.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "report/limits.h"
#include "util/jx.h"

int tap_plan(FILE *out, size_t results)
{
	fprintf(out, "KTAP version 1\n1..%zu\n", results);
	return ferror(out) ? -EIO : 0;
}

/* One line; '#' would begin a directive, a line break end the test. */
static void put_plain(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc(*text == '#' || *text == '\n' || *text == '\r' ? ' ' : *text, out);
}

static void put_diagnostics(FILE *out, const json_t *lines)
{
	const json_t *line;
	size_t i;

	json_array_foreach(lines, i, line) {
		fputs("# ", out);
		put_plain(out, json_is_string(line) ? json_string_value(line) : "");
		fputc('\n', out);
	}
}

static void put_phase(FILE *out, const json_t *run, const json_t *phase, const char *prefix,
		      size_t number)
{
	const json_t *reasons = json_object_get(phase, "reasons");
	const char *status = jx_text(phase, "status");
	json_t *breached = json_array();
	bool within = !limits_check(run, phase, breached);
	bool skipped = !strcmp(status, "skipped");
	bool usable = !strcmp(status, "valid") || !strcmp(status, "suspect") ||
		      !strcmp(status, "imported");
	bool ok = within && (usable || skipped);

	fprintf(out, "%s %zu ", ok ? "ok" : "not ok", number);
	put_plain(out, prefix);
	put_plain(out, jx_text(phase, "name"));
	/* Where a limit was given, a phase that could not be checked is a failure, not a skip. */
	if (skipped && ok) {
		const char *reason = json_string_value(json_array_get(reasons, 0));

		fputs(" # SKIP ", out);
		put_plain(out, reason ? reason : "");
	}
	fputc('\n', out);
	if (!skipped || !ok)
		put_diagnostics(out, reasons);
	put_diagnostics(out, breached);
	json_decref(breached);
}

int tap_run(FILE *out, const json_t *run, const char *prefix, size_t *number)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		put_phase(out, run, phase, prefix, ++*number);
	return ferror(out) ? -EIO : 0;
}
