/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of a stressor's process: become an ordinary background process, prepare, work, end. */
#include "loads/load_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system/clock.h"
#include "util/number.h"

/* The kernel's default. Setting 0 would bring back the slack of the parent, which may be 1 ns. */
#define DEFAULT_SLACK_NS 50000UL

/* The kernel's default limit (fs.nr_open), for systems without /proc. */
#define MAX_DESCRIPTORS 1048576

static volatile sig_atomic_t stopping;

bool load_stopping(void)
{
	return stopping;
}

static void on_sigterm(int sig)
{
	(void)sig;
	stopping = 1;
}

static void set_state(struct load_shared *shared, enum load_state state)
{
	atomic_store_explicit(&shared->state, state, memory_order_release);
}

static void end_with(struct load_shared *shared, enum load_state state, int err,
		     const struct fault *fault)
{
	snprintf(shared->reason, sizeof(shared->reason), "%s",
		 fault->text[0] ? fault->text : strerror(-err));
	set_state(shared, state);
}

/* Signals are blocked until here, so that no handler of the parent ever runs in this process. */
static void reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
	action.sa_handler = on_sigterm; /* no SA_RESTART: waiting has to end */
	sigaction(SIGTERM, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_one_by_one(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	if (!dir) {
		for (int fd = 3; fd < MAX_DESCRIPTORS; fd++)
			close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		int64_t fd;

		if (!number_i64(entry->d_name, 3, INT_MAX, &fd) && fd != dirfd(dir))
			close((int)fd);
	}
	closedir(dir);
}

/*
 * An open /dev/rtc here would keep its interrupt on after the parent died. The terminal is not
 * for stressors, nor for the libraries they use.
 */
static int drop_descriptors(struct fault *fault)
{
	int fd = open("/dev/null", O_RDWR);

	if (fd < 0)
		return fault_set(fault, -errno, "/dev/null: %s", strerror(errno));
	dup2(fd, STDIN_FILENO);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
		return 0;
#endif
	close_one_by_one(); /* Linux before 5.9 */
	return 0;
}

static int become_background(const struct load_child *child, struct fault *fault)
{
	const struct sched_param param = { .sched_priority = 0 };

	if (sched_setscheduler(0, SCHED_OTHER, &param) < 0)
		return fault_set(fault, -errno, "cannot return to SCHED_OTHER: %s",
				 strerror(errno));
	if (setpriority(PRIO_PROCESS, 0, 0) < 0)
		return fault_set(fault, -errno,
				 "cannot return to nice 0 (%s): do not start latencytest under "
				 "nice", strerror(errno));
	if (child->cpuset && sched_setaffinity(0, child->cpuset_size, child->cpuset) < 0)
		return fault_set(fault, -errno, "cannot keep to its CPUs: %s", strerror(errno));
	prctl(PR_SET_TIMERSLACK, DEFAULT_SLACK_NS, 0, 0, 0);
	return 0;
}

/* Publishes progress made just now. See struct load_shared for the order of things. */
static void report(struct load_shared *shared, uint64_t units)
{
	unsigned int count = atomic_load_explicit(&shared->count, memory_order_relaxed);
	const struct load_report *old = &shared->reports[count % 2];
	struct load_report *next = &shared->reports[(count + 1) % 2];
	int64_t window = atomic_load(&shared->window_start_ns);
	int64_t now = clock_now_ns();
	int64_t from = old->last_ns, longest = 0, stalled = 0;
	uint64_t total = 0;

	if (old->window_start_ns == window) {
		longest = old->longest_stall_ns;
		stalled = old->stalled_ns;
		total = old->units;
	}
	if (window && now > window) {
		int64_t gap = now - (from > window ? from : window);

		total += units;
		if (gap > longest)
			longest = gap;
		if (gap > LOAD_STALL_NS)
			stalled += gap;
	}
	/* Nobody may see these before the count that made the other place the newest. */
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&next->window_start_ns, window, memory_order_relaxed);
	atomic_store_explicit(&next->last_ns, now, memory_order_relaxed);
	atomic_store_explicit(&next->longest_stall_ns, longest, memory_order_relaxed);
	atomic_store_explicit(&next->stalled_ns, stalled, memory_order_relaxed);
	atomic_store_explicit(&next->units, total, memory_order_relaxed);
	atomic_store_explicit(&shared->count, count + 1, memory_order_release);
}

static void wait_for_sigterm(void)
{
	sigset_t term, old;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &old);
	while (!stopping)
		sigsuspend(&old);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void work(const struct load_child *child, void *state, struct fault *fault)
{
	report(child->shared, 0);
	set_state(child->shared, LOAD_RUNNING);
	if (!child->stressor->step) {
		wait_for_sigterm();
		return;
	}
	while (!stopping) {
		int64_t units = child->stressor->step(state, fault);

		if (units > 0)
			report(child->shared, (uint64_t)units);
		if (units < 0 && !stopping) {
			end_with(child->shared, LOAD_FAILED, (int)units, fault);
			return;
		}
	}
}

void load_child_main(const struct load_child *child)
{
	const struct stressor *stressor = child->stressor;
	struct fault fault = { .text = "" };
	void *state = NULL;
	char name[16];
	int err;

	/* First of all: nothing of this may outlive the parent, however it dies. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != child->parent)
		_exit(EXIT_FAILURE);
	setpgid(0, 0);
	reset_signals();
	snprintf(name, sizeof(name), "lt-%s", stressor->name);
	prctl(PR_SET_NAME, name, 0, 0, 0);

	err = drop_descriptors(&fault);
	if (!err)
		err = become_background(child, &fault);
	if (!err && stressor->prepare)
		err = stressor->prepare(child->params, &state, &fault);
	if (!err) {
		work(child, state, &fault);
		if (stressor->finish)
			stressor->finish(state);
	} else if (!stopping) {
		end_with(child->shared, err == LOAD_SKIP ? LOAD_SKIPPED : LOAD_FAILED, err, &fault);
	}
	_exit(EXIT_SUCCESS);
}
