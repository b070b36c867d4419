/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Old logs and mails: what is read, what is damaged, what is quoted again. */
#include "imports.h"

#include <errno.h>

static const char *kernel_of(size_t run)
{
	return json_string_value(json_object_get(
		json_object_get(json_array_get(runs, run), "environment"), "kernel_release"));
}

/* ---- blocks to read ---- */

static const char *const block[] = {
	"x11.log:",
	"cpu_hz = 2.08801e+09",
	"cpu_load=0.800000  loops per run = 644705",
	"total latency = 1.953125 ms",
	"cpu latency = 1.562500 ms",
	"max diff = 4.51782 ms (overrun 4)",
	"within 1ms = 13287, factor = 99.9248%",
	"within 2ms = 13293, factor = 99.9699%",
	"deviation = 0.0516117",
};

/* Another one, sound, that stands below. */
static const char next_block[] =
	"\nproc.log:\n"
	"cpu_hz = 2.08801e+09\n"
	"cpu_load=0.800000  loops per run = 645044\n"
	"total latency = 1.953125 ms\n"
	"cpu latency = 1.562500 ms\n"
	"max diff = 3.03839 ms (overrun 0)\n"
	"within 1ms = 15404, factor = 99.9416%\n"
	"within 2ms = 15413, factor = 100%\n"
	"deviation = 0.0226547\n";

static char text[20000];

/* The block with each line between `before` and `after`; line `change` as given, NULL: left out. */
static void write_block(const char *before, const char *after, int change, const char *changed)
{
	text[0] = '\0';
	for (int i = 0; i < (int)COUNT(block); i++) {
		const char *line = i == change ? changed : block[i];

		if (line)
			sprintf(text + strlen(text), "%s%s%s", before, line, after);
	}
}

static void check_block(const char *which)
{
	static const struct {
		const char *key;
		double value;
	} figures[] = {
		{ "cycles", 13297 },          { "diffs", 13297 },
		{ "max_diff_ms", 4.51782 },   { "overruns", 4 },
		{ "within_1ms_count", 13287 }, { "within_1ms_percent", 99.9248 },
		{ "within_2ms_count", 13293 }, { "within_2ms_percent", 99.9699 },
		{ "deviation_ms", 0.0516117 },
	};

	assert_case(phase_of(0, 0), "%s: %s", which, complaints);
	assert_string_equal(name_of(0, 0), "x11");
	for (size_t i = 0; i < COUNT(figures); i++)
		assert_case(figure(0, 0, 0, figures[i].key) == figures[i].value, "%s: %s is %.10g",
			    which, figures[i].key, figure(0, 0, 0, figures[i].key));
	assert_true(json_integer_value(json_object_get(phase_of(0, 0), "loops_per_run")) == 644705);
	assert_true(json_number_value(json_object_get(phase_of(0, 0), "cpu_hz")) == 2.08801e9);
}

/* ---- tests ---- */

