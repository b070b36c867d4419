/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks, refusals and flags of comparisons, on made-up runs. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "report/compare.h"
#include "report/plot_draw.h"
#include "util/jx.h"

/* One phase, and what the tests vary. */
struct made {
	const char *phase;
	int overruns;
	double lateness_us; /* INFINITY: "missed" */
	double max_diff_ms;
	int cycles;
};

static json_t *make_run(const struct made *made)
{
	json_t *late = isinf(made->lateness_us) ? json_string("missed") :
						  json_real(made->lateness_us);
	json_t *run = json_pack(
		"{s:i, s:s, s:s, s:{s:f, s:s, s:f, s:f, s:s, s:i, s:i}, s:{s:i},"
		" s:{s:s, s:s, s:f, s:{s:s, s:s, s:[{s:s, s:s}]}},"
		" s:[{s:s, s:s, s:[], s:[{s:i, s:i, s:i, s:i, s:o, s:f, s:f, s:f, s:f}],"
		"     s:{s:s, s:f}}]}",
		"schema_version", 1, "program", "latencytest", "status", "complete", "conditions",
		"load", 0.8, "source", "timer", "period_ms", 2.0, "deadline_periods", 2.0, "policy",
		"fifo", "priority", 80, "file_size_bytes", 1000, "calibration", "loops_per_run",
		1000, "environment", "kernel_release", "6.1", "cpu_model", "a CPU",
		"load_average_1min", 0.5, "test_directory", "elevator", "none", "file_system",
		"ext4", "devices_below", "device", "sda", "elevator", "none", "phases",
		"name", made->phase, "status", "valid", "reasons", "threads", "cycles",
		made->cycles,
		"missed_cycles", 0, "expected_cycles", made->cycles,
		"overruns", made->overruns, "lateness_p99_us", late, "finish_p99_ms", 1.7,
		"max_diff_ms", made->max_diff_ms, "load_achieved", 0.8, "deviation_ms", 0.1,
		"stressor", "unit", "files", "units_per_second", 100.0);

	assert_non_null(run);
	return run;
}

static json_t *phase_of(json_t *run)
{
	return json_array_get(json_object_get(run, "phases"), 0);
}

static json_t *thread_of(json_t *run)
{
	return json_array_get(json_object_get(phase_of(run), "threads"), 0);
}

static void add(struct compare *compare, const char *label, json_t *run)
{
	assert_int_equal(compare_add(compare, label, "made", run, NULL), 0);
	json_decref(run);
}

static const struct made plain = { "proc", 0, 50, 2.5, 1000 };

/* The run with that number: no two real ones measure exactly the same. */
static json_t *make_another(const struct made *made, int number)
{
	json_t *run = make_run(made);

	json_real_set(json_object_get(thread_of(run), "deviation_ms"), 0.1 + 1e-6 * number);
	return run;
}

/* n runs whose values lie a little apart, as real ones do. */
static void add_group(struct compare *compare, const char *label, size_t n, double lateness_us,
		      double step)
{
	for (size_t i = 0; i < n; i++) {
		struct made made = plain;

		made.lateness_us = lateness_us + step * (double)i;
		add(compare, label, make_another(&made, (int)i));
	}
}

static const struct compare_row *row_of(const struct compare *compare, const char *key)
{
	for (size_t i = 0; i < compare->n_rows; i++)
		if (!strcmp(compare->rows[i].metric->key, key))
			return &compare->rows[i];
	fail_msg("no row %s", key);
	return NULL;
}

static bool any_flag(const struct compare *compare, const char *words)
{
	const json_t *flag;
	size_t i;

	json_array_foreach(compare->flags, i, flag)
		if (strstr(jx_text(flag, "text"), words))
			return true;
	return false;
}

