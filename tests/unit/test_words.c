/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is told in words and lines: verdicts, summary, CSV, KTAP. */
#include "unit.h"

#include <math.h>

#include "report/csv.h"
#include "report/run_file.h"
#include "report/summary.h"
#include "report/tap.h"
#include "report/verdict.h"

/* A run of one phase, 1024 Hz / 2, whose figures are given. */
static json_t *make_run(const char *status, int cycles, int missed, int overruns,
			double max_diff_ms)
{
	json_t *run = json_pack(
		"{s:i, s:s, s:s, s:s, s:{s:f, s:i, s:i, s:f, s:f, s:f, s:s, s:s, s:s, s:[s], s:s,"
		" s:{s:i, s:n, s:n, s:n}}, s:{s:s}, s:[{s:s, s:s, s:[]}]}",
		"schema_version", 1, "program", "latencytest", "status", "complete", "started_utc",
		"2026-01-01T00:00:00Z", "conditions", "load", 0.8, "rate_hz", 1024, "wakeups", 2,
		"period_ms", 1.953125, "cpu_latency_ms", 1.5625, "deadline_periods", 2.0, "source",
		"timer", "source_note", "as asked", "policy", "fifo", "stress", "x11", "directory",
		"/tmp", "limits", "max_overruns", 3, "max_missed_cycles", "max_late_finishes",
		"max_diff_ms", "environment", "kernel_release", "6.1, \"odd\"", "phases", "name",
		"x11", "status", status, "reasons");
	json_t *phase = json_array_get(json_object_get(run, "phases"), 0);

	assert_non_null(run);
	if (cycles)
		json_object_set_new(phase, "threads",
				    json_pack("[{s:i, s:i, s:i, s:f, s:i, s:f, s:s}]", "cycles",
					      cycles, "missed_cycles", missed, "overruns", overruns,
					      "max_diff_ms", max_diff_ms, "late_finishes", 0,
					      "finish_max_ms", 1.75, "lateness_p99_us", "missed"));
	return run;
}

static const json_t *phase_of(const json_t *run)
{
	return json_array_get(json_object_get(run, "phases"), 0);
}

static void expect_verdict(json_t *run, const char *const *parts, size_t n)
{
	char *text = verdict_phase(run, phase_of(run));

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		assert_case(strstr(text, parts[i]), "'%s' in '%s'", parts[i], text);
	free(text);
	json_decref(run);
}

/*
 * 15360 cycles of 1.953125 ms are 30 s. No overrun: the mean count is below -ln 0.05 = 2.9957 with
 * 95 % confidence, so there is less than one in 30 / 2.9957 = 10.01 s. 2.0 ms are 96 frames, 1.75
 * are 84.
 */
static void a_phase_that_held(void **state)
{
	static const char *const parts[] = { "deadline of 3.906 ms held",
					     "15360 cycles (30 seconds)", "2.000 ms (96 frames",
					     "1.750 ms (84 frames",
					     "less than one drop-out in 10 seconds" };

	(void)state;
	expect_verdict(make_run("valid", 15360, 0, 0, 2.0), parts, COUNT(parts));
}

/* 3 overruns in 30 s: one in 10 s; Garwood's .618672 to 8.767273 give 3.42 s to 48.5 s. */
static void a_phase_that_did_not(void **state)
{
	static const char *const parts[] = { "did not hold", "3 overruns",
					     "about one drop-out in 10",
					     "one in 3.4 seconds and one in 48 seconds" };

	(void)state;
	expect_verdict(make_run("valid", 15360, 0, 3, 7.0), parts, COUNT(parts));
}

/* A deadline of many periods may be kept while periods are missed: that is no success. */
static void missed_cycles_are_drop_outs(void **state)
{
	static const char *const parts[] = { "did not hold", "2 missed cycles" };

	(void)state;
	expect_verdict(make_run("valid", 15358, 2, 0, 3.9), parts, COUNT(parts));
}

static json_t *without_finishes(json_t *run)
{
	json_t *thread = json_array_get(json_object_get(phase_of(run), "threads"), 0);

	json_object_set_new(thread, "late_finishes", json_null());
	return run;
}

