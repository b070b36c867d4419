/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this thread is allowed, for explaining why a call was refused. */
#ifndef LT_SYSTEM_PRIVILEGES_H
#define LT_SYSTEM_PRIVILEGES_H

#include <stdbool.h>

/*
 * Whether a capability (CAP_SYS_NICE, ...) is in force against the machine: in the effective set
 * and not that of a user namespace only, which gives no right to schedule or to lock.
 */
bool privilege_held(int capability);

/* Whether a user namespace other than the initial one surrounds this process. */
bool privilege_user_namespace(void);

/* Whether a seccomp filter sits between this thread and the kernel. */
bool privilege_filtered(void);

#endif
