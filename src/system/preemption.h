/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preemption model of a running PREEMPT_DYNAMIC kernel. */
#ifndef LT_SYSTEM_PREEMPTION_H
#define LT_SYSTEM_PREEMPTION_H

#include <stdbool.h>

#include "system/setting.h"

struct preemption_control {
	struct setting setting;
	bool mounted;         /* by preemption_open(): preemption_unmount() is due */
};

/*
 * Finds the file of debugfs that chooses the model, and mounts debugfs where it is not mounted and
 * root may. 0, or a negative errno with the reason and the way round (preempt= on the kernel
 * command line, the kernel lab) in fault: -ENOTSUP (the kernel is not PREEMPT_DYNAMIC), -EPERM
 * (locked down, or not root), else what mount said. On error nothing stays mounted.
 */
int preemption_open(struct preemption_control *control, struct fault *fault);

/* Unmounts debugfs if preemption_open() mounted it. 0 or a negative errno. */
int preemption_unmount(const struct preemption_control *control);

#endif
