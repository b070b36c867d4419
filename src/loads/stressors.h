/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The descriptor in which each stressor's file ends, for the table alone. */
#ifndef LT_LOADS_STRESSORS_H
#define LT_LOADS_STRESSORS_H

#include "loads/load.h"

extern const struct stressor stressor_none;
extern const struct stressor stressor_x11;
extern const struct stressor stressor_proc;
extern const struct stressor stressor_diskwrite;
extern const struct stressor stressor_diskcopy;
extern const struct stressor stressor_diskread;

#endif
