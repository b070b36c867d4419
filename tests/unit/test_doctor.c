/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks on made-up machines. What can be found out by trying only (a policy, locked memory,
 * whether a device opens, the spin test) is unknown there; tests/e2e/doctor.test tries it.
 */
#include "visit.h"

static const char *const by_trying[] = { "fifo", "memlock", "mlockall", "sound_access" };

static bool is_by_trying(const char *id)
{
	for (size_t i = 0; i < COUNT(by_trying); i++)
		if (!strcmp(id, by_trying[i]))
			return true;
	return false;
}

/* ---- whole machines ---- */

static void a_studio_machine_is_good(void **state)
{
	json_t *findings, *finding;
	size_t i;

	(void)state;
	machine_studio();
	findings = examine(usual());
	json_array_foreach(findings, i, finding)
		assert_case(!strcmp(text_of(finding, "status"),
				    is_by_trying(text_of(finding, "id")) ? "unknown" : "good"),
			    "%s is %s: %s", text_of(finding, "id"), text_of(finding, "status"),
			    text_of(finding, "evidence"));
	assert_int_equal(doctor_count(findings, "unknown"), COUNT(by_trying));
	assert_int_equal(doctor_count(findings, "good") + COUNT(by_trying),
			 json_array_size(findings));
	json_decref(findings);
}

static void of_an_empty_machine_nothing_is_known(void **state)
{
	struct visit visit = { .params = { .load = 0.8, .priority = 80, .cpu = -1, .card = -1 } };
	json_t *findings = examine(visit), *finding;
	size_t i;

	(void)state;
	json_array_foreach(findings, i, finding)
		assert_case(!strcmp(text_of(finding, "status"), "unknown"), "%s is %s: %s",
			    text_of(finding, "id"), text_of(finding, "status"),
			    text_of(finding, "evidence"));
	json_decref(findings);
}

/* Each file but those that may hold any words; nothing is good or bad by what makes no sense. */
static void expect_damaged(const char *text)
{
	struct visit visit = { .params = { .load = 0.8, .priority = 80, .cpu = -1, .card = -1 } };
	json_t *findings, *finding;
	size_t i;

	machine_studio();
	for (i = 0; i < COUNT(studio); i++)
		tree_put(studio[i].path, text);
	tree_remove("/dev/cpu_dma_latency");
	tree_remove("/proc/cmdline");
	findings = examine(visit);
	json_array_foreach(findings, i, finding)
		assert_case(!strcmp(text_of(finding, "status"), "unknown") ||
				    !strcmp(text_of(finding, "id"), "rtc") ||
				    /* An empty list is one. */
				    (!*text && !strcmp(text_of(finding, "id"), "isolated_cpus")),
			    "%s is %s: %s (of \"%s\")", text_of(finding, "id"),
			    text_of(finding, "status"), text_of(finding, "evidence"), text);
	json_decref(findings);
}

static void damaged_files_tell_nothing(void **state)
{
	static char long_text[6000];

	(void)state;
	expect_damaged("\xff\xfe garbage\n\n:::\n(((");
	memset(long_text, '9', sizeof(long_text) - 1);
	expect_damaged(long_text);
	expect_damaged("99999999999999999999");
	expect_damaged("-5");
	expect_damaged("");
}

static void what_is_not_good_counts_and_nothing_is_left_out(void **state)
{
	json_t *findings;
	size_t n = 0;

	(void)state;
	machine_studio();
	tree_put(CPUS "smt/active", "1");
	findings = examine(usual());
	assert_int_equal(doctor_count(findings, "not good"), 1);
	while (checks[n])
		n++;
	assert_int_equal(json_array_size(findings), n);
	json_decref(findings);
	assert_string_equal(check_find("smt")->title, "SMT");
	assert_null(check_find("no such check"));
}

/* ---- rights ---- */

