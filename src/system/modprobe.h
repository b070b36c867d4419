/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking for a module of the kernel. */
#ifndef LT_SYSTEM_MODPROBE_H
#define LT_SYSTEM_MODPROBE_H

#include "util/fault.h"

/*
 * Runs the program that /proc/sys/kernel/modprobe names (else /sbin/modprobe) for a module or an
 * alias, without a shell. 0 when it says that the module is there, else a negative errno with the
 * reason in fault, as the second half of a sentence: -ENOSYS (a kernel without modules), -EPERM
 * (not root), -ENOENT (refused), or what starting it said.
 */
int modprobe(const char *module, struct fault *fault);

/*
 * Whether modprobe() would find it: asks with --dry-run, loads nothing, needs no root. Errors as
 * there. Also 0 where that program is another than kmod's, which might load it all the same.
 */
int modprobe_look(const char *module, struct fault *fault);

#endif
