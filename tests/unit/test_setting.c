/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of the kernel, the elevators and the preemption model among them. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "system/elevator.h"
#include "system/preemption.h"
#include "block_tree.h"
#include "util/textfile.h"

#define SDA "pci/ata1/block/sda"
#define DEBUG "/sys/kernel/debug"

static struct setting setting_of(const char *path)
{
	struct setting setting;

	snprintf(setting.name, sizeof(setting.name), "elevator of sda");
	snprintf(setting.path, sizeof(setting.path), "%s", tree_path(path));
	return setting;
}

static void test_read(void **state)
{
	static const struct {
		const char *text, *current, *words;
		int err;
	} cases[] = {
		{ "none [mq-deadline] kyber bfq \n", "mq-deadline", "none, mq-deadline, kyber, bfq",
		  0 },
		{ "[none] mq-deadline\n", "none", "none, mq-deadline", 0 },
		{ "none voluntary (full) lazy \n", "full", "none, voluntary, full, lazy", 0 },
		{ "(none)", "none", "none", 0 },
		{ "none\n", "none", "none", 0 },
		{ "none mq-deadline\n", "", "none, mq-deadline", -EINVAL },
		{ "\n", "", "", -EINVAL },
		{ "", "", "", -EINVAL },
		{ "[] ()", "", "[], ()", -EINVAL },
		{ "[a-word-that-no-kernel-could-ever-have]", NULL, NULL, -E2BIG },
		{ "[a] b c d e f g h i j k l m n o p q", NULL, NULL, -E2BIG },
	};
	struct setting setting = setting_of("/sys/file");

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct setting_choices choices;
		struct fault fault = { "" };
		char list[128];

		tree_put("/sys/file", cases[i].text);
		assert_case(setting_read(&setting, &choices, &fault) == cases[i].err, "%s",
			    cases[i].text);
		assert_case(!cases[i].err == !fault.text[0], "%s", fault.text);
		if (!cases[i].current)
			continue;
		setting_list(&choices, list, sizeof(list));
		assert_string_equal(choices.current, cases[i].current);
		assert_string_equal(list, cases[i].words);
	}
}

static void test_missing(void **state)
{
	struct setting setting = setting_of("/sys/file");
	struct setting_choices choices;
	struct fault fault = { "" };

	(void)state;
	assert_int_equal(setting_read(&setting, &choices, &fault), -ENOENT);
	assert_non_null(strstr(fault.text, "elevator of sda"));
	assert_int_equal(setting_write(&setting, "none", &fault), -ENOENT);
	assert_non_null(strstr(fault.text, "\"none\""));
	assert_int_equal(access(setting.path, F_OK), -1);
}

/* A plain file keeps what is written and marks nothing by it: never in force. */
static void test_read_back(void **state)
{
	struct setting setting = setting_of("/sys/file");
	struct fault fault = { "" };

	(void)state;
	tree_put("/sys/file", "xxxx [none] bfq\n");
	assert_int_equal(setting_write(&setting, "bfq", &fault), -EIO);
	assert_non_null(strstr(fault.text, "\"bfq\""));
	assert_non_null(strstr(fault.text, "still none"));
	assert_int_equal(setting_write(&setting, "bfq", NULL), -EIO);
	assert_int_equal(setting_write(&setting, "none", &fault), 0);
	tree_put("/sys/file", "");
	assert_int_equal(setting_write(&setting, "none bfq", &fault), -EIO);
	assert_non_null(strstr(fault.text, "nothing is in force"));
}

/* A real device that nobody uses: what the kernel says to a wrong and a right word. */
static bool find_unused_loop(struct setting *setting)
{
	char path[PATH_MAX];

	/* From the last: programs that look for a free one take the first. */
	for (int i = 63; i >= 0; i--) {
		struct block_device device = { .level = 0 };

		snprintf(device.name, sizeof(device.name), "loop%d", i);
		snprintf(device.dir, sizeof(device.dir), "/sys/block/loop%d", i);
		snprintf(path, sizeof(path), "/sys/block/loop%d/loop", i);
		if (access(path, F_OK) && !elevator_setting(&device, setting) &&
		    !access(setting->path, W_OK))
			return true;
	}
	return false;
}

