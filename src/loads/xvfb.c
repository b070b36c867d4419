/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "loads/xvfb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loads/load_child.h"
#include "system/clock.h"
#include "util/number.h"

#define START_TIMEOUT_NS (30 * NS_PER_SEC)
#define POLL_MS 100

/* Less than load_stop() waits before it kills the whole group. */
#define STOP_TIMEOUT_NS (3 * NS_PER_SEC / 2)

/* Exit codes of a child that could not become Xvfb, as a shell would give them. */
#define EXIT_NOT_FOUND 127
#define EXIT_NOT_RUN 126

/* An Xauthority file with one entry, in memory: big-endian lengths, each before its bytes. */
static int make_authority(struct xvfb *xvfb, struct fault *fault)
{
	static const char name[] = XVFB_COOKIE_NAME;
	const size_t name_len = sizeof(name) - 1;
	/* Any address (family 65535) and any display: its number is not known yet. */
	unsigned char entry[64] = { 0xff, 0xff, 0, 0, 0, 0, 0, (unsigned char)name_len };
	size_t len = 8;
	int fd;

	if (getrandom(xvfb->cookie, sizeof(xvfb->cookie), 0) != sizeof(xvfb->cookie))
		return fault_set(fault, -EIO, "no random numbers for Xvfb's cookie");
	memcpy(entry + len, name, name_len);
	len += name_len;
	entry[len++] = 0;
	entry[len++] = sizeof(xvfb->cookie);
	memcpy(entry + len, xvfb->cookie, sizeof(xvfb->cookie));
	len += sizeof(xvfb->cookie);

	fd = memfd_create("latencytest-xauthority", MFD_CLOEXEC);
	if (fd < 0)
		return fault_set(fault, -errno, "cannot hand Xvfb its cookie (memfd): %s",
				 strerror(errno));
	if (write(fd, entry, len) != (ssize_t)len) {
		close(fd);
		return fault_set(fault, -EIO, "cannot write Xvfb's cookie");
	}
	return fd;
}

static _Noreturn void become_xvfb(pid_t parent, int ready_fd, int authority_fd)
{
	char ready[16], authority[32];

	/* The handler of the stressor would swallow a SIGTERM that comes before exec. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	/* SIGTERM, not SIGKILL: it lets Xvfb remove its lock and socket. */
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	if (getppid() != parent)
		_exit(EXIT_NOT_RUN);
	fcntl(ready_fd, F_SETFD, 0);
	fcntl(authority_fd, F_SETFD, 0);
	snprintf(ready, sizeof(ready), "%d", ready_fd);
	snprintf(authority, sizeof(authority), "/proc/self/fd/%d", authority_fd);
	execlp("Xvfb", "Xvfb", "-displayfd", ready, "-auth", authority, "-nolisten", "tcp",
	       "-terminate", "-screen", "0", "1280x1024x24", (char *)NULL);
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

/* Xvfb closed the pipe without having written its display. */
static int explain_death(struct xvfb *xvfb, struct fault *fault)
{
	int status = 0;

	while (waitpid(xvfb->pid, &status, 0) < 0 && errno == EINTR)
		;
	xvfb->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND)
		return fault_set(fault, LOAD_SKIP, "DISPLAY is not set and Xvfb is not installed");
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_RUN)
		return fault_set(fault, -ENOEXEC, "DISPLAY is not set and Xvfb cannot be executed");
	if (WIFSIGNALED(status))
		return fault_set(fault, -EIO, "DISPLAY is not set and Xvfb was killed by signal %d "
				 "(%s) when it started", WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	return fault_set(fault, -EIO, "DISPLAY is not set and Xvfb ended with exit code %d when it "
			 "started; `Xvfb -displayfd 1` shows why", WEXITSTATUS(status));
}

/* Waits for the line with the number of the display. */
static int wait_ready(struct xvfb *xvfb, int fd, struct fault *fault)
{
	int64_t begin = clock_now_ns(), display;
	char line[16];
	size_t len = 0;

	while (!load_stopping()) {
		struct pollfd pfd = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (clock_now_ns() - begin > START_TIMEOUT_NS)
			return fault_set(fault, -ETIMEDOUT, "Xvfb was not ready after %lld s",
					 START_TIMEOUT_NS / NS_PER_SEC);
		if (poll(&pfd, 1, POLL_MS) <= 0)
			continue;
		n = read(fd, line + len, sizeof(line) - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return explain_death(xvfb, fault);
		len += (size_t)n;
		if (line[len - 1] != '\n' && len < sizeof(line) - 1)
			continue;
		line[len - 1] = '\0';
		if (number_i64(line, 0, 65535, &display))
			return fault_set(fault, -EPROTO, "Xvfb did not tell its display");
		xvfb->display = (int)display;
		return 0;
	}
	return fault_set(fault, -EINTR, "asked to end");
}

int xvfb_start(struct xvfb *xvfb, struct fault *fault)
{
	pid_t self = getpid();
	int authority, ready[2], err;

	authority = make_authority(xvfb, fault);
	if (authority < 0)
		return authority;
	if (pipe2(ready, O_CLOEXEC) < 0) {
		err = -errno;
		close(authority);
		return fault_set(fault, err, "cannot make a pipe: %s", strerror(-err));
	}
	xvfb->pid = fork();
	if (xvfb->pid == 0)
		become_xvfb(self, ready[1], authority);
	err = xvfb->pid < 0 ? -errno : 0;
	close(ready[1]); /* so that the pipe ends with Xvfb */
	close(authority);
	if (err)
		fault_set(fault, err, "cannot start Xvfb: %s", strerror(-err));
	else
		err = wait_ready(xvfb, ready[0], fault);
	close(ready[0]);
	if (err)
		xvfb_stop(xvfb);
	return err;
}

void xvfb_stop(struct xvfb *xvfb)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	int64_t begin = clock_now_ns();
	bool killed = false;
	pid_t pid;

	if (xvfb->pid <= 0)
		return;
	kill(xvfb->pid, SIGTERM);
	kill(xvfb->pid, SIGCONT);
	for (;;) {
		pid = waitpid(xvfb->pid, NULL, WNOHANG);
		if (pid == xvfb->pid || (pid < 0 && errno != EINTR))
			break;
		if (!killed && clock_now_ns() - begin > STOP_TIMEOUT_NS) {
			kill(xvfb->pid, SIGKILL);
			killed = true;
		}
		nanosleep(&pause, NULL);
	}
	xvfb->pid = 0;
}
