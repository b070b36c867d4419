/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int number_i64(const char *text, int64_t min, int64_t max, int64_t *value)
{
	char *end;
	long long v;

	/* strtoll skips blanks and takes "+5"; neither is what somebody meant to type. */
	if (!isdigit((unsigned char)text[text[0] == '-']))
		return -EINVAL;
	errno = 0;
	v = strtoll(text, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE || v < min || v > max)
		return -ERANGE;
	*value = v;
	return 0;
}

int number_double(const char *text, double min, double max, double *value)
{
	const char *first = text + (text[0] == '-');
	char *end;
	double v;

	if (!isdigit((unsigned char)first[0]) &&
	    !(first[0] == '.' && isdigit((unsigned char)first[1])))
		return -EINVAL;
	if (first[0] == '0' && (first[1] == 'x' || first[1] == 'X'))
		return -EINVAL;
	errno = 0;
	v = strtod(text, &end);
	if (*end)
		return -EINVAL;
	if (!isfinite(v) || v < min || v > max)
		return -ERANGE;
	*value = v;
	return 0;
}

int number_size(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	unsigned long long v;
	unsigned int shift = 0;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	v = strtoull(text, &end, 10);
	switch (toupper((unsigned char)*end)) {
	case 'K':
		shift = 10;
		break;
	case 'M':
		shift = 20;
		break;
	case 'G':
		shift = 30;
		break;
	case '\0':
		break;
	default:
		return -EINVAL;
	}
	if (*end && end[1])
		return -EINVAL;
	if (errno == ERANGE || v > UINT64_MAX >> shift)
		return -ERANGE;
	v <<= shift;
	if (v < min || v > max)
		return -ERANGE;
	*value = v;
	return 0;
}