/* Of a device without time stamps: the burns may all have been done too late. */
static void finishes_that_are_not_known(void **state)
{
	static const char *const held[] = { "No overrun of 3.906 ms and no missed cycle",
					    "when the burns were done is not known" };
	static const char *const late[] = { "did not hold", "an unknown number of late finishes" };
	json_t *run = without_finishes(make_run("suspect", 15360, 0, 0, 2.0));
	char *verdict = summary_verdict(run);

	(void)state;
	assert_case(strstr(verdict, "Not known to be on time") &&
		    strstr(verdict, "1 without known finishes, 1 suspect"), "'%s'", verdict);
	free(verdict);
	expect_verdict(run, held, COUNT(held));
	expect_verdict(without_finishes(make_run("suspect", 15360, 2, 3, 7.0)), late, COUNT(late));
}

static void phases_without_a_verdict(void **state)
{
	static const char *const invalid[] = { "No verdict: the phase is invalid" };
	static const char *const skipped[] = { "Nothing was measured: the phase was skipped" };
	static const char *const suspect[] = { "held", "suspect, so take this with caution" };

	(void)state;
	expect_verdict(make_run("invalid", 100, 0, 0, 2.0), invalid, 1);
	expect_verdict(make_run("skipped", 0, 0, 0, 0), skipped, 1);
	expect_verdict(make_run("suspect", 100, 0, 0, 2.0), suspect, 2);
}

/* Garwood's interval: reference values for counts of 1, 3 and 10. */
static void bounds_of_counts(void **state)
{
	static const struct {
		uint64_t seen;
		double lower, upper;
	} cases[] = { { 0, 0, 2.995732 },
		      { 1, 0.025318, 5.571643 },
		      { 3, 0.618672, 8.767273 },
		      { 10, 4.795389, 18.390356 } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		double lower, upper;

		verdict_event_bounds(cases[i].seen, &lower, &upper);
		assert_case(fabs(lower - cases[i].lower) < 1e-6, "lower of %d is %.8f",
			    (int)cases[i].seen, lower);
		assert_case(fabs(upper - cases[i].upper) < 1e-6, "upper of %d is %.8f",
			    (int)cases[i].seen, upper);
	}
}

static void time_spans(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = { { 0.6679, "667 ms" },    { 9.99, "9.9 seconds" },  { 119.9, "119 seconds" },
		      { 120, "2 minutes" },    { 7199, "119 minutes" }, { 7200, "2.0 hours" },
		      { 86399, "23.9 hours" } };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char buf[48];

		verdict_time_span(buf, sizeof(buf), cases[i].seconds);
		assert_string_equal(buf, cases[i].text);
	}
}

/* No line of the summary, whatever it holds, is longer than a mail allows. */
static void the_summary_fits_a_mail(void **state)
{
	json_t *run = make_run("suspect", 15360, 0, 0, 2.0);
	char *text = NULL, *line, *rest;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	json_array_append_new(
		json_object_get(phase_of(run), "reasons"),
		json_string("a reason with aWordThatIsMuchLongerThanAnyLineOfTheSummary"
			    "MayBeSoThatItHasToBeCutUpSomewhere and an end"));
	assert_int_equal(summary_write(out, run), 0);
	fclose(out);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		assert_case(strlen(line) <= SUMMARY_COLUMNS, "%s", line);
	free(text);
	json_decref(run);
}

static char *tap_of(json_t *run)
{
	char *text = NULL;
	size_t size = 0, number = 4;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(tap_run(out, run, "a: ", &number), 0);
	fclose(out);
	assert_int_equal(number, 5);
	json_decref(run);
	return text;
}

static void phases_as_test_results(void **state)
{
	static const struct {
		const char *status;
		int cycles, overruns; /* the limit is 3 */
		const char *text;
	} cases[] = {
		{ "valid", 100, 3, "ok 5 a: x11\n" },
		{ "valid", 100, 4, "not ok 5 a: x11\n# x11: overruns 4, limit --max-overruns 3\n" },
		{ "invalid", 100, 0, "not ok 5 a: x11\n" },
		{ "suspect", 100, 0,
		  "not ok 5 a: x11\n# x11: suspect, so that its limits could not be checked\n" },
		{ "skipped", 0, 0,
		  "not ok 5 a: x11\n# x11: skipped, so that its limits could not be checked\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = tap_of(make_run(cases[i].status, cases[i].cycles, 0, cases[i].overruns,
					     2.0));

		assert_string_equal(text, cases[i].text);
		free(text);
	}
}

