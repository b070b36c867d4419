/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a sample file to metrics: the invariants hold, and where they do not it is said. */
#include "unit.h"

#include <errno.h>

#include "measure/grid.h"
#include "report/evaluate.h"

#define MS 1000000LL

static const struct metrics_params params = { .period_ns = 2e6, .deadline = 2, .burn_ns = 1.6e6 };

/* A recording as the loop and the recorder make it. */
struct recording {
	struct sample_header header;
	struct cycle cycles[600]; /* [0]: the origin */
	size_t n;
	struct sample_end end;
};

/* Timer at 1000 Hz, 2 ticks per cycle; each cycle some us late, now and then one misses some. */
static void record(struct recording *r)
{
	uint64_t seed = 17, index = 10;

	memset(r, 0, sizeof(*r));
	r->header = (struct sample_header){ .rate_hz = 1000, .wakeups = 2,
					    .lateness = LATENESS_EXACT, .t0_ns = 42 };
	r->n = COUNT(r->cycles);
	for (size_t i = 0; i < r->n; i++) {
		uint32_t missed = i && i % 100 == 0 ? (uint32_t)(i / 100) : 0;

		index += i ? 1 + missed : 0;
		r->cycles[i] = (struct cycle){ grid_due_ns(2 * index, 1000) +
						       unit_random_in(&seed, 1000, 90000),
					       1600000 + unit_random_in(&seed, 0, 9000),
					       LATENESS_UNKNOWN, 2 * index, missed, 0, 0 };
		r->end.missed += missed;
	}
	r->end.cycles = r->n - 1;
	r->end.first_index = 10;
	r->end.last_index = index;
	r->end.ticks = 2 * index;
	r->end.last_wake_ns = r->cycles[r->n - 1].wake_ns;
}

/* An RTC at 1024 Hz as the kernel emulates it, its first interrupt phase_ns after t0. */
static void record_rtc(struct recording *r, int64_t phase_ns)
{
	const int64_t slope = 976562;
	uint64_t seed = 23;

	memset(r, 0, sizeof(*r));
	r->header = (struct sample_header){ .rate_hz = 1024, .wakeups = 2,
					    .lateness = LATENESS_FITTED, .slope_ns = slope };
	r->n = COUNT(r->cycles);
	for (size_t i = 0; i < r->n; i++) {
		uint64_t tick = 2 * (i + 5);
		int64_t late = unit_random_in(&seed, 700, 60000);

		/* The fastest of all is 700 ns behind its interrupt; one is a tick late. */
		if (i == 333)
			late = 700;
		if (i == 444) {
			tick++;
			late = 900;
		}
		r->cycles[i] = (struct cycle){ phase_ns + (int64_t)tick * slope + late, 1562500,
					       LATENESS_UNKNOWN, tick, 0, 0, 0 };
	}
	r->end = (struct sample_end){ .cycles = r->n - 1, .first_index = 5,
				      .last_index = 5 + r->n - 1, .ticks = 2 * (5 + r->n - 1),
				      .last_wake_ns = r->cycles[r->n - 1].wake_ns };
}

static struct sample_writer *begin(const struct recording *r)
{
	struct sample_writer *writer;
	struct fault fault;

	unlink(unit_file);
	assert_int_equal(sample_writer_open(&writer, unit_file, &r->header, "{}", &fault), 0);
	return writer;
}

static void write_cycles(struct sample_writer *writer, const struct recording *r, size_t from,
			 size_t to)
{
	for (; from < to; from += 128)
		assert_int_equal(sample_writer_cycles(writer, 0, &r->cycles[from],
						      to - from < 128 ? to - from : 128),
				 0);
}

static void write_all(const struct recording *r)
{
	struct sample_writer *writer = begin(r);

	write_cycles(writer, r, 0, r->n);
	assert_int_equal(sample_writer_end(writer, 0, &r->end), 0);
	assert_int_equal(sample_writer_close(writer), 0);
}

static void evaluate(struct evaluation *e)
{
	struct fault fault;

	assert_int_equal(evaluate_samples(unit_file, &params, e, &fault), 0);
}

static void a_whole_recording_is_consistent(void **state)
{
	static struct recording r;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	record(&r);
	write_all(&r);
	evaluate(&e);
	assert_true(e.has_end);
	assert_false(e.damaged);
	assert_int_equal(e.lost, 0);
	/* 599 cycles; 100, 200 .. 500 missed 1 + 2 + 3 + 4 + 5 = 15 */
	assert_int_equal(e.metrics.cycles, 599);
	assert_int_equal(e.metrics.diffs, 599);
	assert_int_equal(e.metrics.missed, 15);
	assert_int_equal(e.metrics.params.rate_hz, 1000);
	assert_int_equal(e.metrics.params.wakeups, 2);
	assert_int_equal(e.metrics.params.lateness, LATENESS_EXACT);
	assert_true(e.metrics.lateness->min >= 1000 && e.metrics.lateness->max <= 90000);
	/* Missing one makes a diff of 4 ms +- jitter, missing 2 to 5 is surely an overrun. */
	assert_true(e.metrics.overruns >= 4 && e.metrics.overruns <= 5);
	assert_true(e.bytes > 599);
	assert_true(evaluation_consistent(&e, &expected, &fault));
	assert_int_equal(expected, 614);
	evaluation_free(&e);
}

