/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process does what, by /proc. */
#ifndef LT_SYSTEM_PROCESSES_H
#define LT_SYSTEM_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

/* The number of a process of that name (as /proc/PID/comm has it), 0 for none, or -errno. */
int process_find(const char *comm);

/*
 * Who has a file open: "name (process 12), ..." in list, other than this process. Returns whether
 * all are there: those of other users tell only root, and of very many not all fit.
 */
bool process_holders(const char *path, char *list, size_t size);

#endif
