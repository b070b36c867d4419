/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Interrupts and softirqs by name and CPU, as deltas between two moments. */
#ifndef LT_SYSTEM_INTERRUPTS_H
#define LT_SYSTEM_INTERRUPTS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

struct interrupts;

/* A snapshot of /proc/interrupts and /proc/softirqs; NULL with errno where neither can be read. */
struct interrupts *interrupts_take(void);
void interrupts_free(struct interrupts *snapshot);

/*
 * A new JSON object { "irq": {"LOC Local timer interrupts": n, ...}, "softirq": {"TIMER": n, ...} }
 * with what was added on that CPU from before to after; lines that did not move are left out. A
 * CPU that the files do not list gives json_null(). NULL only without memory.
 */
json_t *interrupts_delta(const struct interrupts *before, const struct interrupts *after, int cpu);

/*
 * What /proc/interrupts says of an interrupt behind its counts: chip and handlers,
 * "IO-APIC 16-fasteoi ehci_hcd:usb1, snd_hda_intel". 0, or -ENOENT where it is not listed.
 */
int interrupts_name(int64_t irq, char *name, size_t size);

#endif