static void test_real(void **state)
{
	struct setting_choices choices, now;
	struct setting setting;
	struct fault fault = { "" };

	(void)state;
	root_set(NULL);
	/* Not skip(), which cmocka tells as "not ok". */
	if (geteuid() || !find_unused_loop(&setting)) {
		print_message("# skipped: needs root and an unused loop device with elevators\n");
		return;
	}
	assert_int_equal(setting_read(&setting, &choices, &fault), 0);
	assert_int_equal(setting_write(&setting, "nosuch", &fault), -EINVAL);
	assert_non_null(strstr(fault.text, "\"nosuch\""));
	assert_non_null(strstr(fault.text, "offered: none"));
	for (size_t i = 0; i < choices.n; i++) {
		int err = setting_write(&setting, choices.words[i], &fault);

		setting_read(&setting, &now, NULL);
		setting_write(&setting, choices.current, NULL);
		assert_case(!err && !strcmp(now.current, choices.words[i]), "%s", fault.text);
	}
	assert_int_equal(setting_read(&setting, &now, &fault), 0);
	assert_string_equal(now.current, choices.current);
}

static void test_names(void **state)
{
	static const struct {
		const char *asked, *name;
	} cases[] = {
		{ "cfq", "bfq" }, { "deadline", "mq-deadline" }, { "noop", "none" },
		{ "bfq", "bfq" },
		{ "mq-deadline", "mq-deadline" }, { "kyber", "kyber" }, { "none", "none" },
		{ "my_own-2", "my_own-2" }, { "cfq2", "cfq2" }, { "as", NULL },
		{ "anticipatory", NULL }, { "", NULL }, { "bfq ", NULL }, { "../bfq", NULL },
		{ "a;b", NULL },
		{ "abcdefghijklmnopqrstuvwxyz01234", "abcdefghijklmnopqrstuvwxyz01234" },
		{ "abcdefghijklmnopqrstuvwxyz012345", NULL }, { "b\xc3\xa4", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault fault = { "" };
		const char *name = elevator_name(cases[i].asked, &fault);

		assert_case(cases[i].name ? name && !strcmp(name, cases[i].name) : !name, "%s",
			    cases[i].asked);
		assert_case(!name == !!fault.text[0], "%s: %s", cases[i].asked, fault.text);
	}
	assert_non_null(elevator_name("none", NULL));
}

/* A device in the tree of that machine. */
static struct block_device device_of(const char *text)
{
	struct block_device device = { .name = "sda", .part = "sda", .parent = -1, .lowest = true };

	snprintf(device.dir, sizeof(device.dir), "%s", tree_path("/sys/devices/" SDA));
	if (text)
		tree_elevator(SDA, text);
	return device;
}

/* The modprobe of that machine: a script, which keeps what it was called with. */
static void put_modprobe(const char *body)
{
	char text[4096], link[PATH_MAX];

	snprintf(text, sizeof(text), "#!/bin/sh\necho \"$# $*\" > '%s'\n%s\n",
		 tree_path("/proc/called"), body);
	tree_put("/dev/modprobe", text);
	assert_int_equal(chmod(tree_path("/dev/modprobe"), 0755), 0);
	snprintf(link, sizeof(link), "%s\n", tree_path("/dev/modprobe"));
	tree_put("/proc/sys/kernel/modprobe", link);
}

static void test_setting_of_device(void **state)
{
	struct setting setting;
	struct block_device device = device_of(NULL);

	(void)state;
	assert_int_equal(elevator_setting(&device, &setting), -ENOENT);
	device = device_of("none\n");
	assert_int_equal(elevator_setting(&device, &setting), -ENOENT);
	device = device_of("[none] \n");
	assert_int_equal(elevator_setting(&device, &setting), 0);
	assert_string_equal(setting.name, "elevator of sda");
	assert_string_equal(setting.path, tree_path("/sys/devices/" SDA "/queue/scheduler"));
}

static void test_provide_offered(void **state)
{
	struct block_device device = device_of("none [mq-deadline]\n");
	struct fault fault = { "" };

	(void)state;
	put_modprobe("exit 1");
	assert_int_equal(elevator_provide(&device, "none", &fault), 0);
	assert_int_equal(elevator_provide(&device, "mq-deadline", &fault), 0);
	assert_int_equal(access(tree_path("/proc/called"), F_OK), -1);
	assert_string_equal(fault.text, "");
	device = device_of("none");
	assert_int_equal(elevator_provide(&device, "none", &fault), -ENOENT);
	assert_non_null(strstr(fault.text, "sda"));
}

static void test_provide_loaded(void **state)
{
	struct block_device device = device_of("none [mq-deadline]\n");
	struct fault fault = { "" };
	char body[2048], called[256];

	(void)state;
	snprintf(body, sizeof(body), "echo 'none [mq-deadline] bfq' > '%s'",
		 tree_path("/sys/devices/" SDA "/queue/scheduler"));
	put_modprobe(body);
	assert_case(!elevator_provide(&device, "bfq", &fault), "%s", fault.text);
	text_read("/proc/called", called, sizeof(called));
	assert_string_equal(called, "2 -- bfq-iosched");
}

static void expect_not_provided(const char *name, const char *words)
{
	struct block_device device = device_of("none [mq-deadline]\n");
	struct fault fault = { "" };

	assert_int_equal(elevator_provide(&device, name, &fault), -ENOENT);
	assert_case(strstr(fault.text, words), "%s", fault.text);
	assert_case(strstr(fault.text, "none, mq-deadline"), "%s", fault.text);
	assert_case(!strchr(fault.text, '\n'), "%s", fault.text);
}

static void test_provide_fails(void **state)
{
	(void)state;
	expect_not_provided("bfq", "loads no modules");
	/* More words than a pipe holds. */
	put_modprobe("i=0; while [ $i -lt 20000 ]; do\n"
		     "echo FATAL: no such module; i=$((i + 1)); done >&2\nexit 3");
	expect_not_provided("bfq", geteuid() ? "needs root" : "status 3: FATAL: no such module");
	put_modprobe("kill -9 $$");
	expect_not_provided("bfq", geteuid() ? "needs root" : "signal 9");
	put_modprobe("exit 0");
	expect_not_provided("bfq", "although its module");
	tree_put("/proc/sys/kernel/modprobe", "/no/such/modprobe\n");
	expect_not_provided("bfq", "/no/such/modprobe: No such file");
}

/* A modprobe that tells what it was asked, and what of its own would have loaded it. */
static void test_look(void **state)
{
	struct block_device device = device_of("none [mq-deadline]\n");
	struct fault fault = { "" };
	char called[256];

	(void)state;
	put_modprobe("exit 0");
	assert_int_equal(elevator_look(&device, "none", &fault), 0);
	assert_int_equal(access(tree_path("/proc/called"), F_OK), -1);
	assert_int_equal(elevator_look(&device, "bfq", &fault), 0);
	text_read("/proc/called", called, sizeof(called));
	assert_string_equal(called, "3 --dry-run -- bfq-iosched");
	put_modprobe("echo FATAL: no such module >&2; exit 1");
	assert_int_equal(elevator_look(&device, "bfq", &fault), -ENOENT);
	assert_case(strstr(fault.text, "status 1: FATAL: no such module"), "%s", fault.text);
	assert_case(strstr(fault.text, "none, mq-deadline"), "%s", fault.text);
	/* One that may not know the option is not started. */
	unlink(tree_path("/proc/called"));
	assert_int_equal(rename(tree_path("/dev/modprobe"), tree_path("/dev/loader")), 0);
	assert_int_equal(symlink("loader", tree_path("/dev/modprobe")), 0);
	assert_int_equal(elevator_look(&device, "bfq", &fault), 0);
	assert_int_equal(access(tree_path("/proc/called"), F_OK), -1);
	tree_put("/proc/sys/kernel/modprobe", "/no/such/modprobe\n");
	assert_int_equal(elevator_look(&device, "bfq", &fault), -ENOENT);
}

static void put_debugfs(const char *version, const char *text)
{
	tree_put("/proc/self/mountinfo", "7 1 0:7 / " DEBUG " rw,relatime - debugfs debugfs rw\n");
	tree_put("/proc/sys/kernel/version", version);
	unlink(tree_path(DEBUG "/sched/preempt"));
	if (text)
		tree_put(DEBUG "/sched/preempt", text);
}

static void expect_preemption(int err, const char *words)
{
	struct preemption_control control;
	struct fault fault = { "" };

	assert_case(preemption_open(&control, &fault) == err, "%s: %s", words, fault.text);
	assert_case(strstr(fault.text, words), "%s", fault.text);
	assert_case(strstr(fault.text, "kernel-lab"), "%s", fault.text);
	assert_false(control.mounted);
}

static void test_preemption(void **state)
{
	struct preemption_control control;
	struct setting_choices choices;
	struct fault fault = { "" };

	(void)state;
	put_debugfs("#1 SMP PREEMPT_DYNAMIC", "none voluntary (full)\n");
	assert_case(!preemption_open(&control, &fault), "%s", fault.text);
	assert_false(control.mounted);
	assert_int_equal(setting_read(&control.setting, &choices, &fault), 0);
	assert_string_equal(choices.current, "full");

	put_debugfs("#1 SMP PREEMPT", NULL);
	expect_preemption(-ENOTSUP, "not PREEMPT_DYNAMIC");
	put_debugfs("#1 SMP PREEMPT_DYNAMIC", NULL);
	expect_preemption(-ENOTSUP, "no sched/preempt");
	/* Newer PREEMPT_RT kernels let one choose between full and lazy. */
	tree_put("/sys/kernel/realtime", "1\n");
	put_debugfs("#1 SMP PREEMPT_RT", NULL);
	expect_preemption(-ENOTSUP, "PREEMPT_RT");
	put_debugfs("#1 SMP PREEMPT_RT", "(full) lazy\n");
	assert_int_equal(preemption_open(&control, &fault), 0);
	/* Another machine's debugfs is not mounted here. */
	tree_put("/proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n");
	assert_int_equal(preemption_open(&control, &fault), -ENOENT);
}

static int set_immutable(const char *path, bool on)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), flags, err = -1;

	if (fd < 0)
		return -1;
	if (!ioctl(fd, FS_IOC_GETFLAGS, &flags)) {
		flags = on ? flags | FS_IMMUTABLE_FL : flags & ~FS_IMMUTABLE_FL;
		err = ioctl(fd, FS_IOC_SETFLAGS, &flags);
	}
	close(fd);
	return err;
}

