/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/modprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/root.h"
#include "util/textfile.h"

#define PROGRAM "/sbin/modprobe"

/* Starts it with its messages going to the pipe. 0 or a negative errno. */
static int start(const char *program, const char *module, bool dry, const int pipe_fd[2],
		 pid_t *pid)
{
	char *load[] = { (char *)"modprobe", (char *)"--", (char *)module, NULL };
	char *look[] = { (char *)"modprobe", (char *)"--dry-run", (char *)"--", (char *)module,
			 NULL };
	char *envp[] = { (char *)"PATH=/usr/sbin:/usr/bin:/sbin:/bin", (char *)"LC_ALL=C", NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int err;

	/* A run blocks the signals that end it; a modprobe that hangs must not. */
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, pipe_fd[1], STDERR_FILENO);
	err = posix_spawn(pid, program, &files, &attributes, dry ? look : load, envp);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return -err;
}

/* The first line of what it said; the rest is read so that it never waits for a reader. */
static void read_message(int fd, char *text, size_t size)
{
	char rest[256];
	size_t used = 0;
	ssize_t n;

	do {
		if (used < size - 1)
			n = read(fd, text + used, size - 1 - used);
		else
			n = read(fd, rest, sizeof(rest));
		if (n > 0 && used < size - 1)
			used += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	text[used] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static int run_modprobe(const char *program, const char *module, bool dry, int *status,
			char *message, size_t size)
{
	int pipe_fd[2], err;
	pid_t pid;

	if (pipe2(pipe_fd, O_CLOEXEC))
		return -errno;
	err = start(program, module, dry, pipe_fd, &pid);
	close(pipe_fd[1]);
	if (!err)
		read_message(pipe_fd[0], message, size);
	close(pipe_fd[0]);
	while (!err && waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			err = -errno;
	return err;
}

/* Only of kmod's it is known that --dry-run loads nothing; the kernel may name any program. */
static bool can_look(const char *program)
{
	char path[PATH_MAX];
	const char *name = realpath(program, path) ? strrchr(path, '/') : NULL;

	return name && (!strcmp(name, "/kmod") || !strcmp(name, "/modprobe"));
}

static int ask(const char *module, bool dry, struct fault *fault)
{
	char program[PATH_MAX], message[160], name[PATH_MAX];
	int status = 0, err;

	if (text_read("/proc/sys/kernel/modprobe", program, sizeof(program)) < 0 &&
	    access(root_path(name, sizeof(name), "/proc/modules"), F_OK))
		return fault_set(fault, -ENOSYS, "and this kernel loads no modules: it takes one "
				 "that was built with it");
	/* An empty name forbids the kernel to ask by itself, not root. */
	if (!program[0])
		snprintf(program, sizeof(program), "%s", PROGRAM);
	if (dry && !access(program, X_OK) && !can_look(program))
		return 0;
	err = run_modprobe(program, module, dry, &status, message, sizeof(message));
	if (err)
		return fault_set(fault, err, "and its module %s could not be asked for: %s: %s",
				 module, program, strerror(-err));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (!dry && geteuid())
		return fault_set(fault, -EPERM, "and to load its module %s needs root", module);
	if (WIFEXITED(status))
		return fault_set(fault, -ENOENT, "and %s %s failed with status %d%s%s", program,
				 module, WEXITSTATUS(status), message[0] ? ": " : "", message);
	return fault_set(fault, -ENOENT, "and %s %s was ended by signal %d", program, module,
			 WTERMSIG(status));
}

int modprobe(const char *module, struct fault *fault)
{
	return ask(module, false, fault);
}

int modprobe_look(const char *module, struct fault *fault)
{
	return ask(module, true, fault);
}
