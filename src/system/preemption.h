/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The preemption model of a running PREEMPT_DYNAMIC kernel. */
#ifndef LT_SYSTEM_PREEMPTION_H
#define LT_SYSTEM_PREEMPTION_H

#include <stdbool.h>

#include "system/setting.h"

struct preemption_control {
	struct setting setting;
	bool mounted;         /* debugfs was not: preemption_open() did, for this process */
};

/*
 * Finds the file of debugfs that chooses the model. Where debugfs is not mounted and root may, it
 * is mounted in a mount namespace that this process makes for itself: its children see it, nobody
 * else does, and it is gone with the last of them, however that ends. What is mounted or unmounted
 * outside still shows here. To be called with one thread. 0, or a negative errno with the reason
 * and the way round (preempt= on the kernel command line, the kernel lab) in fault: -ENOTSUP (the
 * kernel is not PREEMPT_DYNAMIC), -EPERM (locked down, or not root), else what mount said.
 */
int preemption_open(struct preemption_control *control, struct fault *fault);

#endif
