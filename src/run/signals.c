/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/signals.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "system/clock.h"

static int requests;
static struct signals_stops stops;
static int64_t looked_ns; /* when signals_pause() last returned */

static void add_requests(sigset_t *set)
{
	struct sigaction hangup;

	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	/* Under nohup it is no request. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

void signals_block(void)
{
	sigset_t set;

	sigemptyset(&set);
	add_requests(&set);
	/* Blocked ones stay pending also where they would be ignored: so a stop is noticed. */
	sigaddset(&set, SIGCONT);
	/* For the measuring thread alone (measure/runaway.h). */
	sigaddset(&set, SIGXCPU);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* A reader of our output that goes away is an error of a write, not the end of the run. */
	signal(SIGPIPE, SIG_IGN);
	looked_ns = clock_now_ns();
}

static void note_stop(void)
{
	stops.count++;
	stops.at_most_ns += clock_now_ns() - looked_ns;
}

int signals_pause(int timeout_ms)
{
	struct timespec timeout = { .tv_sec = timeout_ms / 1000,
				    .tv_nsec = timeout_ms % 1000 * 1000000L };
	sigset_t set;
	int sig;

	sigemptyset(&set);
	add_requests(&set);
	sigaddset(&set, SIGCONT);
	sig = sigtimedwait(&set, NULL, &timeout);
	if (sig == SIGCONT)
		note_stop();
	else if (sig > 0)
		requests++;
	looked_ns = clock_now_ns();
	return requests;
}

int signals_count(void)
{
	return signals_pause(0);
}

struct signals_stops signals_stops(void)
{
	return stops;
}