static void single_runs(void **state)
{
	struct made worse = plain;
	struct compare compare;
	const struct compare_test *test;

	(void)state;
	worse.overruns = 6;
	compare_init(&compare);
	add(&compare, "a", make_run(&plain));
	add(&compare, "b", make_run(&worse));
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	test = &row_of(&compare, "overruns")->tests[1];
	assert_true(fabs(test->p - .03125) < 1e-12);
	assert_int_equal(test->method, COMPARE_BINOMIAL);
	assert_int_equal(test->mark, MARK_CANNOT_TELL);
	assert_true(fabs(row_of(&compare, "overruns")->cells[1].interval.low - 2.201894) < 1e-6);
	/* Times of one run each are not tested. */
	assert_true(isnan(row_of(&compare, "lateness_p99_us")->tests[1].p));
	assert_true(isnan(row_of(&compare, "max_diff_ms")->tests[1].p));
	assert_int_equal(compare_worse(&compare), 0);
	compare_free(&compare);
}

static void clear_difference(void **state)
{
	static const double second[] = { 150, 10 };

	(void)state;
	for (size_t i = 0; i < COUNT(second); i++) {
		const struct compare_test *test;
		struct compare compare;

		compare_init(&compare);
		add_group(&compare, "a", 8, 50, 1);
		add_group(&compare, "b", 8, second[i], 1);
		assert_int_equal(compare_evaluate(&compare, NULL), 0);
		test = &row_of(&compare, "lateness_p99_us")->tests[1];
		assert_int_equal(test->mark, MARK_DIFFERENT);
		assert_true(test->exact && fabs(test->p - 2.0 / 12870) < 1e-12);
		assert_true(fabs(test->p_adjusted - 5 * test->p) < 1e-12);
		assert_true(fabs(test->effect - (second[i] - 50)) < 1e-9);
		assert_int_equal(test->worse, second[i] > 50);
		assert_int_equal(compare_worse(&compare), second[i] > 50);
		assert_int_equal(row_of(&compare, "overruns")->tests[1].mark, MARK_NOT_SHOWN);
		assert_int_equal(row_of(&compare, "deviation_ms")->tests[1].mark, MARK_NONE);
		compare_free(&compare);
	}
}

/* However significant, half a microsecond is nothing. */
static void below_the_floor(void **state)
{
	const struct compare_test *test;
	struct compare compare;

	(void)state;
	compare_init(&compare);
	add_group(&compare, "a", 8, 50, 0.01);
	add_group(&compare, "b", 8, 50.5, 0.01);
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	test = &row_of(&compare, "lateness_p99_us")->tests[1];
	assert_true(test->p_adjusted < 0.05);
	assert_int_equal(test->mark, MARK_NOT_SHOWN);
	assert_string_equal(test->why, "below the floor");
	compare_free(&compare);
}

/* A family of 5 needs 5 a side. */
static void enough_runs(void **state)
{
	(void)state;
	for (size_t n = 2; n <= 5; n++) {
		struct compare compare;

		compare_init(&compare);
		add_group(&compare, "a", n, 50, 1);
		add_group(&compare, "b", n, 500, 1);
		assert_int_equal(compare_evaluate(&compare, NULL), 0);
		assert_int_equal(compare.family, 5);
		assert_int_equal(compare.runs_needed, 5);
		assert_int_equal(row_of(&compare, "lateness_p99_us")->tests[1].mark,
				 n < 5 ? MARK_CANNOT_TELL : MARK_DIFFERENT);
		compare_free(&compare);
	}
}

/* A side whose quantiles lie among missed cycles is the later one. */
static void missed_quantiles(void **state)
{
	const struct compare_row *row;
	struct compare compare;
	char text[96];

	(void)state;
	compare_init(&compare);
	add_group(&compare, "a", 6, 50, 1);
	add_group(&compare, "b", 6, INFINITY, 0);
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	row = row_of(&compare, "lateness_p99_us");
	assert_int_equal(row->tests[1].mark, MARK_DIFFERENT);
	assert_true(row->tests[1].worse && isinf(row->tests[1].effect));
	compare_cell_text(text, sizeof(text), row->metric, &row->cells[1]);
	assert_string_equal(text, "missed [missed, missed]");
	compare_free(&compare);
}

static void unequal_lengths(void **state)
{
	struct made longer = plain;
	struct compare compare;

	(void)state;
	longer.cycles = 2000;
	longer.max_diff_ms = 9;
	compare_init(&compare);
	add_group(&compare, "a", 6, 50, 1);
	for (int i = 0; i < 6; i++)
		add(&compare, "b", make_another(&longer, i));
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(row_of(&compare, "max_diff_ms")->tests[1].mark, MARK_CANNOT_TELL);
	assert_string_equal(row_of(&compare, "max_diff_ms")->tests[1].why,
			    "runs of unequal length");
	compare_free(&compare);
}

