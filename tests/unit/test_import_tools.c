/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What latencytest 0.42-png and cyclictest printed. */
#include "imports.h"

#include <errno.h>

/* ---- latencytest 0.42-png ---- */

static char text[20000];

/* A block of n samples, all but one within 1 ms, line `change` left out. */
static void add_png(const char *mark, unsigned int n, int change)
{
	char *at = text + strlen(text);

	if (change != 0)
		at += sprintf(at, "%sfragment latency = 1.451247 ms\n", mark);
	if (change != 1)
		at += sprintf(at, "%scpu latency = 1.160998 ms\n", mark);
	if (change != 2)
		at += sprintf(at, "%s%5.1fms (%3u)|\n", mark, n / 1000.0, n % 7);
	if (change != 3)
		at += sprintf(at, "%s1MS num_time_samples=%u num_times_within_1ms=%u factor=%f\n",
			      mark, n, n - 2, 100.0 * (n - 2) / n);
	if (change != 4)
		at += sprintf(at, "%s2MS num_time_samples=%u num_times_within_2ms=%u factor=%f\n",
			      mark, n, n - 1, 100.0 * (n - 1) / n);
	sprintf(at, "%sPIXEL_PER_MS=103\n-rw-r--r--    1 root     root     350000000 tmpfile\n",
		mark);
}

static void test_png(void **state)
{
	static const char *const names[] = { "x11", "proc", "diskwrite", "diskcopy", "diskread" };

	(void)state;
	strcpy(text, "2.4.19-pre7-dn1\n(text)\n");
	for (unsigned int i = 0; i < 10; i++)
		add_png(i % 2 ? "> " : "", 12345 + i, -1);
	for (unsigned int i = 0; i < 10; i++)
		add_png("> ", 12345 + i, -1);
	import_text(text);
	expect(2, 10, 10, 0, "two runs, quoted again");
	for (size_t i = 0; i < 10; i++) {
		double n = 12345 + (double)i;

		assert_string_equal(name_of(i / 5, i % 5), names[i % 5]);
		assert_true(figure(i / 5, i % 5, 0, "diffs") == n);
		assert_true(figure(i / 5, i % 5, 0, "within_1ms_count") == n - 2);
		assert_true(figure(i / 5, i % 5, 0, "within_2ms_count") == n - 1);
		assert_true(figure(i / 5, i % 5, 0, "overruns") == (double)((unsigned int)n % 7));
	}
	assert_true(figure(0, 0, 0, "max_diff_ms") == 12.3);
	assert_true(condition(0, "period_ms") == 1.451247);
	assert_true(condition(0, "cpu_latency_ms") == 1.160998);
	assert_true(isnan(condition(0, "deadline_periods")) && isnan(condition(0, "load")));
}

/* A damaged block keeps its place: those after it keep their names. */
static void test_png_damaged(void **state)
{
	(void)state;
	for (unsigned int bad = 0; bad < 5; bad++) {
		for (int line = 0; line < 5; line++) {
			text[0] = '\0';
			for (unsigned int i = 0; i < 5; i++)
				add_png("", 500 + i, i == bad ? line : -1);
			for (unsigned int i = 0; i < 5; i++)
				add_png("", 600 + i, -1);
			import_text(text);
			expect(2, 9, 0, 1, complaints);
			assert_string_equal(name_of(0, 3), bad == 4 ? "diskcopy" : "diskread");
			assert_string_equal(name_of(1, 4), "diskread");
		}
	}
	/* With blocks missing nobody knows which. */
	text[0] = '\0';
	for (unsigned int i = 0; i < 3; i++)
		add_png("", 500 + i, -1);
	import_text(text);
	expect(1, 3, 0, 0, "three blocks");
	assert_string_equal(name_of(0, 2), "unlabelled-3");
	assert_int_equal(json_array_size(json_object_get(phase_of(0, 2), "reasons")), 1);
	/* Counts that contradict the factor. */
	text[0] = '\0';
	add_png("", 500, -1);
	memcpy(strstr(text, "1ms=498"), "1ms=489", 7);
	import_text(text);
	expect(0, 0, 0, 1, "a count changed");
	/* Part of it quoted, then another run. */
	text[0] = '\0';
	for (unsigned int i = 0; i < 5; i++)
		add_png("", 500 + i, -1);
	add_png("> ", 500, -1);
	add_png("> ", 501, -1);
	strcat(text, "and with the other kernel:\n");
	for (unsigned int i = 0; i < 5; i++)
		add_png("", 600 + i, -1);
	import_text(text);
	expect(2, 10, 2, 0, "part of it quoted");
	assert_string_equal(name_of(1, 0), "x11");
}

