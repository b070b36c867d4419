/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "util/stream.h"

#include <errno.h>

int stream_finish(FILE *out, int err)
{
	if (err && err != -EIO)
		return err;
	errno = 0;
	if (fflush(out))
		return errno ? -errno : -EIO;
	return err || ferror(out) ? -EIO : 0;
}