static void a_skip_without_limits(void **state)
{
	json_t *run = make_run("skipped", 0, 0, 0, 0);
	char *text;

	(void)state;
	json_object_del(json_object_get(run, "conditions"), "limits");
	json_array_append_new(json_object_get(phase_of(run), "reasons"),
			      json_string("no display #1\n"));
	text = tap_of(run);
	assert_string_equal(text, "ok 5 a: x11 # SKIP no display  1 \n");
	free(text);
}

static size_t count_of(const char *text, char c)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

/* Names are quoted where they have to be; what is not known is empty; a row has as many fields. */
static void rows_of_csv(void **state)
{
	json_t *run = make_run("valid", 100, 0, 1, 2.5);
	struct phase_view phase = { .phase = phase_of(run), .name = "x11" };
	struct run_view view = { .dir = "dir", .run = run, .phases = &phase, .n = 1 };
	char *header = NULL, *row = NULL;
	size_t size;
	FILE *out = open_memstream(&header, &size);

	(void)state;
	csv_phases_header(out);
	fclose(out);
	out = open_memstream(&row, &size);
	assert_int_equal(csv_phases(out, &view), 0);
	fclose(out);
	assert_ptr_equal(strstr(row,
				"dir,2026-01-01T00:00:00Z,\"6.1, \"\"odd\"\"\",timer,x11,valid,"
				",100,0,,,2.5,1,"),
			 row);
	assert_non_null(strstr(row, ",missed,"));
	/* One comma of the row lies within quotes. */
	assert_int_equal(count_of(row, ','), count_of(header, ',') + 1);
	free(header);
	free(row);
	json_decref(run);
}

/* What others wrote into a run.json need not be text where text is due. */
static void lines_that_are_none(void **state)
{
	json_t *run = make_run("skipped", 0, 0, 0, 0);
	json_t *conditions = json_object_get(run, "conditions");
	char *text = NULL;
	size_t size, number = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	json_object_set_new(conditions, "stress", json_pack("[i, n, {}]", 1));
	json_object_set_new(conditions, "limits", json_object());
	json_object_set_new(json_array_get(json_object_get(run, "phases"), 0), "reasons",
			    json_pack("[i, s]", 1, "second"));
	assert_int_equal(summary_write(out, run), 0);
	fflush(out);
	assert_non_null(strstr(text, "X-test = no"));
	assert_non_null(strstr(text, "x11 skipped: second"));
	assert_null(strstr(text, "(null)"));
	rewind(out);
	assert_int_equal(tap_run(out, run, "", &number), 0);
	fclose(out);
	assert_ptr_equal(strstr(text, "ok 1 x11 # SKIP \n"), text);
	free(text);
	json_decref(run);
}

/* Escape sequences of a terminal, in one byte (C0), in two (C1), and in the name of a member. */
static void no_controls(void **state)
{
	json_t *run = json_pack("{s:s, s:[{s:s}], s:{s:i, s:i}}", "a",
				"x\033[2Jy\177\302\2332z\tu\n", "b", "c", "\303\251\302\240\007",
				"d", "\033k", 1, "\033", 2);
	const json_t *keys;

	(void)state;
	assert_non_null(run);
	run_file_clean(run);
	assert_string_equal(json_string_value(json_object_get(run, "a")), "x?[2Jy??2z u ");
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(run, "b"), 0), "c")),
			    "\303\251\302\240?");
	keys = json_object_get(run, "d");
	assert_int_equal(json_object_size(keys), 2);
	assert_int_equal(json_integer_value(json_object_get(keys, "?k")), 1);
	assert_int_equal(json_integer_value(json_object_get(keys, "?")), 2);
	json_decref(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_that_held),
		cmocka_unit_test(a_phase_that_did_not),
		cmocka_unit_test(missed_cycles_are_drop_outs),
		cmocka_unit_test(finishes_that_are_not_known),
		cmocka_unit_test(phases_without_a_verdict),
		cmocka_unit_test(bounds_of_counts),
		cmocka_unit_test(time_spans),
		cmocka_unit_test(the_summary_fits_a_mail),
		cmocka_unit_test(phases_as_test_results),
		cmocka_unit_test(a_skip_without_limits),
		cmocka_unit_test(rows_of_csv),
		cmocka_unit_test(lines_that_are_none),
		cmocka_unit_test(no_controls),
	};

	return unit_run(tests);
}
