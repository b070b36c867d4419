/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/one_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/signals.h"

#define PROGRAM "/proc/self/exe"
#define CANNOT_START 127

/* argv of the run: free() it. */
static char **arguments(const struct one_run *run)
{
	static char program[] = "latencytest", command[] = "run", quiet[] = "--quiet";
	static char output[] = "--output";
	size_t n = 0, at = 0;
	char **argv;

	while (run->options[n])
		n++;
	argv = calloc(n + 6, sizeof(argv[0]));
	if (!argv)
		return NULL;
	argv[at++] = program;
	argv[at++] = command;
	/* Ours go first: after a -- of the user's they were none. */
	argv[at++] = quiet;
	argv[at++] = output;
	argv[at++] = (char *)run->output;
	for (size_t i = 0; i < n; i++)
		argv[at++] = run->options[i];
	return argv;
}

/* SIGCHLD as a program expects it; requests stay blocked until the run picks them up. */
static void unblock_children(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static _Noreturn void become_run(const struct one_run *run, char **argv, int messages, pid_t parent)
{
	int null = open("/dev/null", O_RDWR);

	setpgid(0, 0);
	/* Before the program is there the signal would wait for it, being blocked. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || getppid() != parent)
		_exit(CANNOT_START);
	if (guardian_tell_run(run->guardian) || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
		_exit(CANNOT_START);
	if (null > STDERR_FILENO)
		close(null);
	unblock_children();
	execv(PROGRAM, argv);
	_exit(CANNOT_START);
}

static int wait_for(pid_t pid)
{
	int status, number;

	for (;;) {
		pid_t ended = waitpid(pid, &status, WNOHANG);

		if (ended == pid)
			break;
		if (ended < 0)
			return -errno;
		number = signals_wait();
		if (number)
			kill(pid, number);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int start(const struct one_run *run, int messages, struct fault *fault)
{
	pid_t parent = getpid(), pid;
	char **argv = arguments(run);
	int err;

	if (!argv)
		return fault_set(fault, -ENOMEM, "no memory");
	pid = fork();
	if (!pid)
		become_run(run, argv, messages, parent);
	err = -errno;
	free(argv);
	if (pid < 0)
		return fault_set(fault, err, "fork: %s", strerror(-err));
	/* Here as well, so that it is true from now on. */
	setpgid(pid, pid);
	return wait_for(pid);
}

int one_run(const struct one_run *run, struct fault *fault)
{
	struct stat said;
	int messages, status;

	/* One of an earlier try is ours to replace. */
	unlink(run->messages);
	messages = open(run->messages, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (messages < 0)
		return fault_set(fault, -errno, "%s: %s", run->messages, strerror(errno));
	status = start(run, messages, fault);
	guardian_tell_end(run->guardian);
	if (!fstat(messages, &said) && !said.st_size)
		unlink(run->messages);
	close(messages);
	if (status == CANNOT_START)
		return fault_set(fault, -ENOEXEC, "the run could not be started");
	return status;
}
