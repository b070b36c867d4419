/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locked memory, swap, huge pages. */
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "measure/ring.h"
#include "measure/rt_thread.h"
#include "system/privileges.h"
#include "util/root.h"

#define GROUP "Memory"
#define RING_SLOTS 32768 /* a minute of cycles at the default rate */
#define SWAPPINESS_MAX 10
#define LIMITS_LINE "/etc/security/limits.d/audio.conf: \"@audio - memlock unlimited\"; then log " \
		    "in again as a member of audio"

/* The limit in words. */
static const char *limit_text(const struct doctor_params *params, char *buf, size_t size)
{
	int64_t limit;

	if (fact_int(params->environment, "rlimit_memlock_bytes", &limit))
		snprintf(buf, size, "%lld bytes%s", (long long)limit,
			 privilege_held(CAP_IPC_LOCK) ? " (CAP_IPC_LOCK goes before it)" : "");
	else
		snprintf(buf, size, "%s", fact_text(params->environment, "rlimit_memlock_bytes")
						  ? "unlimited" : "unknown");
	return buf;
}

/* ---- what latencytest itself locks, by trying ---- */

static void examine_memlock(const struct doctor_params *params, struct finding *finding)
{
	struct rt_thread *thread;
	struct fault fault = { "" };
	char limit[64];
	char *cause;
	void *memory;

	if (!root_is_real()) {
		finding_set(finding, DOCTOR_UNKNOWN, "can be tried on the machine itself only");
		return;
	}
	if (!rt_thread_create(&thread, ring_bytes(RING_SLOTS), NULL, &memory, &fault)) {
		finding_set(finding, DOCTOR_GOOD, "RLIMIT_MEMLOCK %s: the measuring thread's %zu "
			    "bytes were locked", limit_text(params, limit, sizeof(limit)),
			    rt_thread_locked_bytes(thread));
		rt_thread_free(thread);
		return;
	}
	/* The cure has a place of its own. */
	cause = strstr(fault.text, "; cure: ");
	if (cause)
		*cause = '\0';
	finding_set(finding, DOCTOR_NOT_GOOD, "%s", fault.text);
	finding_cure(finding, LIMITS_LINE);
}

const struct check check_memlock = {
	.id = "memlock",
	.group = GROUP,
	.title = "locked memory, latencytest",
	.why = "memory that is not locked can be paged out, and to read it back takes milliseconds",
	.examine = examine_memlock,
};

/* ---- what audio programs lock: everything, with the stacks of their threads ---- */

static void *sit(void *argument)
{
	return argument;
}

/* Runs in a child. Which call failed (1 or 2) and its errno, or 0. */
static int lock_all(void)
{
	pthread_t thread;
	int err;

	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		return 1000 + errno;
	err = pthread_create(&thread, NULL, sit, NULL);
	if (err)
		return 2000 + err;
	pthread_join(thread, NULL);
	return 0;
}

/* 0, or as lock_all(), or a negative errno where it could not be tried. */
static int try_in_child(void)
{
	int pipe_fds[2], result = -EIO, status;
	pid_t child;

	if (pipe(pipe_fds))
		return -errno;
	child = fork();
	if (child == 0) {
		result = lock_all();
		_exit(write(pipe_fds[1], &result, sizeof(result)) != sizeof(result));
	}
	close(pipe_fds[1]);
	if (child < 0 || read(pipe_fds[0], &result, sizeof(result)) != sizeof(result))
		result = -EIO;
	close(pipe_fds[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return result;
}

static void examine_mlockall(const struct doctor_params *params, struct finding *finding)
{
	char limit[64];
	int result;

	if (!root_is_real()) {
		finding_set(finding, DOCTOR_UNKNOWN, "can be tried on the machine itself only");
		return;
	}
	limit_text(params, limit, sizeof(limit));
	result = try_in_child();
	if (result < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, "could not be tried in a child: %s",
			    strerror(-result));
	} else if (!result) {
		finding_set(finding, DOCTOR_GOOD, "RLIMIT_MEMLOCK %s: mlockall() and one more "
			    "thread with its stack fit", limit);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "RLIMIT_MEMLOCK %s: %s: %s", limit,
			    result < 2000 ? "mlockall()"
					  : "the stack of a thread after mlockall()",
			    strerror(result % 1000));
		finding_cure(finding, LIMITS_LINE);
	}
}

const struct check check_mlockall = {
	.id = "mlockall",
	.group = GROUP,
	.title = "mlockall with thread stacks",
	.why = "audio programs lock all their memory; where it does not fit they run on unlocked",
	.slow = true,
	.examine = examine_mlockall,
};

/* ---- swap ---- */

static void examine_swap(const struct doctor_params *params, struct finding *finding)
{
	int64_t bytes, swappiness;

	if (!fact_int(params->environment, "swap_total_bytes", &bytes)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/meminfo: SwapTotal is not told");
		return;
	}
	if (bytes == 0) {
		finding_set(finding, DOCTOR_GOOD, "/proc/meminfo: no swap");
		return;
	}
	if (!fact_int(params->environment, "swappiness", &swappiness) || swappiness < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.1f GiB of swap, /proc/sys/vm/swappiness is "
			    "not told", (double)bytes / (1 << 30));
		return;
	}
	finding_set(finding, swappiness <= SWAPPINESS_MAX ? DOCTOR_GOOD : DOCTOR_NOT_GOOD,
		    "%.1f GiB of swap, /proc/sys/vm/swappiness %lld", (double)bytes / (1 << 30),
		    (long long)swappiness);
	if (swappiness > SWAPPINESS_MAX)
		finding_cure(finding, "sysctl -w vm.swappiness=%d; to stay: \"vm.swappiness = %d\" "
			     "in /etc/sysctl.d/90-audio.conf", SWAPPINESS_MAX, SWAPPINESS_MAX);
}

const struct check check_swap = {
	.id = "swap",
	.group = GROUP,
	.title = "swap",
	.why = "what programs have not locked, samples and plugins too, is paged out for file "
	       "cache",
	.examine = examine_swap,
};

/* ---- huge pages ---- */

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/enabled"

static void examine_huge_pages(const struct doctor_params *params, struct finding *finding)
{
	const char *mode = fact_text(params->environment, "transparent_hugepage");

	if (!mode || (strcmp(mode, "always") && strcmp(mode, "madvise") && strcmp(mode, "never"))) {
		finding_set(finding, DOCTOR_UNKNOWN, HUGE_PAGES ": %s", mode ? mode : "not told");
		return;
	}
	finding_set(finding, strcmp(mode, "always") ? DOCTOR_GOOD : DOCTOR_NOT_GOOD,
		    HUGE_PAGES ": %s", mode);
	if (!strcmp(mode, "always"))
		finding_cure(finding, "echo madvise > " HUGE_PAGES "; to stay: boot with "
			     "transparent_hugepage=madvise");
}

const struct check check_huge_pages = {
	.id = "huge_pages",
	.group = GROUP,
	.title = "transparent huge pages",
	.why = "khugepaged moves 2 MiB of a program's memory at once, behind its back; who uses "
	       "it meanwhile waits",
	.examine = examine_huge_pages,
};