/* ---- cyclictest ---- */

static void test_lines(void **state)
{
	static const char live[] =
		"# /dev/cpu_dma_latency set to 0us\n"
		"policy: fifo: loadavg: 2.04 1.76 1.52 3/97 1281          \n\n"
		"T: 0 ( 1280) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
		"T: 1 (    0) P:80 I:1500 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
		"\033[4Apolicy: fifo: loadavg: 2.04 1.76 1.52 2/97 1281          \n\n"
		"T: 0 ( 1280) P:80 I:1000 C:     10 Min:     14 Act:   14 Avg:   14 Max:      21\n"
		"T: 1 ( 1281) P:80 I:1500 C:      6 Min:     15 Act:   17 Avg:   16 Max:      18\n";

	(void)state;
	import_text(live);
	expect(1, 1, 0, 0, "live lines");
	assert_true(figure(0, 0, 0, "cycles") == 10 && figure(0, 0, 1, "cycles") == 6);
	assert_true(figure(0, 0, 0, "lateness_min_us") == 14);
	assert_true(figure(0, 0, 1, "lateness_mean_us") == 16);
	assert_true(figure(0, 0, 0, "lateness_max_us") == 21);
	assert_true(condition(0, "priority") == 80 && condition(0, "dma_latency_us") == 0);
	assert_true(isnan(condition(0, "period_ms")) && figure(0, 0, 1, "period_ms") == 1.5);
	/* Quoted again, wrapped; then another process. */
	snprintf(text, sizeof(text), "%s%s", live,
		 "> T: 0 ( 1280) P:80 I:1000 C:      9 Min:     14 Act:   14 Avg:\n"
		 "> 14 Max:      21\n"
		 "> T: 0 ( 1280) P:80 I:1000 C:     10 Min:     14 Act:   14\n"
		 "> Avg:   14 Max:      21\n"
		 "> T: 1 ( 1281) P:80 I:1500 C:      6 Min:     15 Act:   17 Avg:   16 Max:\n> 18\n"
		 "T: 0 ( 2280) P:80 I:1000 C:     10 Min:     14 Act:   14 Avg:   14 "
		 "Max:      21\n");
	import_text(text);
	expect(2, 2, 1, 0, "quoted, then another");
	assert_int_equal(json_array_size(json_object_get(phase_of(1, 0), "threads")), 1);
	assert_true(condition(1, "rate_hz") == 1000 && condition(1, "period_ms") == 1);
	/* Nothing was measured: no figures, but no damage. */
	import_text("T: 0 ( 1280) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 "
		    "Max:       0\n");
	expect(1, 1, 0, 0, "no cycles");
	assert_true(isnan(figure(0, 0, 0, "lateness_min_us")) && figure(0, 0, 0, "cycles") == 0);
	import_text("# cyclictest -N -t\n"
		    "T: 0 ( 1) P:80 I:1000 C: 9 Min: 11601 Act: 13899 Avg: 14238 Max: 30023\n");
	assert_true(figure(0, 0, 0, "lateness_max_us") == 30.023);
	import_text("T: 0 ( 1) P:80 I:1000 C: 9 Min: 11?01 Act: 13899 Avg: 14238 Max: 30023\n"
		    "T: 1 ( 2) P:80 I:1000 C: 9 Min: 11601 Act: 13899 Avg: 14238 Max: 30023\n"
		    "T: 2000 ( 3) P:80 I:1000 C: 9 Min: 1 Act: 1 Avg: 1 Max: 1\n");
	expect(1, 1, 0, 2, "a figure garbled, a thread out of range");
	import_text("T: 0 ( 1) P:80 I:1000 C: 9 Min: 116");
	expect(0, 0, 0, 1, "cut");
}

