/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of kernel, CPUs, clock, sound, storage and what lies below, on made-up machines. */
#include "visit.h"

/* A laptop as it comes: each thing that one would change. */
static void a_laptop_as_it_comes(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	tree_put("/proc/sys/kernel/osrelease", "6.1.0-57-amd64");
	tree_put("/proc/sys/kernel/version", "#1 SMP Debian 6.1.0-57");
	tree_put("/proc/config.gz",
		 "CONFIG_HZ=100\nCONFIG_HIGH_RES_TIMERS=y\nCONFIG_PREEMPT_VOLUNTARY=y");
	tree_remove("/sys/kernel/realtime");
	tree_put("/proc/cmdline", "quiet");
	for (int cpu = 0; cpu < 4; cpu++) {
		char path[96];

		snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/scaling_governor", cpu);
		tree_put(path, cpu < 3 ? "powersave" : "schedutil");
	}
	tree_put("/proc/sys/vm/swappiness", "60");
	tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
	tree_put(CPUS "smt/active", "1");
	tree_put(CPUS "cpu0/cpuidle/state1/latency", "133");
	expect(visit, "preemption", "not good", false, "voluntary (/proc/config.gz)",
	       "CONFIG_PREEMPT");
	expect(usual(), "threadirqs", "not good", false, "no threadirqs", "boot with threadirqs");
	expect(usual(), "tick", "not good", false, "CONFIG_HZ 100", "CONFIG_HZ=1000");
	expect(usual(), "governor", "not good", true, "powersave on CPUs 0-2, schedutil on CPU 3",
	       "cpupower frequency-set -g performance");
	expect(usual(), "swap", "not good", false, "swappiness 60", "vm.swappiness = 10\"");
	expect(usual(), "huge_pages", "not good", false, "enabled: always",
	       "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
	expect(usual(), "smt", "not good", false, "smt/active: 1", "nosmt");
	expect(usual(), "idle_states", "not good", false, "C1E takes 133 us", "--dma-latency 0");
}

/* ---- kernel ---- */

static void preemption_by_its_evidence(void **state)
{
	(void)state;
	machine_studio();
	expect(usual(), "preemption", "good", false, "rt (kernel version)", "");
	tree_remove("/sys/kernel/realtime");
	tree_put("/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC Debian");
	tree_put("/proc/config.gz", "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y");
	/* The build's default is not what is in force. */
	expect(usual(), "preemption", "unknown", false, "its configuration voluntary",
	       "preempt=full");
	tree_put("/proc/cmdline", "preempt=full");
	expect(usual(), "preemption", "good", false, "full (kernel command line)", "");
	tree_put("/sys/kernel/debug/sched/preempt", "(none) voluntary full lazy");
	expect(usual(), "preemption", "not good", false, "none (/sys/kernel/debug/sched/preempt)",
	       "echo full > /sys/kernel/debug/sched/preempt");
	tree_put("/sys/kernel/debug/sched/preempt", "none voluntary full (lazy)");
	expect(usual(), "preemption", "good", false, "lazy", "");
	tree_put("/sys/kernel/debug/sched/preempt", "none (whatever)");
	expect(usual(), "preemption", "unknown", false, "whatever", "");
}

static void timers_need_high_resolution(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/proc/cmdline", "quiet highres=off");
	expect(usual(), "high_res_timers", "not good", true, "highres=off", "boot without "
	       "highres=off");
	tree_put("/proc/cmdline", "quiet");
	tree_put("/proc/config.gz", "CONFIG_HZ=1000");
	expect(usual(), "high_res_timers", "not good", true, "is not set",
	       "CONFIG_HIGH_RES_TIMERS=y");
	tree_remove("/proc/config.gz");
	expect(usual(), "high_res_timers", "unknown", false, "/proc/config.gz", "");
}

/* ---- CPU ---- */

static void governors_of_the_cpus_that_count(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	tree_put(CPUS "cpu1/cpufreq/scaling_governor", "powersave");
	expect(usual(), "governor", "not good", true, "powersave on CPU 1 (", "scaling_governor");
	tree_put(CPUS "cpu3/cpufreq/scaling_governor", "powersave");
	expect(usual(), "governor", "not good", true, "powersave on CPU 1, powersave on CPU 3 (",
	       "");
	tree_put(CPUS "cpu3/cpufreq/scaling_governor", "performance");
	visit.params.cpu = 2;
	expect(visit, "governor", "good", false, "performance on all of 1 CPU(s)", "");
	tree_put(CPUS "cpu1/cpufreq/scaling_governor", "a-new-one");
	expect(usual(), "governor", "unknown", false, "of 1 CPU(s)", "");
	tree_put(CPUS "online", "0-3,8");
	expect(usual(), "governor", "unknown", false, "of 2 CPU(s)", "");
}

static void boost_is_told_either_way(void **state)
{
	(void)state;
	machine_studio();
	tree_put(CPUS "cpufreq/boost", "1");
	expect(usual(), "boost", "good", false, "on:", "");
	tree_put(CPUS "intel_pstate/no_turbo", "1");
	expect(usual(), "boost", "good", false, "off:", "");
	tree_put(CPUS "intel_pstate/no_turbo", "2");
	expect(usual(), "boost", "unknown", false, "", "");
}

static void idle_states_and_who_prevents_them(void **state)
{
	const int32_t held = 5, loose = 200;
	struct visit visit = usual();

	(void)state;
	machine_studio();
	tree_put(CPUS "cpu0/cpuidle/state2/name", "C6");
	tree_put(CPUS "cpu0/cpuidle/state2/latency", "133");
	tree_put(CPUS "cpu0/cpuidle/state2/disable", "0");
	expect(usual(), "idle_states", "not good", false, "held by nobody else", "cpupower "
	       "idle-set -D 50");
	tree_put_bytes("/dev/cpu_dma_latency", &held, sizeof(held));
	tree_put("/proc/813/comm", "jackd");
	tree_link("/proc/813/fd/3", "/dev/null");
	tree_link("/proc/813/fd/7", "/dev/cpu_dma_latency");
	expect(usual(), "idle_states", "good", false, "at 5 us, held by jackd (process 813)", "");
	tree_put_bytes("/dev/cpu_dma_latency", &loose, sizeof(loose));
	expect(usual(), "idle_states", "not good", false, "at 200 us, held by jackd",
	       "--dma-latency 0");
	tree_put(CPUS "cpu0/cpuidle/state2/disable", "1");
	expect(usual(), "idle_states", "good", false, "C1E, is left within 10 us", "");
	/* Off on one CPU is not off on all. */
	tree_put(CPUS "cpu3/cpuidle/state0/name", "C10");
	tree_put(CPUS "cpu3/cpuidle/state0/latency", "310");
	tree_put(CPUS "cpu3/cpuidle/state0/disable", "0");
	expect(usual(), "idle_states", "not good", false, "C10 takes 310 us", "cpupower");
	visit.params.cpu = 0;
	expect(visit, "idle_states", "good", false, "C1E, is left within 10 us", "");
	tree_put(CPUS "cpu3/cpuidle/state0/disable", "1");
	tree_put(CPUS "cpu0/cpuidle/state2/disable", "x");
	expect(usual(), "idle_states", "unknown", false, "not all", "");
}

static void isolated_cpus_are_for_those_pinned(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	tree_put(CPUS "isolated", "2-3");
	expect(usual(), "isolated_cpus", "not good", false, "pinned to none", "--cpu 2");
	visit.params.cpu = 1;
	expect(visit, "isolated_cpus", "not good", false, "pinned elsewhere", "--cpu 2");
	visit = usual();
	visit.params.cpu = 3;
	expect(visit, "isolated_cpus", "good", false, "CPU 3 among them", "");
}

static void mitigations_are_named(void **state)
{
	(void)state;
	machine_studio();
	tree_put(CPUS "vulnerabilities/meltdown", "Mitigation: PTI");
	expect(usual(), "mitigations", "good", false, "cost microseconds: mds, meltdown", "");
	tree_put(CPUS "vulnerabilities/mds", "Vulnerable");
	tree_put(CPUS "vulnerabilities/meltdown", "Not affected");
	expect(usual(), "mitigations", "good", false, "none that costs much", "");
	/* Until 5.16, on a processor without new microcode. */
	tree_put(CPUS "vulnerabilities/spectre_v2",
		 "Mitigation: Full generic retpoline, STIBP: disabled, RSB filling");
	expect(usual(), "mitigations", "good", false, "cost microseconds: spectre_v2", "");
}

/* ---- clock ---- */

static void slow_clocks_spoil(void **state)
{
	static const char file[] = "/sys/devices/system/clocksource/clocksource0/"
				   "current_clocksource";

	(void)state;
	machine_studio();
	tree_put(file, "hpet");
	expect(usual(), "clocksource", "not good", true, "hpet", "echo tsc > ");
	tree_put("/sys/devices/system/clocksource/clocksource0/available_clocksource", "hpet "
		 "acpi_pm");
	expect(usual(), "clocksource", "not good", true, "hpet", "tsc=reliable");
	tree_put(file, "one-of-tomorrow");
	expect(usual(), "clocksource", "unknown", false, "not known", "");
}

static void a_shifted_clock(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/proc/self/timens_offsets", "monotonic  86400  500000000\nboottime  0  0");
	expect(usual(), "time_namespace", "not good", true, "86400500 ms", "nsenter --time");
	/* The file tells of the namespace that children will have. */
	tree_link("/proc/self/ns/time", "time:[4026531834]");
	tree_link("/proc/self/ns/time_for_children", "time:[4026531834]");
	expect(usual(), "time_namespace", "not good", true, "86400500 ms", "");
	tree_remove("/proc/self/ns/time_for_children");
	tree_link("/proc/self/ns/time_for_children", "time:[4026532177]");
	expect(usual(), "time_namespace", "unknown", false, "not of this process's own", "");
}

static void the_rtc(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	json_object_set_new(visit.rtc, "max_user_freq_hz", json_integer(64));
	expect(visit, "rtc", "not good", false, "64 interrupts a second", "echo 2048 > ");
	tree_put("/proc/thread-self/status", STATUS("1000", "29", "0000000001000000"));
	visit = usual();
	json_object_set_new(visit.rtc, "max_user_freq_hz", json_integer(64));
	expect(visit, "rtc", "good", false, "CAP_SYS_RESOURCE is held", "");
	visit = usual();
	json_decref(visit.rtc);
	visit.rtc = NULL;
	expect(visit, "rtc", "good", false, "takes the timer, which gives the same rate", "");
	/* ... which is no better than the timers of the kernel. */
	tree_put("/proc/cmdline", "quiet highres=off");
	visit = usual();
	json_decref(visit.rtc);
	visit.rtc = NULL;
	expect(visit, "rtc", "not good", false, "no /dev/rtc", "modprobe rtc_cmos");
	tree_remove("/proc/cmdline");
	visit = usual();
	json_decref(visit.rtc);
	visit.rtc = NULL;
	expect(visit, "rtc", "unknown", false, "no /dev/rtc", "");
}

/* ---- sound ---- */

static void the_interrupt_of_the_card(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	expect(usual(), "sound_irq", "good", false, "129 (PCI-MSI 514048-edge snd_hda_intel)", "");
	tree_put("/sys/class/sound/card0/device/irq", "16");
	tree_put("/proc/interrupts",
		 "            CPU0\n  16:  5  IO-APIC   16-fasteoi   ehci_hcd:usb1, snd_ice1712\n");
	expect(usual(), "sound_irq", "not good", false, "ehci_hcd:usb1, snd_ice1712", "unbind");
	tree_put("/sys/class/sound/card0/device/irq", "17");
	expect(usual(), "sound_irq", "unknown", false, "not in /proc/interrupts", "");
	visit.params.card = 1;
	expect(visit, "sound_irq", "unknown", false, "no such card", "");
	/* A USB card's is that of the controller, which may have several. */
	tree_put("/sys/devices/pci0/0000:00:14.0/msi_irqs/16", "msi");
	tree_put("/sys/devices/pci0/0000:00:14.0/usb1/1-2/bInterfaceClass", "01");
	tree_link("/sys/class/sound/card1/device", "../../../devices/pci0/0000:00:14.0/usb1/1-2");
	visit = usual();
	visit.params.card = 1;
	expect(visit, "sound_irq", "not good", false, "card 1, 0000:00:14.0: shares interrupt 16",
	       "");
}

#define STAT(priority)                                                                             \
	"900 (irq/129-snd_hda) S 2 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 -51 0 1 0 500 0 0 0 0 0 0 " \
	"0 0 0 0 0 0 0 0 0 17 1 " priority " 1 0 0 0"

static void the_thread_of_its_interrupt(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	expect(usual(), "sound_irq_thread", "good", false,
	       "thread 900 at priority 90, above the 80", "");
	tree_put("/proc/900/task/900/stat", STAT("50"));
	expect(usual(), "sound_irq_thread", "not good", false, "priority 50, not above the 80",
	       "chrt -f -p 85 900");
	visit.params.priority = 98;
	expect(visit, "sound_irq_thread", "not good", false, "not above the 98", "chrt -f -p 95 "
	       "900");
	tree_remove("/proc/900/task/900/stat");
	expect(usual(), "sound_irq_thread", "unknown", false, "no thread irq/N", "");
	tree_remove("/sys/kernel/realtime");
	tree_put("/proc/sys/kernel/version", "#1 SMP PREEMPT");
	tree_put("/proc/cmdline", "quiet");
	expect(usual(), "sound_irq_thread", "good", false, "before all threads", "");
}

/* ---- storage ---- */

static void storage(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	json_object_set_new(visit.directory, "rotational", json_true());
	expect(visit, "elevator", "not good", false, "sda: none", "echo mq-deadline > "
	       "/sys/block/sda/");
	visit = usual();
	json_object_set_new(visit.directory, "elevator", json_string("unknown"));
	expect(visit, "elevator", "unknown", false, "/home/ann", "");
	visit = usual();
	json_object_set_new(visit.directory, "is_tmpfs", json_true());
	expect(visit, "file_system", "not good", true, "would work in memory", "--dir");
	visit = usual();
	visit.params.disk = false;
	json_object_set_new(visit.directory, "file_system", json_string("nfs4"));
	expect(visit, "file_system", "not good", false, "not on a disk of this machine", "--dir");
	visit = usual();
	json_object_set_new(visit.directory, "file_system", json_string("fuse.sshfs"));
	expect(visit, "file_system", "not good", true, "not on a disk of this machine", "--dir");
	/* A file system in a program, but on a disk: ntfs-3g. */
	visit = usual();
	json_object_set_new(visit.directory, "file_system", json_string("fuseblk"));
	expect(visit, "file_system", "good", false, "fuseblk on", "");
}

/* ---- below ---- */

static void a_guest_and_its_stolen_time(void **state)
{
	(void)state;
	machine_studio();
	tree_put("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu "
		 "hypervisor");
	expect(usual(), "hypervisor", "unknown", false, "whether the host stops its CPUs",
	       "vcpupin");
	expect(usual(), "smi", "unknown", false, "a guest is not told", "");
	/* 0 may mean that the host does not say. */
	expect(usual(), "steal", "unknown", false, "not all hypervisors tell", "");
	tree_put("/proc/stat", "cpu  1000 0 500 98349 10 0 40 101 7 0");
	expect(usual(), "steal", "not good", true, "took 0.101 %", "");
	tree_put("/proc/stat", "cpu  1000 0 500 98351 10 0 40 99 7 0");
	expect(usual(), "steal", "good", false, "0.099 %", "");
	tree_put("/proc/stat", "cpu  1000 0 500 98351 10 0 40");
	expect(usual(), "steal", "unknown", false, "/proc/stat", "");
}

static void smis_by_the_counter_of_intel(void **state)
{
	struct visit visit = usual();

	(void)state;
	machine_studio();
	visit.spin.smi_after = 9;
	expect(visit, "smi", "not good", true, "/dev/cpu/1/msr (0x34): 2 in 1.2 s", "firmware");
	visit = usual();
	visit.spin.smi_before = -1;
	expect(visit, "smi", "unknown", false, "cannot be read", "modprobe msr");
	visit = usual();
	visit.has_spin = false;
	expect(visit, "smi", "unknown", false, "was not made", "");
	tree_put("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: AuthenticAMD");
	expect(usual(), "smi", "unknown", false, "only CPUs of Intel", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON(a_laptop_as_it_comes),
		ON(preemption_by_its_evidence),
		ON(timers_need_high_resolution),
		ON(governors_of_the_cpus_that_count),
		ON(boost_is_told_either_way),
		ON(idle_states_and_who_prevents_them),
		ON(isolated_cpus_are_for_those_pinned),
		ON(mitigations_are_named),
		ON(slow_clocks_spoil),
		ON(a_shifted_clock),
		ON(the_rtc),
		ON(the_interrupt_of_the_card),
		ON(the_thread_of_its_interrupt),
		ON(storage),
		ON(a_guest_and_its_stolen_time),
		ON(smis_by_the_counter_of_intel),
	};

	return unit_run(tests);
}
