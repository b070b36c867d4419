/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No load at all: the baseline against which the others are seen. */
#include "loads/stressors.h"

const struct stressor stressor_none = {
	.name = "none",
	.summary = "no background load: a quiet baseline",
};
