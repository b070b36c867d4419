/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O schedulers of block devices: names new and old, and what it takes to have one. */
#ifndef LT_SYSTEM_ELEVATOR_H
#define LT_SYSTEM_ELEVATOR_H

#include "system/block.h"
#include "system/setting.h"

/*
 * The name that today's kernels know: cfq is bfq, deadline is mq-deadline, noop is none; a name
 * that is no old one stays (asked itself is returned). NULL, with the reason in fault, for `as`,
 * which has no successor, and for what can be no name at all (empty, SETTING_WORD or longer, other
 * than letters, digits, - and _).
 */
const char *elevator_name(const char *asked, struct fault *fault);

/*
 * The setting of a device. Devices without a queue of their own have none: -ENOENT (no file, or one
 * that tells a bare "none").
 */
int elevator_setting(const struct block_device *device, struct setting *setting);

/*
 * Sees to it that the device offers that elevator: where it does not, its module is asked for
 * (NAME-iosched, by modprobe without a shell; needs root). 0, or a negative errno with in fault
 * what is offered and what is missing.
 */
int elevator_provide(const struct block_device *device, const char *name, struct fault *fault);

/* Whether elevator_provide() could do so; loads nothing (modprobe_look()). Errors as there. */
int elevator_look(const struct block_device *device, const char *name, struct fault *fault);

#endif
