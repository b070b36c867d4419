/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the unit tests share: cmocka with its includes, TAP output, random numbers, scratch files.
 */
#ifndef LT_TESTS_UNIT_H
#define LT_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The end of every main(): each test becomes one line of TAP. */
#define unit_run(tests)                                                                            \
	(cmocka_set_message_output(CM_OUTPUT_TAP),                                                 \
	 cmocka_run_group_tests(tests, unit_scratch_make, unit_scratch_remove))

/* Fails saying which case of a table it was. */
#define assert_case(condition, ...)                                                                \
	do {                                                                                       \
		bool holds_ = (condition);                                                         \
                                                                                                   \
		if (!holds_) {                                                                     \
			print_error("# case: " __VA_ARGS__);                                       \
			print_error("\n");                                                         \
		}                                                                                  \
		_assert_true(holds_, #condition, __FILE__, __LINE__);                              \
	} while (0)

/* xorshift64*: the same numbers everywhere, from a seed that is not 0. */
static inline uint64_t unit_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717u;
}

/* Of min..max, both included. */
static inline int64_t unit_random_in(uint64_t *state, int64_t min, int64_t max)
{
	return min + (int64_t)(unit_random(state) % ((uint64_t)(max - min) + 1));
}

/* One scratch file in a directory of its own; removed at the end also where a test failed. */
static char unit_dir[512];
static char unit_file[528];

static inline int unit_scratch_make(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	snprintf(unit_dir, sizeof(unit_dir), "%s/lt-unit-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(unit_dir))
		return -1;
	snprintf(unit_file, sizeof(unit_file), "%s/scratch", unit_dir);
	return 0;
}

static inline int unit_scratch_remove(void **state)
{
	(void)state;
	unlink(unit_file);
	return rmdir(unit_dir);
}

/* Puts that many bytes into the scratch file, anew. */
static inline void unit_write_file(const uint8_t *bytes, size_t n)
{
	FILE *file = fopen(unit_file, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

/* The scratch file's bytes (free() them). */
static inline uint8_t *unit_read_file(size_t *n)
{
	FILE *file = fopen(unit_file, "rb");
	uint8_t *bytes;
	long size;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	assert_true(size >= 0);
	rewind(file);
	bytes = malloc((size_t)size + 1);
	assert_non_null(bytes);
	*n = fread(bytes, 1, (size_t)size, file);
	assert_int_equal(*n, size);
	fclose(file);
	return bytes;
}

#endif