static void limits_of_the_user(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "200000"));
	expect(usual(), "rlimit_rtprio", "not good", false, "0, 80 wanted",
	       "/etc/security/limits.d/audio.conf: \"@audio - rtprio 95\"");
	expect(usual(), "rlimit_rttime", "good", false, "200000 us", "");
	tree_put("/proc/self/limits", LIMITS("79", "8388608", "99999"));
	expect(usual(), "rlimit_rtprio", "not good", false, "79, 80 wanted", "rtprio 95");
	expect(usual(), "rlimit_rttime", "not good", false, "99999 us", "LimitRTTIME=infinity");
	tree_put("/proc/self/limits", LIMITS("80", "8388608", "x"));
	expect(usual(), "rlimit_rtprio", "good", false, "80", "");
	expect(usual(), "rlimit_rttime", "unknown", false, "", "");
	/* CAP_SYS_NICE goes before the limit, but not inside a user namespace. */
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "unlimited"));
	tree_put("/proc/thread-self/status", STATUS("1000", "29", "0000000000800000"));
	expect(usual(), "rlimit_rtprio", "good", false, "CAP_SYS_NICE is held", "");
	tree_put("/proc/self/uid_map", "0 1000 1");
	expect(usual(), "rlimit_rtprio", "not good", false, "not held", "rtprio");
}

static void groups_of_the_user(void **state)
{
	(void)state;
	machine_studio();
	expect(usual(), "audio_group", "good", false, "ann is in group audio", "");
	/* Another way to the right is as good: a limit given by systemd, say. */
	tree_put("/proc/thread-self/status", STATUS("1000", "24", "0"));
	expect(usual(), "audio_group", "good", false, "ann has the right otherwise", "");
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "unlimited"));
	expect(usual(), "audio_group", "not good", false, "not this session", "log out and in "
	       "again");
	tree_put("/etc/group", "audio:x:29:annabel,joann");
	expect(usual(), "audio_group", "not good", false, "neither", "usermod -aG audio ann");
	tree_put("/etc/group", "users:x:100:");
	expect(usual(), "audio_group", "not good", false, "neither", "groupadd -r audio; usermod");
	tree_put("/etc/group", "realtime:x:24:");
	expect(usual(), "audio_group", "good", false, "realtime", "");
	tree_put("/etc/group", "users:x:100:");
	tree_put("/proc/thread-self/status", STATUS("0", "0", "0"));
	expect(usual(), "audio_group", "good", false, "this is root", "");
}

static void lines_of_limits_d(void **state)
{
	static const char file[] = "/etc/security/limits.d/audio.conf";

	(void)state;
	machine_studio();
	expect(usual(), "limits_files", "good", false, "\"@audio - rtprio 95\" applies", "");
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "unlimited"));
	expect(usual(), "limits_files", "not good", false, "not in force", "log out and in again");
	tree_remove("/proc/self/limits");
	expect(usual(), "limits_files", "unknown", false, "RLIMIT_RTPRIO is not told", "");
	tree_put(file, "");
	tree_put("/proc/self/limits", LIMITS("90", "8388608", "unlimited"));
	expect(usual(), "limits_files", "good", false, "not needed: RLIMIT_RTPRIO is high", "");
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "unlimited"));
	tree_put(file, "@jackuser - rtprio 95");
	expect(usual(), "limits_files", "not good", false, "ann is not in that group",
	       "usermod -aG jackuser ann");
	/* Too low, hard only, commented out, another item, cut off: no lines for this. */
	tree_put(file, "ann - rtprio 79\nann hard rtprio 95\n#ann - rtprio 95\nann - nice 95\nann "
		 "- rtprio");
	expect(usual(), "limits_files", "not good", false, "have no line", "@audio - rtprio 95");
	tree_put(file, "ann soft rtprio 80");
	tree_put("/proc/self/limits", LIMITS("80", "8388608", "unlimited"));
	expect(usual(), "limits_files", "good", false, "\"ann soft rtprio 80\"", "");
	tree_put(file, "* - rtprio unlimited");
	expect(usual(), "limits_files", "good", false, "\"* - rtprio unlimited\"", "");
	tree_put(file, "");
	tree_put("/proc/thread-self/status", STATUS("1000", "29", "0000000000800000"));
	expect(usual(), "limits_files", "good", false, "not needed: CAP_SYS_NICE", "");
}

