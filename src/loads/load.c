/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parent's side of a stressor: start, watch, end. */
#include "loads/load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loads/load_child.h"
#include "system/clock.h"
#include "util/number.h"
#include "util/textfile.h"

#define KILL_AFTER_NS (2 * NS_PER_SEC)
/* What a killed stressor started (Xvfb) hears of it, and has this long to clean up. */
#define HURRY_NS (NS_PER_SEC / 5)
#define GIVE_UP_AFTER_NS (60 * NS_PER_SEC)
#define POLL_NS 5000000L

struct load {
	struct load_shared *shared;
	const struct stressor *stressor;
	pid_t pid; /* of the process, and of its group */
	int64_t oom_kills; /* of the whole machine, before it was started; -1: not told */
};

/* A report, taken out of the shared memory. */
struct report {
	int64_t window_start_ns;
	int64_t last_ns;
	int64_t longest_stall_ns;
	int64_t stalled_ns;
	uint64_t units;
};

/* How many processes the kernel has killed for want of memory; -1 where it does not tell. */
static int64_t count_oom_kills(void)
{
	static const char key[] = "\noom_kill ";
	char *text = text_read_all("/proc/vmstat");
	char *at = text ? strstr(text, key) : NULL;
	int64_t count = -1;

	if (at) {
		at += sizeof(key) - 1;
		at[strcspn(at, "\n")] = '\0';
		if (number_i64(at, 0, INT64_MAX, &count))
			count = -1;
	}
	free(text);
	return count;
}

/*
 * Forks with all signals blocked, so that the child never runs a handler of the parent. The
 * parent learns of fork()'s errors only.
 */
static pid_t fork_child(const struct load_child *child)
{
	sigset_t all, old;
	int err;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = fork();
	if (pid == 0)
		load_child_main(child);
	err = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = err;
	return pid;
}

int load_start(struct load **load, const struct stressor *stressor,
	       const struct load_params *params, const void *cpuset, size_t cpuset_size,
	       struct fault *fault)
{
	struct load_child child = {
		.stressor = stressor,
		.params = params,
		.cpuset = cpuset,
		.cpuset_size = cpuset_size,
		.parent = getpid(),
	};
	struct load *l;
	int err;

	/* What the stressor started becomes ours when it dies, so that it can be waited for. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0) {
		err = -errno;
		return fault_set(fault, err, "cannot adopt orphans (PR_SET_CHILD_SUBREAPER): %s",
				 strerror(-err));
	}
	l = calloc(1, sizeof(*l));
	if (!l)
		return fault_set(fault, -ENOMEM, "stressor %s: out of memory", stressor->name);
	l->stressor = stressor;
	l->shared = mmap(NULL, sizeof(*l->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (l->shared == MAP_FAILED) {
		err = -errno;
		free(l);
		return fault_set(fault, err, "stressor %s: cannot share memory: %s",
				 stressor->name, strerror(-err));
	}
	child.shared = l->shared;
	l->oom_kills = count_oom_kills();
	l->pid = fork_child(&child);
	if (l->pid < 0) {
		err = -errno;
		munmap(l->shared, sizeof(*l->shared));
		free(l);
		return fault_set(fault, err, "stressor %s: cannot start a process: %s",
				 stressor->name, strerror(-err));
	}
	/* The child does the same: whoever comes first, the group exists for both. */
	setpgid(l->pid, l->pid);
	*load = l;
	return 0;
}

pid_t load_pid(const struct load *load)
{
	return load->pid;
}

void load_window_open(struct load *load)
{
	atomic_store(&load->shared->window_start_ns, clock_now_ns());
}

static void take_report(struct load_shared *shared, struct report *out)
{
	unsigned int before, after;

	after = atomic_load_explicit(&shared->count, memory_order_acquire);
	do {
		struct load_report *r;

		before = after;
		r = &shared->reports[before % 2];
		out->window_start_ns = atomic_load_explicit(&r->window_start_ns,
							    memory_order_relaxed);
		out->last_ns = atomic_load_explicit(&r->last_ns, memory_order_relaxed);
		out->longest_stall_ns = atomic_load_explicit(&r->longest_stall_ns,
							     memory_order_relaxed);
		out->stalled_ns = atomic_load_explicit(&r->stalled_ns, memory_order_relaxed);
		out->units = atomic_load_explicit(&r->units, memory_order_relaxed);
		atomic_thread_fence(memory_order_acquire);
		after = atomic_load_explicit(&shared->count, memory_order_acquire);
	} while (after != before);
}

