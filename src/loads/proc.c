/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads /proc as top does, without pause: short system calls that take the locks of every process
 * and of its memory. One step is one process, or the files of the whole system.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loads/load_child.h"
#include "loads/stressors.h"

#define BUFFER_SIZE 65536

static const char *const process_files[] = {
	"stat", "status", "statm", "maps", "smaps", "wchan",
};

static const char *const system_files[] = {
	"stat", "meminfo", "loadavg", "vmstat", "uptime", "diskstats", "interrupts", "softirqs",
	"net/dev", "buddyinfo", "zoneinfo", "swaps", "self/mountinfo",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct proc {
	DIR *dir;
	char buf[BUFFER_SIZE];
};

static int proc_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	struct proc *p = malloc(sizeof(*p));

	(void)params;
	if (!p)
		return fault_set(fault, -ENOMEM, "out of memory");
	p->dir = opendir("/proc");
	if (!p->dir) {
		int err = errno;

		free(p);
		return fault_set(fault, -err, "/proc: %s", strerror(err));
	}
	*state = p;
	return 0;
}

static void proc_finish(void *state)
{
	struct proc *p = state;

	closedir(p->dir);
	free(p);
}

/* 1 when the file was read. Those that vanish, or are not for us to read, are normal. */
static int read_through(struct proc *p, const char *path)
{
	int fd = openat(dirfd(p->dir), path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return 0;
	do {
		n = read(fd, p->buf, sizeof(p->buf));
	} while (n > 0 && !load_stopping());
	close(fd);
	return n >= 0;
}

static int64_t read_process(struct proc *p, const char *pid)
{
	char path[64];
	int64_t done = 0;

	for (size_t i = 0; i < COUNT(process_files); i++) {
		snprintf(path, sizeof(path), "%.20s/%s", pid, process_files[i]);
		done += read_through(p, path);
	}
	return done;
}

static int64_t read_system(struct proc *p, struct fault *fault)
{
	int64_t done = 0;

	for (size_t i = 0; i < COUNT(system_files); i++)
		done += read_through(p, system_files[i]);
	if (!done)
		return fault_set(fault, -ENOENT, "nothing in /proc can be read");
	return done;
}

static int64_t proc_step(void *state, struct fault *fault)
{
	struct proc *p = state;
	struct dirent *entry;

	while ((entry = readdir(p->dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			return read_process(p, entry->d_name);
	rewinddir(p->dir);
	return read_system(p, fault);
}

const struct stressor stressor_proc = {
	.name = "proc",
	.summary = "reads /proc of every process without pause, as top does",
	.unit = "files",
	.in_default = true,
	.prepare = proc_prepare,
	.step = proc_step,
	.finish = proc_finish,
};