static void test_quoting(void **state)
{
	static const struct {
		const char *before, *after;
	} ways[] = {
		{ "", "\n" },      { "> ", "\n" },       { "> > >", "\n" }, { ">>> > ", "\n" },
		{ "", "\r\n" },    { "> ", "\r\n" },     { "  ", "  \n" },  { "\t> ", "\t\n" },
		{ "", "\n\n" },    { "> ", "\n>\n" },    { "\033[1m", "\033[0m\n" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		write_block(ways[i].before, ways[i].after, -1, NULL);
		import_text(text);
		expect(1, 1, 0, 0, ways[i].before);
		check_block(ways[i].before);
	}
	/* Marks of mixed depth within a block, and a mark before an order of bytes. */
	write_block("", "\n> > ", -1, NULL);
	import_text(text);
	check_block("mixed");
	sprintf(text, "\xef\xbb\xbf");
	for (size_t i = 0; i < COUNT(block); i++)
		sprintf(text + strlen(text), "%s\n", block[i]);
	import_text(text);
	check_block("BOM");
}

/* Lines are wrapped at any blank, and what is wrapped has lost some of its marks. */
static void test_wrapping(void **state)
{
	(void)state;
	for (size_t i = 1; i < COUNT(block); i++) {
		const char *equals = strchr(block[i], '=');

		for (const char *blank = strchr(equals, ' '); blank;
		     blank = strchr(blank + 1, ' ')) {
			char wrapped[200];

			sprintf(wrapped, "%.*s\n> %s", (int)(blank - block[i]), block[i],
				blank + 1);
			write_block("> > ", "\n", (int)i, wrapped);
			import_text(text);
			expect(1, 1, 0, 0, wrapped);
			check_block(wrapped);
		}
	}
}

static void test_line_missing(void **state)
{
	(void)state;
	for (int i = 0; i < (int)COUNT(block); i++) {
		write_block("", "\n", i, NULL);
		strcat(text, next_block);
		import_text(text);
		if (i == 0) {
			/* The label only: the figures are whole. */
			expect(1, 2, 0, 0, "no label");
			assert_string_equal(name_of(0, 0), "unlabelled-1");
			continue;
		}
		expect(1, 1, 0, 1, block[i]);
		assert_string_equal(name_of(0, 0), "proc");
		assert_case(strstr(complaints, "mail:"), "%s", complaints);
	}
}

static void test_figure_garbled(void **state)
{
	static const char *const marks[] = { "?", "x", "\x01", "\xff", ".", "--", "e", " 1" };

	(void)state;
	for (int i = 1; i < (int)COUNT(block); i++) {
		for (const char *digit = strchr(block[i], '='); *digit; digit++) {
			char garbled[200];
			size_t mark = (size_t)(digit - block[i]) % COUNT(marks);

			if (*digit < '0' || *digit > '9' || digit[-1] < '0' || digit[-1] > '9')
				continue;
			sprintf(garbled, "%.*s%s%s", (int)(digit - block[i]), block[i], marks[mark],
				digit);
			/* A point in a whole part is another number, not to be known. */
			if (marks[mark][0] == '.' && !strchr(garbled, ',') && !strchr(garbled, '('))
				continue;
			if (marks[mark][0] == 'e' && !strchr(garbled, ',') && !strchr(garbled, '('))
				continue;
			write_block("", "\n", i, garbled);
			strcat(text, next_block);
			import_text(text);
			assert_case(stats.damaged == 1 && stats.phases == 1, "%s: %u, %u: %s",
				    garbled, stats.damaged, stats.phases, complaints);
			assert_string_equal(name_of(0, 0), "proc");
		}
	}
}

static void test_nul_bytes(void **state)
{
	char *at;

	(void)state;
	write_block("", "\n", -1, NULL);
	strcat(text, next_block);
	at = strstr(text, "13287") + 2;
	*at = '\0';
	import_bytes("mail", text, sizeof(text) / 2);
	expect(1, 1, 0, 1, "NUL in a figure");
	assert_non_null(strstr(complaints, "mail:7: "));
}

static void test_cut_at_end(void **state)
{
	(void)state;
	for (size_t lines = 1; lines < COUNT(block); lines++) {
		strcpy(text, next_block);
		for (size_t i = 0; i < lines; i++)
			sprintf(text + strlen(text), "%s\n", block[i]);
		import_text(text);
		expect(1, 1, 0, 1, block[lines]);
	}
	/* In the middle of a line. */
	for (size_t cut = 1; cut < strlen(block[7]); cut++) {
		strcpy(text, next_block);
		for (size_t i = 0; i < 7; i++)
			sprintf(text + strlen(text), "%s\n", block[i]);
		sprintf(text + strlen(text), "%.*s", (int)cut, block[7]);
		import_text(text);
		expect(1, 1, 0, 1, "cut in a line");
	}
	/* In the last figure it cannot be seen, but what can be said is said. */
	write_block("", "\n", -1, NULL);
	text[strlen(text) - 3] = '\0';
	import_text(text);
	expect(1, 1, 0, 0, "cut in the last figure");
	assert_int_equal(json_array_size(json_object_get(phase_of(0, 0), "reasons")), 1);
}

static void test_quoted_again(void **state)
{
	static char again[5 * sizeof(text)];

	(void)state;
	/* Once more with marks, once more wrapped, once more without its label. */
	write_block("", "\n", -1, NULL);
	strcpy(again, text);
	write_block("> ", "\n", -1, NULL);
	strcat(again, text);
	write_block("> > ", "\n", 6, "within 1ms = 13287, factor =\n> 99.9248%");
	strcat(again, text);
	write_block("> ", "\n", 0, NULL);
	strcat(again, text);
	strcat(again, next_block);
	import_text(again);
	expect(1, 2, 3, 0, "quoted");
	/* A figure that differs is another result: of the same label, so of another run. */
	write_block("", "\n", -1, NULL);
	strcpy(again, text);
	write_block("", "\n", 8, "deviation = 0.0516118");
	strcat(again, text);
	import_text(again);
	expect(2, 2, 0, 0, "another");
}

static void test_headings(void **state)
{
	static const char conditions[] =
		"Test condition:\nCPU load = 0.8\nRTC freq = 1024\nRTC wakeup count = 2\n"
		"Deadline = 2\nX-test = yes\nFilesize = 1000000000\n\n";
	static char mail[3 * sizeof(text)];

	(void)state;
	write_block("", "\n", -1, NULL);
	sprintf(mail, "%s---------- 2.6.5-mm3 CFQ scheduler ----------\n%s"
		      "----- 2.6.5\nAS scheduler -----\n%s-----------------\n",
		conditions, text, next_block);
	write_block("", "\n", 8, "deviation = 0.06");
	strcat(mail, text);
	import_text(mail);
	expect(3, 3, 0, 0, "headings");
	assert_string_equal(kernel_of(0), "2.6.5-mm3");
	assert_string_equal(kernel_of(1), "2.6.5");
	assert_string_equal(kernel_of(2), "unknown");
	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(json_array_get(runs, 1), "environment"),
				    "scheduler")),
			    "AS scheduler");
	assert_true(condition(0, "rate_hz") == 1024 && condition(0, "wakeups") == 2);
	assert_true(condition(0, "deadline_periods") == 2 && condition(0, "load") == 0.8);
	assert_true(condition(0, "file_size_bytes") == 1e9 &&
		    condition(0, "period_ms") == 1.953125);
	/* Another mail has other conditions; those of a log that contradicts are not used. */
	sprintf(mail, "%sFrom a@b Thu Apr  1 12:00:00 2004\n%s", conditions, next_block);
	import_text(mail);
	assert_true(isnan(condition(0, "rate_hz")) && condition(0, "load") == 0.8);
	write_block("", "\n", 3, "total latency = 3.906250 ms");
	sprintf(mail, "%s%s", conditions, text);
	import_text(mail);
	assert_true(isnan(condition(0, "rate_hz")) && condition(0, "period_ms") == 3.90625);
	assert_true(isnan(condition(0, "deadline_periods")));
	import_text("Test condition:\nCPU load = 0.8.1\n");
	expect(0, 0, 0, 1, "a condition that cannot be read");
}