/* 100 cycles: 60 of 3 us, 39 of 5, one of 70 that is beyond the rows. */
static const char histogram[] =
	"# /dev/cpu_dma_latency set to 0us\n# Histogram\n"
	"000000 000000\t000000\n000001 000000\t000000\n000002 000000\t000007\n"
	"000003 000060\t000000\n000004 000000\t000000\n000005 000039\t000000\n"
	"# Total: 000000099 000000007\n# Min Latencies: 00003 00002\n"
	"# Avg Latencies: 00004 00002\n# Max Latencies: 00070 00002\n"
	"# Histogram Overflows: 00001 00000\n# Histogram Overflow at cycle number:\n"
	"# Thread 0: 00038\n# Thread 1:\n\n";

static void check_histogram(void)
{
	expect(1, 1, 0, 0, "a histogram");
	assert_true(figure(0, 0, 0, "cycles") == 100 && figure(0, 0, 1, "cycles") == 7);
	assert_true(figure(0, 0, 0, "lateness_median_us") == 3);
	assert_true(figure(0, 0, 0, "lateness_p90_us") == 5);
	/* 100 are too few for p99 (299 are needed), 7 for p90. */
	assert_true(isnan(figure(0, 0, 0, "lateness_p99_us")));
	assert_true(figure(0, 0, 1, "lateness_median_us") == 2);
	assert_true(isnan(figure(0, 0, 1, "lateness_p90_us")));
	assert_true(figure(0, 0, 0, "lateness_max_us") == 70);
	assert_true(figure(0, 0, 0, "lateness_overflow_count") == 1);
	assert_int_equal(json_array_size(json_object_get(phase_of(0, 0), "threads")), 2);
}

static void test_histogram(void **state)
{
	static const char *const breaks[][2] = {
		{ "000060", "000061" }, { "000060", "0000?0" }, { "000005 ", "000004 " },
		{ "\t000007", "" },     { "# Total", "# Tot" },  { "00003 00002\n", "00003\n" },
		{ "000000099", "000000098" },
	};

	(void)state;
	import_text(histogram);
	check_histogram();
	/* With -H: a column and an entry of all threads together. */
	import_text("# Histogram\n000003 000060\t000007\t000067\n000005 000039\t000000\t000039\n"
		    "# Total: 000000099 000000007 000000106\n# Min Latencies: 00003 00003\n"
		    "# Avg Latencies: 00004 00003\n# Max Latencies: 00070 00003 00070\n"
		    "# Histogram Overflows: 00001 00000 00001\n");
	expect(1, 1, 0, 0, "-H");
	assert_int_equal(json_array_size(json_object_get(phase_of(0, 0), "threads")), 2);
	assert_true(figure(0, 0, 0, "lateness_p90_us") == 5);
	for (size_t i = 0; i < COUNT(breaks); i++) {
		char *at;

		strcpy(text, histogram);
		at = strstr(text, breaks[i][0]);
		assert_non_null(at);
		memmove(at + strlen(breaks[i][1]), at + strlen(breaks[i][0]),
			strlen(at + strlen(breaks[i][0])) + 1);
		memcpy(at, breaks[i][1], strlen(breaks[i][1]));
		strcat(text, "T: 0 ( 1) P:80 I:1000 C: 9 Min: 1 Act: 1 Avg: 1 Max: 1\n");
		import_text(text);
		expect(1, 1, 0, 1, breaks[i][0]);
	}
	/* Lines first, as without --quiet: one process, one result. */
	sprintf(text, "# /dev/cpu_dma_latency set to 0us\n"
		      "T: 0 ( 7) P:80 I:1000 C: 99 Min: 3 Act: 3 Avg: 4 Max: 70\n"
		      "T: 1 ( 8) P:80 I:1000 C: 7 Min: 2 Act: 2 Avg: 2 Max: 2\n%s",
		strstr(histogram, "# Histogram\n"));
	import_text(text);
	check_histogram();
	assert_true(figure(0, 0, 0, "pid") == 7);
}

