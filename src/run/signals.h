/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT, SIGTERM and SIGHUP as requests that the main thread picks up when it is ready for them.
 */
#ifndef LT_RUN_SIGNALS_H
#define LT_RUN_SIGNALS_H

#include <stdint.h>

/*
 * How often SIGCONT came, as after SIGSTOP or Ctrl-Z, and how long the process was stopped then.
 * One that came with a request to end, and not after a stop of 0.1 s, does not count.
 */
struct signals_stops {
	unsigned int count;
	int64_t at_most_ns; /* all of them */
};

/*
 * Blocks them in this thread and those it will make. Call before any other thread is started.
 * SIGXCPU is blocked as well: the measuring thread takes it for itself.
 */
void signals_block(void);

/*
 * Sleeps for timeout_ms or until a request (or SIGCONT) comes. Returns how many requests have come
 * since the start of the program.
 */
int signals_pause(int timeout_ms);

/* Requests so far; picks up those that wait, never sleeps. */
int signals_count(void);

/* For programs with children: blocks SIGCHLD, so that signals_wait() sees it. */
void signals_watch_children(void);

/*
 * Sleeps until a request comes, which is counted and whose signal is returned, or a child has
 * changed (0). Needs signals_block() and signals_watch_children().
 */
int signals_wait(void);

/* What signals_pause() has seen so far. */
struct signals_stops signals_stops(void);

#endif
