/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/signals.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

static int requests;

static sigset_t request_set(void)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* Under nohup it is no request. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	return set;
}

void signals_block(void)
{
	sigset_t set = request_set();

	pthread_sigmask(SIG_BLOCK, &set, NULL);
	/* A reader of our output that goes away is an error of a write, not the end of the run. */
	signal(SIGPIPE, SIG_IGN);
}

int signals_pause(int timeout_ms)
{
	sigset_t set = request_set();
	struct timespec timeout = { .tv_sec = timeout_ms / 1000,
				    .tv_nsec = timeout_ms % 1000 * 1000000L };

	if (sigtimedwait(&set, NULL, &timeout) > 0)
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
	sigset_t set = request_set();
	int number;

	sigaddset(&set, SIGCHLD);
	do
		number = sigwaitinfo(&set, NULL);
	while (number < 0);
	if (number == SIGCHLD)
		return 0;
	requests++;
	return number;
}
