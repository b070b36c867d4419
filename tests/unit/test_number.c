/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers are parsed whole and checked, or refused with nothing written. */
#include "unit.h"

#include <errno.h>

#include "util/number.h"

static const char *const not_numbers[] = {
	"",      " ",     "-",     "+",    "+5",   " 5",    "5 ",   "\t5",  "5x",   "x5",  "--5",
	"- 5",   "0x10",  "-0x10", "0X1F", "nan",  "NaN",   "-nan", "inf",  "-inf", "INF",
	"infinity", "1e",    "1e+",   "e5",    ".",    "-.",   "1.5.2", "1,5",  "5\n",  "1 2",
	"1_0",   "0b1",
	"٣",     "1024Hz", "1..2",
};

static void integers_are_parsed_whole(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{ "0", 0 },
		{ "-0", 0 },
		{ "5", 5 },
		{ "-5", -5 },
		{ "007", 7 }, /* decimal, never octal */
		{ "010", 10 },
		{ "9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		int64_t v = 99;
		int err = number_i64(good[i].text, INT64_MIN, INT64_MAX, &v);

		assert_case(!err && v == good[i].value, "\"%s\"", good[i].text);
	}
}

static void integers_refuse_all_else(void **state)
{
	static const char *const more[] = { "1.0", ".5", "1e3", "5.", "1K" };
	int64_t v = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(not_numbers); i++)
		assert_case(number_i64(not_numbers[i], INT64_MIN, INT64_MAX, &v) == -EINVAL,
			    "\"%s\"", not_numbers[i]);
	for (size_t i = 0; i < COUNT(more); i++)
		assert_case(number_i64(more[i], INT64_MIN, INT64_MAX, &v) == -EINVAL, "\"%s\"",
			    more[i]);
	assert_int_equal(v, 99);
}

static void integers_respect_their_range(void **state)
{
	int64_t v = 99;

	(void)state;
	assert_int_equal(number_i64("1", 2, 8192, &v), -ERANGE);
	assert_int_equal(number_i64("8193", 2, 8192, &v), -ERANGE);
	assert_int_equal(number_i64("-2", 2, 8192, &v), -ERANGE);
	assert_int_equal(number_i64("9223372036854775808", INT64_MIN, INT64_MAX, &v), -ERANGE);
	assert_int_equal(number_i64("-9223372036854775809", INT64_MIN, INT64_MAX, &v), -ERANGE);
	assert_int_equal(number_i64("99999999999999999999999999", INT64_MIN, INT64_MAX, &v),
			 -ERANGE);
	/* What is no number is not out of range, however long. */
	assert_int_equal(number_i64("99999999999999999999999999x", INT64_MIN, INT64_MAX, &v),
			 -EINVAL);
	assert_int_equal(v, 99);
	assert_int_equal(number_i64("2", 2, 8192, &v), 0);
	assert_int_equal(v, 2);
	assert_int_equal(number_i64("8192", 2, 8192, &v), 0);
	assert_int_equal(v, 8192);
}

static void reals_are_parsed_whole(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {
		{ "0", 0 },       { "0.8", 0.8 },   { ".8", 0.8 },    { "-.5", -0.5 },
		{ "5.", 5 },      { "1e3", 1000 },  { "1E+3", 1000 }, { "25e-2", 0.25 },
		{ "-0.25", -0.25 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		double v = 99;
		int err = number_double(good[i].text, -1e9, 1e9, &v);

		/* Both are read by the same rules, so that they are equal to the last bit. */
		assert_case(!err && v == good[i].value, "\"%s\"", good[i].text);
	}
}

static void reals_refuse_all_else(void **state)
{
	double v = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(not_numbers); i++)
		assert_case(number_double(not_numbers[i], -1e300, 1e300, &v) == -EINVAL,
			    "\"%s\"", not_numbers[i]);
	assert_int_equal(number_double("1e999x", -1e300, 1e300, &v), -EINVAL);
	assert_true(v == 99);
}