/* Nobody knows whether runs are equally long that do not say how many cycles they had. */
static void unknown_lengths(void **state)
{
	struct made longer = plain;
	struct compare compare;

	(void)state;
	longer.max_diff_ms = 9;
	compare_init(&compare);
	add_group(&compare, "a", 8, 50, 1);
	for (int i = 0; i < 8; i++) {
		json_t *run = make_another(&longer, i);

		if (i == 4) {
			json_object_del(thread_of(run), "cycles");
			json_object_del(thread_of(run), "expected_cycles");
		}
		add(&compare, "b", run);
	}
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(row_of(&compare, "max_diff_ms")->cells[1].n, 8);
	assert_int_equal(row_of(&compare, "max_diff_ms")->tests[1].mark, MARK_CANNOT_TELL);
	assert_string_equal(row_of(&compare, "max_diff_ms")->tests[1].why,
			    "length of the runs not known");
	compare_free(&compare);
}

/* Half of the reference's quantiles lie among missed cycles, none of the other side's. */
static void fewer_missed_quantiles(void **state)
{
	const struct compare_test *test;
	struct compare compare;

	(void)state;
	compare_init(&compare);
	add_group(&compare, "a", 4, 500, 1);
	for (int i = 0; i < 4; i++) {
		struct made made = plain;

		made.lateness_us = INFINITY;
		add(&compare, "a", make_another(&made, 100 + i));
	}
	add_group(&compare, "b", 8, 50, 1);
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	test = &row_of(&compare, "lateness_p99_us")->tests[1];
	assert_true(isinf(test->effect) && test->effect < 0);
	assert_int_equal(test->mark, MARK_DIFFERENT);
	assert_false(test->worse);
	compare_free(&compare);
}

static bool any_line(const json_t *lines, const char *words)
{
	const json_t *line;
	size_t i;

	json_array_foreach(lines, i, line)
		if (strstr(json_string_value(line), words))
			return true;
	return false;
}

/* One result listed eight times is one run, under whatever name, with figures made again. */
static void copies(void **state)
{
	struct made late = plain;
	struct compare compare;

	(void)state;
	late.lateness_us = 500;
	compare_init(&compare);
	for (int i = 0; i < 8; i++) {
		json_t *again = make_run(&late);

		add(&compare, "a", make_run(&plain));
		jx_put_real(thread_of(again), "lateness_p99_us", 500 * (1 + 1e-13 * i));
		add(&compare, "b", again);
	}
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(row_of(&compare, "lateness_p99_us")->cells[0].n, 1);
	assert_int_equal(row_of(&compare, "lateness_p99_us")->cells[1].n, 1);
	assert_int_equal(row_of(&compare, "lateness_p99_us")->tests[1].mark, MARK_CANNOT_TELL);
	assert_true(any_line(compare.notes, "b: identical results counted once: made, made"));
	compare_free(&compare);
	/* Runs in which nothing was measured are not copies of each other. */
	compare_init(&compare);
	for (int i = 0; i < 2; i++) {
		json_t *empty = make_run(&plain);

		json_object_del(phase_of(empty), "threads");
		add(&compare, "a", empty);
	}
	assert_int_equal(json_array_size(compare.sides[0].runs), 2);
	compare_free(&compare);
}

