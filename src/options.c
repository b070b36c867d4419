/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/number.h"
#include "util/printable.h"

void usage_error(const char *fmt, ...)
{
	va_list args;

	fputs("latencytest: ", stderr);
	va_start(args, fmt);
	print_line_v(stderr, fmt, args);
	va_end(args);
	exit(EXIT_USAGE);
}

int64_t option_i64(const char *option, const char *text, int64_t min, int64_t max)
{
	int64_t value;

	if (number_i64(text, min, max, &value))
		usage_error("%s %s: valid is a whole number from %" PRId64 " to %" PRId64, option,
			    text, min, max);
	return value;
}

double option_double(const char *option, const char *text, double min, double max)
{
	double value;

	if (number_double(text, min, max, &value))
		usage_error("%s %s: valid is a number from %.10g to %.10g", option, text, min, max);
	return value;
}

uint64_t option_size(const char *option, const char *text, uint64_t min, uint64_t max)
{
	uint64_t value;

	if (number_size(text, min, max, &value))
		usage_error("%s %s: valid is a number of bytes from %" PRIu64 " to %" PRIu64
			    ", or one with K, M or G (powers of 1024)",
			    option, text, min, max);
	return value;
}
