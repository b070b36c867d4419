/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as sysfs writes them: "0-3,8". */
#ifndef LT_SYSTEM_CPU_LIST_H
#define LT_SYSTEM_CPU_LIST_H

#include <stdbool.h>

/* Whether the list names the CPU. What is no list any more ends it. */
bool cpu_list_has(const char *list, int cpu);

/* The lowest CPU of the list above `after` (-1: the first of all); -1 after the last one. */
int cpu_list_next(const char *list, int after);

#endif
