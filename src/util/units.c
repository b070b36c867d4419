/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *units_rate(char *buf, size_t size, double per_second, const char *unit)
{
	static const char *const prefixes[] = { "", "k", "M", "G" };
	size_t prefix = 0;

	/* 999.5 and more would be printed as 1e+03. */
	while (fabs(per_second) >= 999.5 && prefix < 3) {
		per_second /= 1000;
		prefix++;
	}
	if (!strcmp(unit, "bytes"))
		snprintf(buf, size, "%.3g %sB/s", per_second, prefixes[prefix]);
	else
		snprintf(buf, size, "%.3g%s %s/s", per_second, prefixes[prefix], unit);
	return buf;
}