static void read_window(const struct load *load, struct load_progress *progress)
{
	int64_t start = atomic_load(&load->shared->window_start_ns);
	struct report r;
	int64_t now, gap;

	if (!start)
		return;
	take_report(load->shared, &r);
	now = clock_now_ns();
	progress->window_ns = now - start;
	if (!load->stressor->step)
		return;
	/* Figures of an older window mean that there was no progress in this one yet. */
	if (r.window_start_ns == start) {
		progress->units = r.units;
		progress->longest_stall_ns = r.longest_stall_ns;
		progress->stalled_ns = r.stalled_ns;
	}
	/* The gap that is still open: a stressor stuck in fsync() reports nothing by itself. */
	gap = now - (r.last_ns > start ? r.last_ns : start);
	if (gap > progress->longest_stall_ns)
		progress->longest_stall_ns = gap;
	if (gap > LOAD_STALL_NS)
		progress->stalled_ns += gap;
}

/* Whether the process has ended. It is not reaped: its id stays its own until load_stop(). */
static bool has_died(const struct load *load, siginfo_t *info)
{
	info->si_pid = 0;
	if (waitid(P_PID, (id_t)load->pid, info, WEXITED | WNOHANG | WNOWAIT) < 0) {
		info->si_code = 0;
		return errno == ECHILD;
	}
	return info->si_pid != 0;
}

/* What may stand behind a SIGKILL. */
static const char *guess_killer(const struct load *load)
{
	int64_t now = count_oom_kills();

	if (now < 0 || load->oom_kills < 0)
		return ", by hand or for want of memory";
	return now > load->oom_kills ?
		       ", probably by the kernel for want of memory (OOM killer: oom_kill in "
		       "/proc/vmstat has grown)" :
		       ", by hand (the OOM killer did not strike)";
}

static void describe_death(const struct load *load, const siginfo_t *info, char *buf, size_t size)
{
	switch (info->si_code) {
	case CLD_EXITED:
		snprintf(buf, size, "its process %d ended by itself with exit code %d",
			 (int)load->pid, info->si_status);
		break;
	case CLD_KILLED:
	case CLD_DUMPED:
		snprintf(buf, size, "its process %d was killed by signal %d (%s)%s",
			 (int)load->pid, info->si_status, strsignal(info->si_status),
			 info->si_status == SIGKILL ? guess_killer(load) : "");
		break;
	default:
		snprintf(buf, size, "its process %d ended, nobody knows how", (int)load->pid);
	}
}

void load_read(struct load *load, struct load_progress *progress)
{
	struct load_shared *shared = load->shared;
	siginfo_t info;
	bool died;

	memset(progress, 0, sizeof(*progress));
	/* Asked before the state is read: who gave a reason and ended has not just died. */
	died = has_died(load, &info);
	progress->state = atomic_load_explicit(&shared->state, memory_order_acquire);
	if (progress->state == LOAD_SKIPPED || progress->state == LOAD_FAILED) {
		memcpy(progress->reason, shared->reason, sizeof(progress->reason));
		progress->reason[sizeof(progress->reason) - 1] = '\0';
	} else if (died) {
		progress->state = LOAD_FAILED;
		describe_death(load, &info, progress->reason, sizeof(progress->reason));
	}
	read_window(load, progress);
}

/* Reaps what has ended. True when nothing of the group is left, neither alive nor as a zombie. */
static bool group_is_gone(pid_t pgid)
{
	pid_t pid;

	do {
		pid = waitpid(-pgid, NULL, WNOHANG);
	} while (pid > 0 || (pid < 0 && errno == EINTR));
	return pid < 0 && errno == ECHILD && kill(-pgid, 0) < 0;
}

int load_stop(struct load *load, bool (*hurry)(void *argument), void *argument,
	      struct fault *fault)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int64_t begin = clock_now_ns(), kill_after = KILL_AFTER_NS;
	bool hurried = false;
	pid_t pid;
	int ret = 0;

	if (!load)
		return 0;
	pid = load->pid;
	kill(-pid, SIGTERM);
	kill(-pid, SIGCONT); /* one that was stopped hears SIGTERM only then */
	while (!group_is_gone(pid)) {
		int64_t waited = clock_now_ns() - begin;

		if (waited > GIVE_UP_AFTER_NS) {
			ret = fault_set(fault, -ETIMEDOUT,
					"stressor %s: process %d is still there %lld s after "
					"SIGKILL, held by the kernel",
					load->stressor->name, (int)pid,
					(GIVE_UP_AFTER_NS - KILL_AFTER_NS) / NS_PER_SEC);
			break;
		}
		if (!hurried && hurry && hurry(argument)) {
			hurried = true;
			kill(pid, SIGKILL);
			if (kill_after > waited + HURRY_NS)
				kill_after = waited + HURRY_NS;
		}
		if (waited > kill_after)
			kill(-pid, SIGKILL);
		nanosleep(&pause, NULL);
	}
	munmap(load->shared, sizeof(*load->shared));
	free(load);
	return ret;
}
