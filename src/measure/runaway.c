/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measure/runaway.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "system/clock.h"

#define NS_PER_US 1000

/* In the thread's own static storage, which lies on its locked stack. */
static _Thread_local struct runaway *current;

static void on_sigxcpu(int sig)
{
	const struct sched_param ordinary = { .sched_priority = 0 };
	struct runaway *runaway = current;
	int saved = errno;

	(void)sig;
	/*
	 * The system call itself: the library's function is not said to be safe in a handler. With
	 * the flag that the thread has: to clear it takes CAP_SYS_NICE, which its policy did not.
	 */
	syscall(SYS_sched_setscheduler, 0, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary);
	errno = saved;
	if (!runaway)
		return;
	atomic_store(&runaway->broken, true);
	atomic_store(runaway->stop, true);
	if (atomic_exchange(&runaway->burning, false))
		siglongjmp(runaway->escape, 1);
}

static void set_mask(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXCPU);
	pthread_sigmask(how, &set, NULL);
}

void runaway_enter(struct runaway *runaway)
{
	/* No SA_RESTART: it is to end a blocked wait too. */
	struct sigaction action = { .sa_handler = on_sigxcpu };

	current = runaway;
	sigaction(SIGXCPU, &action, NULL);
	set_mask(SIG_UNBLOCK);
}

void runaway_leave(void)
{
	set_mask(SIG_BLOCK);
	current = NULL;
}

int64_t runaway_limit(int64_t limit_ns, struct rlimit *old)
{
	const struct timespec at_once = { 0 };
	struct rlimit limit;
	sigset_t set;

	/* One that came for anything earlier is not about this thread. */
	sigemptyset(&set);
	sigaddset(&set, SIGXCPU);
	while (sigtimedwait(&set, NULL, &at_once) > 0)
		;
	getrlimit(RLIMIT_RTTIME, old);
	limit.rlim_cur = (rlim_t)(limit_ns / NS_PER_US);
	limit.rlim_max = limit.rlim_cur + RUNAWAY_KILL_NS / NS_PER_US;
	if (old->rlim_max != RLIM_INFINITY && old->rlim_max < limit.rlim_max) {
		limit.rlim_max = old->rlim_max;
		/* Before the kernel kills. */
		if (limit.rlim_cur > limit.rlim_max / 10 * 9)
			limit.rlim_cur = limit.rlim_max / 10 * 9;
	}
	setrlimit(RLIMIT_RTTIME, &limit);
	return (int64_t)limit.rlim_cur * NS_PER_US;
}

void runaway_unlimit(const struct rlimit *old)
{
	struct rlimit limit;

	if (!setrlimit(RLIMIT_RTTIME, old) || getrlimit(RLIMIT_RTTIME, &limit))
		return;
	/* A hard limit that was lowered stays so without CAP_SYS_RESOURCE. */
	limit.rlim_cur = old->rlim_cur < limit.rlim_max ? old->rlim_cur : limit.rlim_max;
	setrlimit(RLIMIT_RTTIME, &limit);
}