static void test_prose(void **state)
{
	static const char *const nothing[] = {
		"", "\n\n", "(text)\n", "max diff = 4.51782 ms (overrun 4)\n", "x11.log\n",
		"The deviation = small, within 1ms = always.\n", "T: 4 o'clock\n",
		"-----BEGIN PGP SIGNED MESSAGE-----\n2.4.19 67.71 98% 1.00*\n",
		"> noload 2:34.53 291%\n", "{\n\"a\": {\n", "> deviation =\n",
		"fragment latency\n 4.2ms (  0)|\n", "# cyclictest -t 4\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(nothing); i++) {
		import_text(nothing[i]);
		expect(0, 0, 0, 0, nothing[i]);
	}
	/* A comment within a block: what stands below it may be of another. */
	write_block("> ", "\n", 5, "max diff = 4.51782 ms (overrun 4)\n\nThat is bad.\n");
	strcat(text, next_block);
	import_text(text);
	expect(1, 1, 0, 1, "a comment in a block");
}

static void test_names(void **state)
{
	(void)state;
	write_block("", "\n", 0, "==> results/2.6.5/x11.log <==");
	import_text(text);
	check_block("head");
	write_block("", "\n", 0, "# source rtc: /dev/rtc");
	assert_int_equal(import_bytes("some/where/x11.log", text, strlen(text)), 0);
	check_block("the file's name");
	write_block("", "\n", 0, "../../etc/passwd.log:");
	import_text(text);
	assert_string_equal(name_of(0, 0), "passwd");
}

