/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/guardian.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/restore.h"
#include "system/procfile.h"
#include "util/number.h"

/* A run that was told to end by the kernel gets so long, then is asked once more, then killed. */
#define PATIENCE_MS 10000
#define ASK_MS 20

/* ---- in the guardian ---- */

static bool is_kept(int fd, int pipe_fd, const struct guardian *guardian)
{
	if (fd == pipe_fd || fd == guardian->dir_lock)
		return true;
	for (size_t i = 0; i < guardian->settings->n; i++)
		if (fd == guardian->settings->items[i].lock)
			return true;
	return false;
}

/* A terminal, a pipe to a pager, a directory to be unmounted: nothing may be held up by it. */
static void let_go(int pipe_fd, const struct guardian *guardian)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int64_t fd_number;
	int null;

	while (dir && (entry = readdir(dir)))
		if (!number_i64(entry->d_name, STDERR_FILENO + 1, INT_MAX, &fd_number) &&
		    fd_number != dirfd(dir) && !is_kept((int)fd_number, pipe_fd, guardian))
			close((int)fd_number);
	if (dir)
		closedir(dir);
	null = open("/dev/null", O_RDWR);
	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
	if (chdir("/"))
		return;
}

static void ignore_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
}

/* Kernels before 5.3 have no pidfd_open(), and some containers refuse it: then pidfd is -1. */
struct run {
	pid_t pid; /* 0: none */
	int pidfd;
};

/* Ended, but not waited for yet. */
static bool is_zombie(pid_t pid)
{
	char path[64], state[32];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return !procfile_read_field(path, "State", state, sizeof(state)) &&
	       (state[0] == 'Z' || state[0] == 'X');
}

/* Without a pidfd it is asked for often, so that no other process can have got its number. */
static bool is_gone(pid_t pid, int timeout_ms)
{
	while (!kill(pid, 0) && !is_zombie(pid)) {
		if (timeout_ms <= 0)
			return false;
		poll(NULL, 0, ASK_MS);
		timeout_ms -= ASK_MS;
	}
	return true;
}

static bool has_ended(const struct run *run, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = run->pidfd, .events = POLLIN };

	if (!run->pid)
		return true;
	return run->pidfd < 0 ? is_gone(run->pid, timeout_ms) : poll(&poll_fd, 1, timeout_ms) != 0;
}

static void signal_run(const struct run *run, int number)
{
	if (run->pidfd < 0)
		kill(run->pid, number);
	else
		syscall(SYS_pidfd_send_signal, run->pidfd, number, NULL, 0);
}

/* A run without its sweep: what it still measures must not be measured under changing settings. */
static void wait_for_run(const struct run *run)
{
	if (has_ended(run, PATIENCE_MS))
		return;
	signal_run(run, SIGTERM);
	if (has_ended(run, PATIENCE_MS))
		return;
	signal_run(run, SIGKILL);
	has_ended(run, PATIENCE_MS);
}

static void take_run(struct run *run, pid_t pid)
{
	if (run->pidfd >= 0)
		close(run->pidfd);
	run->pid = pid;
	run->pidfd = -1;
	if (pid > 0)
		run->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pid > 0 && run->pidfd < 0 && errno == ESRCH)
		run->pid = 0;
}

/* Waits for the end of the sweep; run is the one that was going on then. */
static void watch(int pipe_fd, struct run *run)
{
	pid_t pid;

	/* Each message is written at once, so that it is read whole. */
	for (;;) {
		ssize_t n = read(pipe_fd, &pid, sizeof(pid));

		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(pid))
			return;
		take_run(run, pid);
	}
}

static _Noreturn void guard(int pipe_fd, const struct guardian *guardian)
{
	struct run run = { .pid = 0, .pidfd = -1 };

	ignore_signals();
	prctl(PR_SET_NAME, "lt-guardian");
	/* With the rest, the end that the sweep waits at. */
	let_go(pipe_fd, guardian);
	watch(pipe_fd, &run);
	wait_for_run(&run);
	_exit(restore(guardian->settings, guardian->dir) ? 0 : 1);
}

/* ---- in the sweep ---- */

/* Until the guardian is out of reach of what may be sent to our process group. */
static void wait_until_ready(int fd)
{
	char byte;

	while (read(fd, &byte, 1) < 0 && errno == EINTR)
		;
	close(fd);
}

static int fork_guardian(struct guardian *guardian, const int orders[2], const int ready[2])
{
	guardian->pid = fork();
	if (guardian->pid < 0)
		return -errno;
	if (!guardian->pid) {
		close(orders[1]);
		guard(orders[0], guardian);
	}
	close(ready[1]);
	wait_until_ready(ready[0]);
	close(orders[0]);
	guardian->fd = orders[1];
	return 0;
}

int guardian_start(struct guardian *guardian, struct sweep_settings *settings,
		   const char *dir, int dir_lock, struct fault *fault)
{
	int orders[2], ready[2], err;

	guardian->settings = settings;
	guardian->dir = dir;
	guardian->dir_lock = dir_lock;
	if (pipe2(orders, O_CLOEXEC))
		return fault_set(fault, -errno, "pipe: %s", strerror(errno));
	if (pipe2(ready, O_CLOEXEC)) {
		err = -errno;
	} else {
		err = fork_guardian(guardian, orders, ready);
		if (!err)
			return 0;
		close(ready[0]);
		close(ready[1]);
	}
	close(orders[0]);
	close(orders[1]);
	return fault_set(fault, err, "the guardian of the settings cannot be started: %s",
			 strerror(-err));
}

static int tell(const struct guardian *guardian, pid_t run)
{
	ssize_t n;

	do
		n = write(guardian->fd, &run, sizeof(run));
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

int guardian_tell_run(const struct guardian *guardian)
{
	return tell(guardian, getpid());
}

int guardian_tell_end(const struct guardian *guardian)
{
	return tell(guardian, 0);
}

bool guardian_finish(struct guardian *guardian)
{
	pid_t waited;
	int status;

	close(guardian->fd);
	do
		waited = waitpid(guardian->pid, &status, 0);
	while (waited < 0 && errno == EINTR);
	if (waited == guardian->pid && WIFEXITED(status))
		return WEXITSTATUS(status) == 0;
	return restore(guardian->settings, guardian->dir);
}
