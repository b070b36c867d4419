/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guardian of a sweep waits for the run that was going on, on every kernel, and puts back. */
#include "unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "sweep/guardian.h"
#include "sweep/restore.h"

#define RUN_MS 600

/* As on kernels before 5.3. */
static int refuse_pidfd(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { COUNT(filter), filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return -1;
	return syscall(SYS_pidfd_open, getpid(), 0) < 0 && errno == ENOSYS ? 0 : -1;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/* In a child. Exit 0: put back after the end of the run; 1: before; 2: it could not be tried. */
static int end_in_mid_run(bool pidfd)
{
	static struct sweep_settings settings;
	const struct timespec run_time = { .tv_nsec = RUN_MS * 1000000L };
	struct timespec begin, end;
	struct guardian guardian;
	char byte = 0;
	int told[2];
	pid_t run;

	if ((!pidfd && refuse_pidfd()) || pipe(told) ||
	    guardian_start(&guardian, &settings, unit_dir, -1, NULL))
		return 2;
	run = fork();
	if (!run) {
		guardian_tell_run(&guardian);
		close(guardian.fd);
		if (write(told[1], &byte, 1) == 1)
			nanosleep(&run_time, NULL);
		_exit(0);
	}
	if (run < 0 || read(told[0], &byte, 1) != 1)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (!guardian_finish(&guardian) || !has_ended(run))
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &end);
	/* Nor as late as where it had to be told to end. */
	return end.tv_sec - begin.tv_sec < 9 ? 0 : 1;
}

static int outcome(bool pidfd)
{
	char path[sizeof(unit_dir) + sizeof(GUARDIAN_RESULT) + 1];
	int status;
	pid_t child = fork();

	if (!child)
		_exit(end_in_mid_run(pidfd));
	assert_int_equal(waitpid(child, &status, 0), child);
	snprintf(path, sizeof(path), "%s/" GUARDIAN_RESULT, unit_dir);
	unlink(path);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void waits_for_the_run(void **state)
{
	(void)state;
	assert_int_equal(outcome(true), 0);
}

static void waits_without_pidfd(void **state)
{
	int got = outcome(false);

	(void)state;
	if (got == 2)
		skip();
	assert_int_equal(got, 0);
}

/* What is in force cannot be told: it is put back all the same. */
static void puts_back_without_reading(void **state)
{
	static struct sweep_settings settings = { .n = 1 };
	struct sweep_setting *item = &settings.items[0];
	char path[sizeof(unit_dir) + sizeof(GUARDIAN_RESULT) + 1];
	struct setting_choices choices;
	FILE *file = fopen(unit_file, "w");

	(void)state;
	assert_non_null(file);
	fputs("a b", file);
	fclose(file);
	snprintf(item->setting.name, sizeof(item->setting.name), "a setting");
	snprintf(item->setting.path, sizeof(item->setting.path), "%s", unit_file);
	snprintf(item->original, sizeof(item->original), "old");
	item->lock = -1;
	assert_int_equal(setting_read(&item->setting, &choices, NULL), -EINVAL);
	assert_true(restore(&settings, unit_dir));
	assert_int_equal(setting_read(&item->setting, &choices, NULL), 0);
	assert_string_equal(choices.current, "old");
	snprintf(path, sizeof(path), "%s/" GUARDIAN_RESULT, unit_dir);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_for_the_run),
		cmocka_unit_test(waits_without_pidfd),
		cmocka_unit_test(puts_back_without_reading),
	};

	return unit_run(tests);
}
