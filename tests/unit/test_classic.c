/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The classic log, byte for byte. */
#include "unit.h"

#include <errno.h>
#include <math.h>

#include "report/classic.h"

/* 2 wakeups at 1024 Hz: 2 / 1024 s = 1.953125 ms; 80 % of it: 1.5625 ms. */
static const struct classic_log design = {
	.cpu_hz = 2.08855e+09,
	.cpu_load = 0.8,
	.loops = 645209,
	.total_latency_ms = 2 * 1000.0 / 1024,
	.cpu_latency_ms = 0.8 * 2 * 1000.0 / 1024,
	.max_diff_ms = 3.06087,
	.overruns = 0,
	.within_1ms = 39555,
	.within_2ms = 39563,
	.within_1ms_percent = 100.0 * 39555 / 39563,
	.within_2ms_percent = 100.0 * 39563 / 39563,
	.deviation_ms = 0.021617,
};

static char *written(const struct classic_log *log)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(classic_write(out, log), 0);
	fclose(out);
	return text;
}

static void the_block_of_the_design(void **state)
{
	char *text = written(&design);

	(void)state;
	assert_string_equal(text, "cpu_hz = 2.08855e+09\n"
				  "cpu_load=0.800000  loops per run = 645209\n"
				  "total latency = 1.953125 ms\n"
				  "cpu latency = 1.562500 ms\n"
				  "max diff = 3.06087 ms (overrun 0)\n"
				  "within 1ms = 39555, factor = 99.9798%\n"
				  "within 2ms = 39563, factor = 100%\n"
				  "deviation = 0.021617\n");
	free(text);
}

static void an_unknown_speed_is_nan(void **state)
{
	struct classic_log log = design;
	char *text;

	(void)state;
	log.cpu_hz = (double)NAN;
	text = written(&log);
	assert_memory_equal(text, "cpu_hz = nan\ncpu_load=", strlen("cpu_hz = nan\ncpu_load="));
	free(text);
}

static void large_counts_and_overruns(void **state)
{
	struct classic_log log = design;
	char *text;

	(void)state;
	/* %g keeps six digits and drops zeros behind the point. */
	log.loops = 18446744073709551615u;
	log.overruns = 12345678901;
	log.max_diff_ms = 1234567.0;
	log.within_1ms = 10000000000;
	log.within_1ms_percent = 0;
	log.deviation_ms = 0.5;
	text = written(&log);
	assert_non_null(strstr(text, "  loops per run = 18446744073709551615\n"));
	assert_non_null(strstr(text, "max diff = 1.23457e+06 ms (overrun 12345678901)\n"));
	assert_non_null(strstr(text, "within 1ms = 10000000000, factor = 0%\n"));
	assert_non_null(strstr(text, "deviation = 0.5\n"));
	free(text);
}

static void a_stream_that_cannot_be_written_is_an_error(void **state)
{
	FILE *out = fopen("/dev/null", "r");

	(void)state;
	assert_non_null(out);
	assert_int_equal(classic_write(out, &design), -EIO);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_block_of_the_design),
		cmocka_unit_test(an_unknown_speed_is_nan),
		cmocka_unit_test(large_counts_and_overruns),
		cmocka_unit_test(a_stream_that_cannot_be_written_is_an_error),
	};

	return unit_run(tests);
}