static void rtkit_where_it_is_needed(void **state)
{
	(void)state;
	machine_studio();
	expect(usual(), "rtkit", "good", false, "process 812", "");
	tree_put("/proc/812/comm", "cron");
	expect(usual(), "rtkit", "good", false, "not needed", "");
	tree_put("/proc/self/limits", LIMITS("0", "8388608", "unlimited"));
	expect(usual(), "rtkit", "not good", false, "no process rtkit-daemon", "apt-get install "
	       "rtkit");
	tree_remove("/proc/self/limits");
	expect(usual(), "rtkit", "unknown", false, "not told", "");
}

/* ---- throttling ---- */

static void throttling_against_the_load(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	/* 6.12 without CONFIG_RT_GROUP_SCHED: the fair server has taken its place. */
	visit.params.load = 0.95;
	expect(visit, "rt_throttling", "good", false, "do not throttle by it", "");
	visit = usual();
	visit.params.load = 0.95;
	expect(visit, "fair_server", "not good", true, "50 of 1e+03 ms",
	       "fair_server/cpuN/runtime");
	tree_put("/proc/config.gz", "CONFIG_RT_GROUP_SCHED=y");
	visit = usual();
	visit.params.load = 0.95;
	expect(visit, "rt_throttling", "not good", true, "950000 of 1000000 us, 0.95 of the CPU",
	       "sysctl -w kernel.sched_rt_runtime_us=-1");
	/* Who does not ask for real time is not throttled. */
	visit = usual();
	visit.params.load = 0.95;
	visit.params.realtime = false;
	expect(visit, "rt_throttling", "not good", false, "950000 of 1000000 us", "=-1");
	visit = usual();
	visit.params.load = 0.949;
	expect(visit, "rt_throttling", "good", false, "stays below", "");
	tree_put("/proc/sys/kernel/osrelease", "6.11.9");
	tree_put("/proc/config.gz", "CONFIG_HZ=250");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "700000");
	expect(usual(), "rt_throttling", "not good", true, "300 ms are lost", "=-1");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "0");
	expect(usual(), "rt_throttling", "not good", true, "no real-time task may run", "=-1");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	expect(usual(), "rt_throttling", "good", false, "no throttling", "");
	/* What the kernel would never write. */
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "1000001");
	expect(usual(), "rt_throttling", "unknown", false, "make no sense", "");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "950000");
	tree_put("/proc/sys/kernel/sched_rt_period_us", "0");
	expect(usual(), "rt_throttling", "unknown", false, "make no sense", "");
}

static void the_fair_server(void **state)
{
	static const char runtime[] = "/sys/kernel/debug/sched/fair_server/cpu0/runtime";

	(void)state;
	machine_studio();
	tree_put(runtime, "300000000");
	expect(usual(), "fair_server", "not good", true, "300 of 1e+03 ms", "echo 0 >");
	tree_put(runtime, "0");
	expect(usual(), "fair_server", "good", false, "0 of", "");
	tree_put(runtime, "2000000000");
	expect(usual(), "fair_server", "unknown", false, "makes no sense", "");
	tree_remove(runtime);
	expect(usual(), "fair_server", "unknown", false, "cannot be read", "mount -t debugfs");
	tree_put("/proc/sys/kernel/osrelease", "6.1.0-57-amd64");
	expect(usual(), "fair_server", "good", false, "only kernels from 6.12", "");
}

