/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether all that was put into a stream has come out of it. */
#ifndef LT_UTIL_STREAM_H
#define LT_UTIL_STREAM_H

#include <stdio.h>

/*
 * Flushes a stream. err is what writing to it has given so far: another error than -EIO stays. Else
 * 0, or the negative errno of what cannot be written; -EIO where an earlier write failed and this
 * one does not, so that the reason is not told any more.
 */
int stream_finish(FILE *out, int err);

#endif