static void refusals(void **state)
{
	static const struct {
		const char *key, *phase;
		bool refused;
	} cases[] = {
		{ "file_size_bytes", "proc", false }, /* no disk stressor used it */
		{ "file_size_bytes", "diskcopy", true },
		{ "load", "proc", true },
		{ "period_ms", "proc", true },
		{ "deadline_periods", "proc", true },
		{ "source", "proc", true },
	};

	(void)state;
	for (size_t i = 0; i < 2 * COUNT(cases); i++) {
		size_t which = i % COUNT(cases);
		bool force = i >= COUNT(cases);
		struct made made = plain;
		struct compare compare;
		json_t *run;
		int got;

		made.phase = cases[which].phase;
		compare_init(&compare);
		compare.force = force;
		for (int j = 0; j < 6; j++) {
			add(&compare, "a", make_another(&made, j));
			run = make_another(&made, j);
			jx_put(json_object_get(run, "conditions"), cases[which].key,
			       strcmp(cases[which].key, "source") ? json_real(0.5) :
								    json_string("rtc"));
			json_real_set(json_object_get(thread_of(run), "lateness_p99_us"), 500);
			add(&compare, "b", run);
		}
		got = compare_evaluate(&compare, NULL);
		assert_case(got == (cases[which].refused && !force ? -EPERM : 0), "%s: %d",
			    cases[which].key, got);
		if (!got && cases[which].refused)
			for (size_t j = 0; j < compare.n_rows; j++) {
				assert_true(compare.rows[j].tests[1].flagged);
				assert_true(compare.rows[j].tests[1].mark != MARK_DIFFERENT);
			}
		compare_free(&compare);
	}
}

/* However long a label or a value is, and whatever it is cut of: the reason is told. */
static void long_refusals(void **state)
{
	char label[700], source[202];
	struct compare compare;
	json_t *run = make_another(&plain, 1), *invalid = make_another(&plain, 2), *reasons;
	struct fault fault = { "" };

	(void)state;
	label[0] = 'b';
	source[0] = 's';
	for (size_t i = 1; i + 2 < sizeof(label); i += 2)
		memcpy(label + i, "\xc3\xa9", 3);
	for (size_t i = 1; i + 2 < sizeof(source); i += 2)
		memcpy(source + i, "\xc3\xa9", 3);
	jx_put_text(json_object_get(run, "conditions"), "source", source);
	jx_put_text(phase_of(invalid), "status", "invalid");
	reasons = json_object_get(phase_of(invalid), "reasons");
	json_array_append_new(reasons, json_string(source));
	compare_init(&compare);
	add(&compare, "a", make_run(&plain));
	add(&compare, label, run);
	add(&compare, label, invalid);
	assert_int_equal(compare_evaluate(&compare, &fault), -EPERM);
	assert_int_equal(json_array_size(compare.refusals), 1);
	assert_non_null(strstr(json_string_value(json_array_get(compare.refusals, 0)), source));
	assert_true(any_flag(&compare, "invalid and left out: s"));
	assert_true(any_flag(&compare, source));
	compare_free(&compare);
}

/* What a test of flags changes in the second side. */
static void newer_kernel(json_t *run)
{
	jx_put_text(json_object_get(run, "environment"), "kernel_release", "6.2-debug");
}

static void other_elevator(json_t *run)
{
	jx_put_text(json_object_get(json_object_get(run, "environment"), "test_directory"),
		    "elevator", "bfq");
}

static void kernel_and_elevator(json_t *run)
{
	newer_kernel(run);
	other_elevator(run);
}

/* As of LVM: the elevators are those of the disks, not of what lies on them. */
static void elevator_below(json_t *run)
{
	json_t *directory = json_object_get(json_object_get(run, "environment"), "test_directory");
	json_t *below = json_object_get(directory, "devices_below");

	jx_put_text(json_array_get(below, 0), "elevator", "bfq");
}

static void kernel_and_elevator_below(json_t *run)
{
	newer_kernel(run);
	elevator_below(run);
}

static void other_cpu(json_t *run)
{
	jx_put_text(json_object_get(run, "environment"), "cpu_model", "another CPU");
}

static void slower(json_t *run)
{
	jx_put_real(thread_of(run), "load_achieved", 0.75);
}

static void fewer_loops(json_t *run)
{
	jx_put_count(json_object_get(run, "calibration"), "loops_per_run", 833);
}

static void starved(json_t *run)
{
	jx_put_real(json_object_get(phase_of(run), "stressor"), "units_per_second", 70);
}

static void invalid(json_t *run)
{
	jx_put_text(phase_of(run), "status", "invalid");
}

static void other_priority(json_t *run)
{
	newer_kernel(run);
	jx_put_count(json_object_get(run, "conditions"), "priority", 50);
}

