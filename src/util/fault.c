/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/printable.h"

int fault_set(struct fault *fault, int err, const char *fmt, ...)
{
	va_list args;

	if (!fault)
		return err;
	va_start(args, fmt);
	vsnprintf(fault->text, sizeof(fault->text), fmt, args);
	va_end(args);
	/* It may quote a file, or its name. */
	printable(fault->text);
	return err;
}