/* The container of the old kind. */
static void a_group_without_budget(void **state)
{
	static const char runtime[] = "/sys/fs/cgroup/cpu/docker/abc/cpu.rt_runtime_us";

	(void)state;
	machine_studio();
	tree_put("/proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n0::/");
	tree_put("/proc/self/mountinfo",
		 "31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct");
	tree_put("/sys/fs/cgroup/cpu/docker/abc/cpu.rt_period_us", "1000000");
	tree_put(runtime, "0");
	expect(usual(), "cgroup_rt", "not good", true,
	       "/sys/fs/cgroup/cpu/docker/abc/cpu.rt_runtime_us: 0",
	       "echo 950000 > /sys/fs/cgroup/cpu/docker/abc/cpu.rt_runtime_us");
	tree_put(runtime, "500000");
	expect(usual(), "cgroup_rt", "not good", true, "500000 of 1000000 us, 0.5 of the CPU",
	       "echo 950000 >");
	tree_put(runtime, "900000");
	expect(usual(), "cgroup_rt", "good", false, "900000 of 1000000", "");
	tree_put(runtime, "garbage");
	expect(usual(), "cgroup_rt", "unknown", false, "", "");
	tree_put(runtime, "0");
	tree_put("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	expect(usual(), "cgroup_rt", "good", false, "without effect", "");
	tree_remove(runtime);
	expect(usual(), "cgroup_rt", "good", false, "no real-time budget is kept", "");
}

static void a_unified_group_with_the_cpu_controller(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/sys/fs/cgroup/user.slice/cpu.weight", "100");
	expect(usual(), "cgroup_rt", "good", false, "no CONFIG_RT_GROUP_SCHED", "");
	tree_put("/proc/config.gz", "CONFIG_RT_GROUP_SCHED=y");
	expect(usual(), "cgroup_rt", "not good", true, "the group has no real-time budget",
	       "rt_group_sched=0");
	/* Built in, but off: as if it were not there. Before 6.16 that could not be asked for. */
	tree_put("/proc/cmdline", "quiet rt_group_sched=0");
	expect(usual(), "cgroup_rt", "not good", true, "the group has no real-time budget", "");
	tree_put("/proc/sys/kernel/osrelease", "6.16.1");
	tree_put("/proc/cmdline", "quiet rt_group_sched=0");
	expect(usual(), "cgroup_rt", "good", false, "no CONFIG_RT_GROUP_SCHED", "");
	expect(usual(), "rt_throttling", "good", false, "do not throttle by it", "");
	tree_put("/proc/cmdline", "quiet");
	tree_put("/proc/config.gz",
		 "CONFIG_RT_GROUP_SCHED=y\nCONFIG_RT_GROUP_SCHED_DEFAULT_DISABLED=y");
	expect(usual(), "cgroup_rt", "good", false, "no CONFIG_RT_GROUP_SCHED", "");
	tree_put("/proc/cmdline", "quiet rt_group_sched=1");
	expect(usual(), "cgroup_rt", "not good", true, "the group has no real-time budget", "");
	tree_remove("/proc/config.gz");
	expect(usual(), "cgroup_rt", "unknown", false, "not told", "");
}

/* A group without the controller is scheduled with the nearest one above that has it. */
static void a_unified_group_below_one_with_the_cpu_controller(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/proc/config.gz", "CONFIG_RT_GROUP_SCHED=y");
	tree_put("/proc/self/cgroup", "0::/user.slice/user-1000.slice/session-3.scope");
	tree_put("/sys/fs/cgroup/user.slice/user-1000.slice/session-3.scope/cgroup.procs", "1");
	expect(usual(), "cgroup_rt", "good", false, "no real-time budget is kept", "");
	tree_put("/sys/fs/cgroup/user.slice/cpu.weight", "100");
	expect(usual(), "cgroup_rt", "not good", true, "the group has no real-time budget",
	       "rt_group_sched=0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(a_studio_machine_is_good),
		ON(of_an_empty_machine_nothing_is_known),
		ON(damaged_files_tell_nothing),
		ON(what_is_not_good_counts_and_nothing_is_left_out),
		ON(limits_of_the_user),
		ON(groups_of_the_user),
		ON(lines_of_limits_d),
		ON(rtkit_where_it_is_needed),
		ON(throttling_against_the_load),
		ON(the_fair_server),
		ON(a_group_without_budget),
		ON(a_unified_group_with_the_cpu_controller),
		ON(a_unified_group_below_one_with_the_cpu_controller),
	};

	return unit_run(tests);
}