/* A file that even root may not write stands in for one of a locked down kernel. */
static void test_locked_down(void **state)
{
	static const struct {
		const char *lockdown, *words;
	} cases[] = {
		{ NULL, "although root: the kernel is locked down, or" },
		{ "[none] integrity confidentiality\n", "not locked down" },
		{ "none [integrity] confidentiality\n", "locked down (integrity" },
	};
	char file[PATH_MAX];

	(void)state;
	put_debugfs("#1 SMP PREEMPT_DYNAMIC", "none voluntary (full)\n");
	snprintf(file, sizeof(file), "%s", tree_path(DEBUG "/sched/preempt"));
	if (geteuid() || set_immutable(file, true)) {
		print_message("# skipped: needs root and a file system with immutable files\n");
		return;
	}
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct preemption_control control;
		struct fault fault = { "" };
		int err;

		if (cases[i].lockdown)
			tree_put("/sys/kernel/security/lockdown", cases[i].lockdown);
		set_immutable(file, true);
		err = preemption_open(&control, &fault);
		set_immutable(file, false);
		assert_case(err == -EPERM && strstr(fault.text, cases[i].words) &&
			    strstr(fault.text, "preempt=MODEL"), "%s", fault.text);
	}
}

static bool debugfs_mounted_for(pid_t process)
{
	char path[64], *text;
	bool found;

	snprintf(path, sizeof(path), "/proc/%d/mounts", (int)process);
	text = text_read_all(path);
	assert_non_null(text);
	found = strstr(text, " debugfs ");
	free(text);
	return found;
}

/* On this machine: it works or says why, and mounts debugfs for this process alone. */
static void test_preemption_here(void **state)
{
	struct preemption_control control;
	struct fault fault = { "" };
	bool before, outside;
	int err;

	(void)state;
	root_set(NULL);
	before = debugfs_mounted_for(getppid());
	err = preemption_open(&control, &fault);
	outside = debugfs_mounted_for(getppid());
	assert_int_equal(outside, before);
	if (err) {
		assert_case(strstr(fault.text, "kernel-lab"), "%s", fault.text);
		return;
	}
	assert_true(debugfs_mounted_for(getpid()));
	assert_int_equal(control.mounted, !before);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, tree_set_up, tree_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_read), CASE(test_missing), CASE(test_read_back), CASE(test_real),
		CASE(test_names), CASE(test_setting_of_device), CASE(test_provide_offered),
		CASE(test_provide_loaded), CASE(test_provide_fails), CASE(test_look),
		CASE(test_preemption),
		CASE(test_locked_down), CASE(test_preemption_here),
	};

	return unit_run(tests);
}