static void falsified_end_counts_are_seen(void **state)
{
	/* What is added to the fields of the end; agreeing with each other is not enough either. */
	static const struct {
		int cycles, missed, lost, first_index;
		int64_t last_wake_ns;
	} cases[] = {
		{ .cycles = 1 },
		{ .cycles = -1 },
		{ .missed = 1 },
		{ .missed = -1 },
		{ .lost = 1 },
		{ .first_index = 1 },
		{ .last_wake_ns = 2 * MS }, /* a period later: one more should have been */
		{ .cycles = 1, .missed = -1 },
	};
	static struct recording r;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct evaluation e;
		struct fault fault = { "" };
		uint64_t expected;

		record(&r);
		r.end.cycles += (uint64_t)cases[i].cycles;
		r.end.missed += (uint64_t)cases[i].missed;
		r.end.lost += (uint64_t)cases[i].lost;
		r.end.first_index += (uint64_t)cases[i].first_index;
		r.end.last_wake_ns += cases[i].last_wake_ns;
		write_all(&r);
		evaluate(&e);
		assert_case(!evaluation_consistent(&e, &expected, &fault), "case %zu", i);
		assert_case(fault.text[0], "case %zu", i);
		evaluation_free(&e);
	}
}

static void cycles_missing_from_the_file_are_seen(void **state)
{
	static struct recording r;
	struct sample_writer *writer;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	record(&r);
	writer = begin(&r);
	write_cycles(writer, &r, 0, 128);
	write_cycles(writer, &r, 140, r.n);
	assert_int_equal(sample_writer_end(writer, 0, &r.end), 0);
	assert_int_equal(sample_writer_close(writer), 0);
	evaluate(&e);
	assert_false(evaluation_consistent(&e, &expected, &fault));
	assert_non_null(strstr(fault.text, "587 of 599"));
	evaluation_free(&e);
}

static void known_losses_are_consistent(void **state)
{
	static const struct sample_event lost = { 280 * MS, SAMPLE_LOST, 12 };
	static struct recording r;
	struct sample_writer *writer;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	record(&r);
	r.end.lost = 12;
	writer = begin(&r);
	write_cycles(writer, &r, 0, 128);
	assert_int_equal(sample_writer_event(writer, 0, &lost), 0);
	write_cycles(writer, &r, 140, r.n);
	assert_int_equal(sample_writer_end(writer, 0, &r.end), 0);
	assert_int_equal(sample_writer_close(writer), 0);
	evaluate(&e);
	assert_int_equal(e.lost, 12);
	assert_int_equal(e.metrics.cycles, 587);
	assert_int_equal(e.metrics.diffs, 586); /* none over the loss */
	assert_true(evaluation_consistent(&e, &expected, &fault));
	assert_int_equal(expected, 614);
	evaluation_free(&e);
}

static void blocked_writes_are_added_up(void **state)
{
	static const struct sample_event a = { 5 * MS, SAMPLE_WRITE_BLOCKED, 600000000 };
	static const struct sample_event b = { 9 * MS, SAMPLE_WRITE_BLOCKED, 1700000000 };
	static const struct sample_event others[] = { { 9 * MS, SAMPLE_XRUN, 5 },
						      { 9 * MS, SAMPLE_STRESSOR_STALLED, 5 },
						      { 9 * MS, (enum sample_event_kind)99, 5 } };
	static struct recording r;
	struct sample_writer *writer;
	struct evaluation e;

	(void)state;
	record(&r);
	writer = begin(&r);
	sample_writer_event(writer, 0, &a);
	write_cycles(writer, &r, 0, 100);
	for (size_t i = 0; i < COUNT(others); i++)
		sample_writer_event(writer, 0, &others[i]);
	sample_writer_event(writer, 0, &b);
	write_cycles(writer, &r, 100, 200);
	assert_int_equal(sample_writer_close(writer), 0);
	evaluate(&e);
	assert_int_equal(e.write_blocked, 2);
	assert_true(e.write_blocked_ns == 2300000000);
	assert_int_equal(e.metrics.cycles, 199);
	assert_int_equal(e.lost, 0);
	evaluation_free(&e);
}

static void a_cut_file_is_evaluated_up_to_there(void **state)
{
	static struct recording r;
	uint8_t *bytes;
	size_t n;

	(void)state;
	record(&r);
	write_all(&r);
	bytes = unit_read_file(&n);
	/* Every hundredth byte, from behind the header (48 bytes and "{}"). */
	for (size_t length = 50; length < n; length += 97) {
		struct evaluation e;
		struct fault fault;
		uint64_t expected, cycles;

		unit_write_file(bytes, length);
		evaluate(&e);
		assert_false(e.has_end);
		assert_int_equal(e.bytes, length);
		cycles = e.metrics.cycles;
		/* Blocks of 128; the very first record is the origin. */
		assert_case(!cycles || cycles == r.n - 1 || (cycles + 1) % 128 == 0, "%d cycles",
			    (int)cycles);
		assert_case(e.damaged == (length != 50), "cut at %zu", length);
		assert_int_equal(!!e.damage.text[0], e.damaged);
		assert_true(evaluation_consistent(&e, &expected, &fault));
		assert_int_equal(expected, cycles + e.metrics.missed);
		evaluation_free(&e);
	}
	free(bytes);
}

