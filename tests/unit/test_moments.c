/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mean and standard deviation against the certified values of the NIST StRD univariate sets. */
#include "unit.h"

#include <math.h>

#include "report/moments.h"

#define MOST 1001

/* How many certified digits agree: -log10 of the relative error; 15 is all that a double holds. */
static double digits(double value, double certified)
{
	double error = fabs(value - certified) / fabs(certified);

	return error > 0 ? -log10(error) : 15;
}

/* The data of NumAcc2 to 4: one value, then 500 times a pair around it. */
static size_t numacc(double *values, double first, double low, double high)
{
	values[0] = first;
	for (size_t i = 1; i < MOST; i += 2) {
		values[i] = low;
		values[i + 1] = high;
	}
	return MOST;
}

/* In blocks of one (plain Welford), of odd and even sizes, and in one piece. */
static void expect(const double *values, size_t n, double mean, double stddev, double least_digits)
{
	static const size_t blocks[] = { 1, 2, 7, 256, MOST };

	for (size_t b = 0; b < COUNT(blocks); b++) {
		struct moments moments = { 0 };

		for (size_t done = 0; done < n; done += blocks[b])
			moments_add(&moments, values + done,
				    n - done < blocks[b] ? n - done : blocks[b]);
		assert_int_equal(moments.n, n);
		assert_case(digits(moments.mean, mean) >= 14, "mean %.17g, blocks of %zu",
			    moments.mean, blocks[b]);
		assert_case(digits(moments_stddev(&moments), stddev) >= least_digits,
			    "stddev %.17g, blocks of %zu", moments_stddev(&moments), blocks[b]);
	}
}

static void numacc1(void **state)
{
	const double values[] = { 10000001, 10000003, 10000002 };

	(void)state;
	expect(values, COUNT(values), 10000002, 1, 15);
}

static void numacc2(void **state)
{
	double values[MOST];

	(void)state;
	expect(values, numacc(values, 1.2, 1.1, 1.3), 1.2, 0.1, 14);
}

/* 0.1 around 1000000.2: the data themselves are rounded in their 16th digit, 9 remain. */
static void numacc3(void **state)
{
	double values[MOST];

	(void)state;
	expect(values, numacc(values, 1000000.2, 1000000.1, 1000000.3), 1000000.2, 0.1, 9);
}

static void numacc4(void **state)
{
	double values[MOST];

	(void)state;
	expect(values, numacc(values, 10000000.2, 10000000.1, 10000000.3), 10000000.2, 0.1, 8);
}

static void few_values(void **state)
{
	const double one = 5;
	struct moments moments = { 0 };

	(void)state;
	moments_add(&moments, &one, 0);
	assert_int_equal(moments.n, 0);
	moments_add(&moments, &one, 1);
	assert_true(moments.mean == 5);
	assert_true(isnan(moments_stddev(&moments)));
	moments_add(&moments, &one, 1);
	assert_true(moments_stddev(&moments) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numacc1),
		cmocka_unit_test(numacc2),
		cmocka_unit_test(numacc3),
		cmocka_unit_test(numacc4),
		cmocka_unit_test(few_values),
	};

	return unit_run(tests);
}
