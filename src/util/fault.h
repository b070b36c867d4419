/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What went wrong, in words: functions below cmd_*.c return a negative errno and leave one line
 * here; only the command that was asked for prints it.
 */
#ifndef LT_UTIL_FAULT_H
#define LT_UTIL_FAULT_H

struct fault {
	char text[480]; /* one line without a newline; "" where nothing was said */
};

/*
 * Writes the line and returns err, so that a function can end with
 * `return fault_set(fault, -EACCES, "...")`. A line that is too long is cut. fault may be NULL.
 */
int fault_set(struct fault *fault, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