static void damage_in_the_middle_ends_it_there(void **state)
{
	static struct recording r;
	struct evaluation e;
	uint8_t *bytes;
	size_t n;

	(void)state;
	record(&r);
	write_all(&r);
	bytes = unit_read_file(&n);
	bytes[n / 2] ^= 0x10;
	unit_write_file(bytes, n);
	free(bytes);
	evaluate(&e);
	assert_true(e.damaged);
	assert_false(e.has_end);
	assert_non_null(strstr(e.damage.text, "damaged block"));
	assert_true(e.metrics.cycles > 0 && e.metrics.cycles < r.n - 1);
	evaluation_free(&e);
}

static void no_sample_file_is_an_error(void **state)
{
	struct evaluation e;
	struct fault fault;

	(void)state;
	unlink(unit_file);
	assert_int_equal(evaluate_samples(unit_file, &params, &e, &fault), -ENOENT);
	unit_write_file((const uint8_t *)"nonsense", 8);
	assert_int_equal(evaluate_samples(unit_file, &params, &e, &fault), -EPROTO);
}

static void a_file_without_cycles_has_no_metrics(void **state)
{
	static struct recording r;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	for (int kind = LATENESS_EXACT; kind <= LATENESS_FITTED; kind++) {
		record(&r);
		r.header.lateness = (enum lateness_kind)kind;
		assert_int_equal(sample_writer_close(begin(&r)), 0);
		evaluate(&e);
		assert_int_equal(e.metrics.cycles, 0);
		assert_false(e.damaged);
		assert_true(evaluation_consistent(&e, &expected, &fault));
		assert_int_equal(expected, 0);
		evaluation_free(&e);
	}
}

static void the_phase_of_an_rtc_is_found(void **state)
{
	static const int64_t phases[] = { 0, 1, 123456, 976561, -400000 };
	static struct recording r;

	(void)state;
	for (size_t i = 0; i < COUNT(phases); i++) {
		struct evaluation e;
		struct fault fault;
		uint64_t expected;

		record_rtc(&r, phases[i]);
		write_all(&r);
		evaluate(&e);
		/*
		 * The fastest wake-up was 700 ns after its interrupt, and counts as being on time.
		 */
		assert_true(e.metrics.phase_ns == phases[i] + 700);
		assert_true(e.metrics.lateness->min == 0);
		/* The one that took a tick more: 976562 + 900 - 700 */
		assert_true(e.metrics.lateness->max == 976762);
		assert_int_equal(e.metrics.lateness->n, r.n - 1);
		assert_int_equal(e.metrics.params.slope_ns, 976562);
		assert_true(evaluation_consistent(&e, &expected, &fault));
		assert_int_equal(expected, r.n - 1);
		evaluation_free(&e);
	}
}

static void falsified_ticks_of_an_rtc_are_seen(void **state)
{
	static struct recording r;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	record_rtc(&r, 1000);
	r.end.ticks += 2;
	write_all(&r);
	evaluate(&e);
	assert_false(evaluation_consistent(&e, &expected, &fault));
	assert_int_equal(expected, r.n);
	evaluation_free(&e);
	/* Half a cycle more is none; and time is no measure of an RTC's ticks. */
	record_rtc(&r, 1000);
	r.end.ticks++;
	r.end.last_wake_ns += 5 * MS;
	write_all(&r);
	evaluate(&e);
	assert_true(evaluation_consistent(&e, &expected, &fault));
	evaluation_free(&e);
}

static void a_histogram_that_lost_a_count_is_seen(void **state)
{
	static struct recording r;
	struct evaluation e;
	struct fault fault;
	uint64_t expected;

	(void)state;
	record(&r);
	write_all(&r);
	evaluate(&e);
	e.metrics.burn->n++;
	assert_false(evaluation_consistent(&e, &expected, &fault));
	evaluation_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_recording_is_consistent),
		cmocka_unit_test(falsified_end_counts_are_seen),
		cmocka_unit_test(cycles_missing_from_the_file_are_seen),
		cmocka_unit_test(known_losses_are_consistent),
		cmocka_unit_test(blocked_writes_are_added_up),
		cmocka_unit_test(a_cut_file_is_evaluated_up_to_there),
		cmocka_unit_test(damage_in_the_middle_ends_it_there),
		cmocka_unit_test(no_sample_file_is_an_error),
		cmocka_unit_test(a_file_without_cycles_has_no_metrics),
		cmocka_unit_test(the_phase_of_an_rtc_is_found),
		cmocka_unit_test(falsified_ticks_of_an_rtc_are_seen),
		cmocka_unit_test(a_histogram_that_lost_a_count_is_seen),
	};

	return unit_run(tests);
}