static void test_stop(void **state)
{
	(void)state;
	write_block("", "\n", -1, NULL);
	sink_answer = -ENOSPC;
	assert_int_equal(import_bytes("mail", text, strlen(text)), -ENOSPC);
	sink_answer = 0;
}

/* No label, no heading, no end of it: one run does not grow for ever. */
static void test_many(void **state)
{
	char *many = malloc(3000 * 300);
	size_t used = 0;

	(void)state;
	assert_non_null(many);
	for (int i = 0; i < 3000; i++)
		used += (size_t)sprintf(many + used,
			"cpu_hz = nan\ncpu_load=0.8 loops per run = %d\ntotal latency = 1 ms\n"
			"cpu latency = 0.8 ms\nmax diff = 2 ms (overrun 0)\n"
			"within 1ms = 1, factor = 100%%\nwithin 2ms = 1, factor = 100%%\n"
			"deviation = 0.1\n", i);
	assert_int_equal(import_bytes("many", many, used), 0);
	free(many);
	assert_int_equal(stats.phases, 3000);
	assert_in_range(stats.runs, 3000 / 100, 3000 / 10);
}

/* Names are not kept for ever either: where they would be too many, the next block begins a run. */
static void test_many_damaged(void **state)
{
	static const char whole[] =
		"cpu_hz = nan\ncpu_load=0.8 loops per run = %d\ntotal latency = 1 ms\n"
		"cpu latency = 0.8 ms\nmax diff = 2 ms (overrun 0)\n"
		"within 1ms = 1, factor = 100%%\nwithin 2ms = 1, factor = 100%%\ndeviation = 0.1\n";
	static const int many[] = { 10, 200 };
	char *mail = malloc(16384);

	(void)state;
	assert_non_null(mail);
	for (size_t i = 0; i < COUNT(many); i++) {
		size_t used = (size_t)sprintf(mail, "x11.log:\n");

		used += (size_t)sprintf(mail + used, whole, 1);
		for (int j = 0; j < many[i]; j++)
			used += (size_t)sprintf(mail + used, "bad%d.log:\n", j);
		used += (size_t)sprintf(mail + used, "proc.log:\n");
		used += (size_t)sprintf(mail + used, whole, 2);
		assert_int_equal(import_bytes("many", mail, used), 0);
		expect(many[i] < 64 ? 1 : 2, 2, 0, (unsigned int)many[i], "damaged labels");
	}
	free(mail);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_wrapping),
		cmocka_unit_test(test_line_missing),
		cmocka_unit_test(test_figure_garbled),
		cmocka_unit_test(test_nul_bytes),
		cmocka_unit_test(test_cut_at_end),
		cmocka_unit_test(test_quoted_again),
		cmocka_unit_test(test_headings),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_many_damaged),
	};
	int failed = unit_run(tests);

	json_decref(runs);
	return failed;
}