static const char json[] =
	"{\n  \"file_version\": 1,\n  \"cmdline:\": \"cyclictest -t 2 -h 400\",\n"
	"  \"start_time\": \"Mon, 30 Nov 2026 20:30:59 +0000\",\n  \"return_code\": 0,\n"
	"  \"sysinfo\": {\n    \"nodename\": \"vm {1}\",\n    \"release\": \"6.1.0\"\n  },\n"
	"  \"num_threads\": 1,\n  \"resolution_in_ns\": 0,\n  \"thread\": {\n    \"0\": {\n"
	"      \"histogram\": {\n        \"13\": 290,\n        \"9\": 1,\n        "
	"\"25\": 9\n      },\n"
	"      \"cycles\": 301,\n      \"min\": 9,\n      \"max\": 900,\n      \"avg\": 13.71,\n"
	"      \"cpu\": 0\n    }\n  }\n}\n";

static void check_json(const char *which)
{
	expect(1, 1, 0, 0, which);
	assert_true(figure(0, 0, 0, "cycles") == 301);
	assert_true(figure(0, 0, 0, "lateness_min_us") == 9);
	assert_true(figure(0, 0, 0, "lateness_mean_us") == 13.71);
	assert_true(figure(0, 0, 0, "lateness_max_us") == 900);
	assert_true(figure(0, 0, 0, "lateness_median_us") == 13);
	/* Rank 298 of 301: 1 + 290 and then 9. */
	assert_true(figure(0, 0, 0, "lateness_p99_us") == 25);
	assert_true(figure(0, 0, 0, "lateness_overflow_count") == 1);
	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(json_array_get(runs, 0), "environment"),
				    "kernel_release")),
			    "6.1.0");
}

static void test_json(void **state)
{
	char *out = text;

	(void)state;
	import_text(json);
	check_json("as written");
	/* In one line, within a mail. */
	strcpy(text, "(text) {\n");
	out += strlen(text);
	for (const char *c = json; *c; c++)
		if (*c != '\n')
			*out++ = *c;
	strcpy(out, "\n(text)\n");
	import_text(text);
	check_json("in one line");
	/* Quoted, and a string that was wrapped. */
	out = text;
	for (const char *c = json; *c; c++) {
		if (c == json || c[-1] == '\n')
			out += sprintf(out, "> > ");
		if (!strncmp(c, " -t 2", 5)) {
			out += sprintf(out, "\n> ");
			continue;
		}
		*out++ = *c;
	}
	*out = '\0';
	import_text(text);
	check_json("quoted");
	sprintf(text, "%s> %s", json, "\n");
	strcat(text, json);
	import_text(text);
	expect(1, 1, 1, 0, "twice");
	for (size_t cut = 40; cut < sizeof(json) - 3; cut += 7) {
		sprintf(text, "%.*s\n", (int)cut, json);
		strcat(text, json);
		import_text(text);
		expect(1, 1, 0, 1, "cut, then whole");
	}
	strcpy(text, json);
	memcpy(strstr(text, "301"), "299", 3);
	import_text(text);
	expect(0, 0, 0, 1, "more in the histogram than there were");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_png),
		cmocka_unit_test(test_png_damaged),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_json),
	};
	int failed = unit_run(tests);

	json_decref(runs);
	return failed;
}
