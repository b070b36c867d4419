/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/summary.h"
int summary_write(FILE *out, const json_t *run)
{
	(void)out; (void)run; return 0;
}
