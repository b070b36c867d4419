/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "system/clock.h"

/* timeout(1) and others send SIGCONT after SIGTERM, for those who are stopped. */
#define STOP_AFTER_REQUEST_NS 100000000

static int requests;
static struct signals_stops stops;
static int64_t looked_ns; /* when signals_pause() last returned */
static int64_t broken_ns; /* how long the last one took, where a stop may have ended it */

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

/* A stop ends the wait (EINTR) when it is over; SIGCONT comes with the next one. */
static void note_end(int sig, int err)
{
	int64_t now = clock_now_ns(), at_most_ns = broken_ns + now - looked_ns;

	if (sig == SIGCONT && (!requests || at_most_ns >= STOP_AFTER_REQUEST_NS)) {
		stops.count++;
		stops.at_most_ns += at_most_ns;
	}
	broken_ns = sig < 0 && err == EINTR ? now - looked_ns : 0;
	looked_ns = now;
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
	note_end(sig, errno);
	if (sig > 0 && sig != SIGCONT)
		requests++;
	return requests;
}

int signals_count(void)
{
	return signals_pause(0);
}

void signals_watch_children(void)
{
	sigset_t set;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int signals_wait(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	add_requests(&set);
	sigaddset(&set, SIGCHLD);
	do
		number = sigwaitinfo(&set, NULL);
	while (number < 0);
	if (number == SIGCHLD)
		return 0;
	requests++;
	return number;
}

struct signals_stops signals_stops(void)
{
	return stops;
}