static void flags(void **state)
{
	static const struct {
		void (*change)(json_t *run);
		const char *phase, *words; /* NULL: none at all */
	} cases[] = {
		{ newer_kernel, "proc", "debug kernel" },
		{ other_elevator, "diskread", NULL }, /* the thing compared */
		{ kernel_and_elevator, "diskread", "elevator differs" },
		{ elevator_below, "diskread", NULL },
		{ kernel_and_elevator_below, "diskread", "elevator of a device below differs" },
		{ other_cpu, "proc", "CPU model" },
		{ slower, "proc", "load achieved differs by -6.2 %" },
		{ fewer_loops, "proc", "loops per run differs" },
		{ starved, "proc", "progress differs by -30.0 %" },
		{ invalid, "proc", "invalid and left out" },
		{ other_priority, "proc", "priority differs" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct made made = plain;
		struct compare compare;
		const struct compare_test *test;

		made.phase = cases[i].phase;
		compare_init(&compare);
		for (int j = 0; j < 2; j++) {
			json_t *run = make_another(&made, j);

			cases[i].change(run);
			add(&compare, "a", make_another(&made, j));
			add(&compare, "b", run);
		}
		assert_int_equal(compare_evaluate(&compare, NULL), 0);
		test = &row_of(&compare, "overruns")->tests[1];
		assert_case(test->flagged == (cases[i].words != NULL), "case %zu", i);
		assert_case(!cases[i].words || any_flag(&compare, cases[i].words), "case %zu", i);
		if (cases[i].change == invalid) {
			assert_int_equal(row_of(&compare, "overruns")->cells[1].n, 0);
			assert_int_equal(test->mark, MARK_CANNOT_TELL);
		}
		compare_free(&compare);
	}
}

/* Equal rates are equal, whatever rounding left of their difference. */
static void rates_as_text(void **state)
{
	static const struct {
		double effect;
		const char *text;
	} cases[] = {
		{ 0, "+0/100k" },
		{ 2.602e-18, "+0/100k" },
		{ -2.602e-18, "+0/100k" },
		{ 1e-10, "+1e-05/100k" },
		{ -0.0005, "-50/100k" },
	};
	const struct compare_metric metric = { .kind = COMPARE_COUNT };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct compare_test test = { .method = COMPARE_PERMUTATION,
					     .effect = cases[i].effect };
		char text[128];

		compare_effect_text(text, sizeof(text), &metric, &test);
		assert_string_equal(text, cases[i].text);
	}
}

static void differences(void **state)
{
	struct compare compare;
	json_t *run = make_run(&plain);
	const json_t *difference;

	(void)state;
	newer_kernel(run);
	jx_put_real(json_object_get(run, "environment"), "load_average_1min", 7);
	compare_init(&compare);
	add(&compare, "a", make_run(&plain));
	add(&compare, "b", run);
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(json_array_size(compare.differences), 1);
	difference = json_array_get(compare.differences, 0);
	assert_string_equal(jx_text(difference, "key"), "environment.kernel_release");
	assert_string_equal(jx_text(json_object_get(difference, "values"), "b"), "6.2-debug");
	compare_free(&compare);
}

/* An old log's deviation meant something else. */
static void imported(void **state)
{
	struct compare compare;
	json_t *run = make_run(&plain);

	(void)state;
	jx_put_text(run, "status", "imported");
	jx_put_text(phase_of(run), "status", "imported");
	compare_init(&compare);
	add(&compare, "a", make_run(&plain));
	add(&compare, "b", run);
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(row_of(&compare, "deviation_ms")->cells[1].n, 0);
	assert_int_equal(row_of(&compare, "overruns")->cells[1].n, 1);
	compare_free(&compare);
}

/* Which part of NAME=NAME is the label, the files say. */
static void arguments(void **state)
{
	static const struct {
		const char *format; /* %s: the file */
		const char *label;  /* NULL: refused */
	} cases[] = {
		{ "%s", "scratch" },
		{ "%s=after", "after" },
		{ "before=%s", "before" },
		{ "before=%s,%s", "before" },
		{ "%s=%s", NULL },
		{ "=%s", NULL },
		{ "before=", NULL },
		{ "before=/nonexistent", NULL },
		{ "/nonexistent", NULL },
	};
	json_t *run = make_run(&plain);
	char *text = json_dumps(run, 0);

	(void)state;
	unit_write_file((const uint8_t *)text, strlen(text));
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct compare compare;
		char argument[2048], *at = argument;

		for (const char *from = cases[i].format; *from; from++)
			if (*from == '%')
				at = stpcpy(at, unit_file), from++;
			else
				*at++ = *from;
		*at = '\0';
		compare_init(&compare);
		assert_case((compare_load(&compare, argument, false, NULL, NULL) == 0) ==
				    (cases[i].label != NULL), "%s", cases[i].format);
		if (cases[i].label)
			assert_string_equal(compare.sides[0].label, cases[i].label);
		compare_free(&compare);
	}
	free(text);
	json_decref(run);
}