static void reals_respect_their_range(void **state)
{
	double v = 99;

	(void)state;
	assert_int_equal(number_double("0.9500001", 0, 0.95, &v), -ERANGE);
	assert_int_equal(number_double("-0.0000001", 0, 0.95, &v), -ERANGE);
	/* More than a double holds: also where there is no upper limit. */
	assert_int_equal(number_double("1e999", 0, 1e300, &v), -ERANGE);
	assert_int_equal(number_double("1e999", 0, __builtin_inf(), &v), -ERANGE);
	assert_int_equal(number_double("-1e999", -__builtin_inf(), 0, &v), -ERANGE);
	assert_true(v == 99);
	assert_int_equal(number_double("0.95", 0, 0.95, &v), 0);
	assert_true(v == 0.95);
	assert_int_equal(number_double("0", 0, 0.95, &v), 0);
	assert_true(v == 0);
}

static void sizes_take_k_m_and_g(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "1000000000", 1000000000 },
		{ "1K", 1024 },
		{ "3k", 3072 },
		{ "1M", 1048576 },
		{ "5m", 5242880 },
		{ "1G", 1073741824 },
		{ "2g", 2147483648 },
		{ "18446744073709551615", UINT64_MAX },
		/* 2^34 - 1 G is the last that fits: (2^34 - 1) * 2^30 = 2^64 - 2^30 */
		{ "17179869183G", UINT64_MAX - 1073741823 },
		{ "18014398509481983K", UINT64_MAX - 1023 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		uint64_t v = 99;
		int err = number_size(good[i].text, 0, UINT64_MAX, &v);

		assert_case(!err && v == good[i].value, "\"%s\"", good[i].text);
	}
}

static void sizes_refuse_all_else(void **state)
{
	static const char *const more[] = { "-5", "-0", "1.5M", "1e9", "5KB", "5Ki", "5KK", "K",
					    "5T", "5 K", "5K ", "99999999999999999999x" };
	uint64_t v = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(not_numbers); i++)
		assert_case(number_size(not_numbers[i], 0, UINT64_MAX, &v) == -EINVAL,
			    "\"%s\"", not_numbers[i]);
	for (size_t i = 0; i < COUNT(more); i++)
		assert_case(number_size(more[i], 0, UINT64_MAX, &v) == -EINVAL, "\"%s\"", more[i]);
	assert_int_equal(v, 99);
}

static void sizes_respect_their_range(void **state)
{
	uint64_t v = 99;

	(void)state;
	assert_int_equal(number_size("18446744073709551616", 0, UINT64_MAX, &v), -ERANGE);
	assert_int_equal(number_size("17179869184G", 0, UINT64_MAX, &v), -ERANGE);
	assert_int_equal(number_size("18014398509481984K", 0, UINT64_MAX, &v), -ERANGE);
	assert_int_equal(number_size("99999999999999999999K", 0, UINT64_MAX, &v), -ERANGE);
	assert_int_equal(number_size("4095", 4096, 1 << 20, &v), -ERANGE);
	assert_int_equal(number_size("1048577", 4096, 1 << 20, &v), -ERANGE);
	assert_int_equal(number_size("2M", 4096, 1 << 20, &v), -ERANGE);
	assert_int_equal(v, 99);
	assert_int_equal(number_size("4K", 4096, 1 << 20, &v), 0);
	assert_int_equal(v, 4096);
	assert_int_equal(number_size("1M", 4096, 1 << 20, &v), 0);
	assert_int_equal(v, 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_parsed_whole),
		cmocka_unit_test(integers_refuse_all_else),
		cmocka_unit_test(integers_respect_their_range),
		cmocka_unit_test(reals_are_parsed_whole),
		cmocka_unit_test(reals_refuse_all_else),
		cmocka_unit_test(reals_respect_their_range),
		cmocka_unit_test(sizes_take_k_m_and_g),
		cmocka_unit_test(sizes_refuse_all_else),
		cmocka_unit_test(sizes_respect_their_range),
	};

	return unit_run(tests);
}
