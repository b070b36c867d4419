/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linked into latencytest-test only: what stands in for / comes from the environment. */
#include <stdlib.h>

#include "util/root.h"

__attribute__((constructor)) static void set_root(void)
{
	root_set(getenv("LATENCYTEST_ROOT"));
}