/* Text from outside stays text. */
static void hostile_labels(void **state)
{
	struct compare compare;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	compare_init(&compare);
	add(&compare, "<b>|\"&\n\xff", make_run(&plain));
	add(&compare, "b", make_run(&plain));
	assert_int_equal(compare_evaluate(&compare, NULL), 0);
	assert_int_equal(compare_write_html(out, &compare, NULL), 0);
	fflush(out);
	assert_null(strstr(text, "<b>"));
	assert_non_null(strstr(text, "&lt;b&gt;|&quot;&amp; \xef\xbf\xbd"));
	rewind(out);
	assert_int_equal(compare_write_markdown(out, &compare), 0);
	fclose(out);
	assert_non_null(strstr(text, "\\<b\\>\\|\"\\& \xef\xbf\xbd"));
	free(text);
	compare_free(&compare);
}

#define CANVAS 200

/* The last column of the canvas on which the curve of so many cycles leaves something. */
static int curve_end(uint64_t n, uint64_t missed, struct plot_axis *x)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, CANVAS, CANVAS);
	struct plot plot = { .cr = cairo_create(surface) };
	struct histogram *h = histogram_new();
	struct plot_axis y = { .n = 0 };
	const unsigned char *bytes;
	int end = -1;

	assert_non_null(h);
	for (uint64_t i = 0; i < n; i++)
		histogram_add(h, 1000000 + (int64_t)i);
	axis_linear(&y, 0, 2, 4);
	x->from = y.to = 0;
	x->to = y.from = CANVAS;
	cairo_set_line_width(plot.cr, 2);
	percentile_curve(&plot, h, missed, x, &y);
	cairo_surface_flush(surface);
	bytes = cairo_image_surface_get_data(surface);
	for (int i = 0; i < CANVAS * CANVAS; i++)
		if (bytes[i / CANVAS * cairo_image_surface_get_stride(surface) + i % CANVAS] &&
		    i % CANVAS > end)
			end = i % CANVAS;
	cairo_destroy(plot.cr);
	cairo_surface_destroy(surface);
	free(h);
	return end;
}

/*
 * With 95 % confidence n cycles support the quantile 0.05^(1/n): 100 of them 97.05 %, 1.53 nines;
 * 100 000 of them 4.52 nines. On an axis of the latter, the former end at a third.
 */
static void curves_end(void **state)
{
	struct plot_axis x = { .n = 0 };
	int end;

	(void)state;
	percentile_x_axis(&x, 100000);
	assert_int_equal(curve_end(100000, 0, &x), CANVAS - 1);
	end = (int)(CANVAS * 1.5305 / x.high);
	assert_in_range(curve_end(100, 0, &x), end - 2, end + 2);
	/* Half of them missed: through the top at 0.3 nines. */
	end = (int)(CANVAS * 0.30103 / x.high);
	assert_in_range(curve_end(50, 50, &x), end - 2, end + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_runs),
		cmocka_unit_test(clear_difference),
		cmocka_unit_test(below_the_floor),
		cmocka_unit_test(enough_runs),
		cmocka_unit_test(missed_quantiles),
		cmocka_unit_test(unequal_lengths),
		cmocka_unit_test(unknown_lengths),
		cmocka_unit_test(fewer_missed_quantiles),
		cmocka_unit_test(copies),
		cmocka_unit_test(refusals),
		cmocka_unit_test(long_refusals),
		cmocka_unit_test(flags),
		cmocka_unit_test(differences),
		cmocka_unit_test(imported),
		cmocka_unit_test(arguments),
		cmocka_unit_test(rates_as_text),
		cmocka_unit_test(hostile_labels),
		cmocka_unit_test(curves_end),
	};

	return unit_run(tests);
}
