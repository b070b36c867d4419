/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up machines for the tests of the doctor. */
#ifndef LT_TESTS_MACHINES_H
#define LT_TESTS_MACHINES_H

#include "tree.h"

struct machine_file {
	const char *path, *text;
};

#define CPUS "/sys/devices/system/cpu/"
#define LIMITS(rtprio, memlock, rttime)                                                            \
	"Limit                     Soft Limit           Hard Limit           Units     \n"         \
	"Max locked memory         " memlock "            " memlock "            bytes     \n"     \
	"Max realtime priority     " rtprio "                   " rtprio "                   \n"   \
	"Max realtime timeout      " rttime "            unlimited            us        "
#define STATUS(uid, groups, capabilities)                                                          \
	"Name:\tbash\nUid:\t" uid "\t" uid "\t" uid "\t" uid "\nGid:\t1000\t1000\t1000\t1000\n"    \
	"Groups:\t" groups "\nCapEff:\t" capabilities "\nCpus_allowed_list:\t0-3\nSeccomp:\t0"

/* A machine that someone set up for music, of an ordinary user. */
static const struct machine_file studio[] = {
	{ "/proc/sys/kernel/osrelease", "6.12.9-rt-amd64" },
	{ "/proc/sys/kernel/version", "#1 SMP PREEMPT_RT Debian 6.12.9-1" },
	{ "/proc/sys/kernel/hostname", "studio" },
	{ "/proc/cmdline", "BOOT_IMAGE=/vmlinuz quiet threadirqs" },
	{ "/proc/config.gz", "CONFIG_HZ=1000\nCONFIG_HIGH_RES_TIMERS=y\nCONFIG_NO_HZ_IDLE=y\n"
			     "CONFIG_PREEMPT_RT=y" },
	{ "/sys/kernel/realtime", "1" },
	{ "/proc/self/limits", LIMITS("95", "unlimited", "unlimited") },
	{ "/proc/thread-self/status", STATUS("1000", "24 29 1000", "0000000000000000") },
	{ "/proc/self/uid_map", "0 0 4294967295" },
	{ "/etc/passwd",
	  "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann:/home/ann:/bin/bash" },
	{ "/etc/group", "root:x:0:\ncdrom:x:24:ann\naudio:x:29:ann,pulse\nann:x:1000:" },
	{ "/etc/security/limits.conf", "# nothing" },
	{ "/etc/security/limits.d/audio.conf", "@audio - rtprio 95\n@audio - memlock unlimited" },
	{ "/proc/812/comm", "rtkit-daemon" },
	{ "/proc/meminfo", "MemTotal:       32000000 kB\nSwapTotal:       8000000 kB" },
	{ "/proc/sys/vm/swappiness", "10" },
	{ "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never" },
	{ "/proc/sys/kernel/sched_rt_period_us", "1000000" },
	{ "/proc/sys/kernel/sched_rt_runtime_us", "950000" },
	{ "/proc/self/cgroup", "0::/user.slice" },
	{ "/proc/self/mountinfo",
	  "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate" },
	{ "/sys/fs/cgroup/user.slice/cgroup.procs", "813" },
	{ "/sys/kernel/debug/sched/fair_server/cpu0/runtime", "50000000" },
	{ "/sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000" },
	{ CPUS "online", "0-3" },
	{ CPUS "cpu0/cpufreq/scaling_governor", "performance" },
	{ CPUS "cpu1/cpufreq/scaling_governor", "performance" },
	{ CPUS "cpu2/cpufreq/scaling_governor", "performance" },
	{ CPUS "cpu3/cpufreq/scaling_governor", "performance" },
	{ CPUS "cpufreq/boost", "0" },
	{ CPUS "cpuidle/current_driver", "intel_idle" },
	{ CPUS "cpu0/cpuidle/state0/name", "POLL" },
	{ CPUS "cpu0/cpuidle/state0/latency", "0" },
	{ CPUS "cpu0/cpuidle/state0/disable", "0" },
	{ CPUS "cpu0/cpuidle/state1/name", "C1E" },
	{ CPUS "cpu0/cpuidle/state1/latency", "10" },
	{ CPUS "cpu0/cpuidle/state1/disable", "0" },
	{ CPUS "smt/active", "0" },
	{ CPUS "isolated", "" },
	{ CPUS "nohz_full", "" },
	{ CPUS "vulnerabilities/meltdown", "Not affected" },
	{ CPUS "vulnerabilities/mds", "Mitigation: Clear CPU buffers; SMT disabled" },
	{ "/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc" },
	{ "/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet "
										"acpi_pm" },
	{ "/proc/self/timens_offsets", "monotonic           0         0\nboottime            0     "
				       "    0" },
	{ "/sys/class/sound/card0/device/irq", "129" },
	{ "/proc/interrupts",
	  "            CPU0       CPU1       CPU2       CPU3\n"
	  "  16:          5          0          0          0  IO-APIC   16-fasteoi   "
	  "ehci_hcd:usb1\n 129:       9001          0          0          0  PCI-MSI 514048-edge   "
	  "   snd_hda_intel" },
	{ "/proc/900/comm", "irq/129-snd_hda" },
	{ "/proc/900/task/900/stat",
	  "900 (irq/129-snd_hda) S 2 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 -91 0 1 0 500 0 0 "
	  "18446744073709551615 0 0 0 0 0 0 0 2147483647 0 0 0 0 17 1 90 1 0 0 0" },
	{ "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Core\n"
			   "cpu MHz\t\t: 3000.000\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n" },
	{ "/proc/stat", "cpu  1000 0 500 90000 10 0 40 0 0 0\ncpu0 500 0 250 45000 5 0 20 0 0 0" },
	{ "/dev/null", "" },
};

static inline void machine_build(const struct machine_file *files, size_t n)
{
	const int32_t no_request = 2000000000;

	for (size_t i = 0; i < n; i++)
		tree_put(files[i].path, files[i].text);
	tree_put_bytes("/dev/cpu_dma_latency", &no_request, sizeof(no_request));
}

static inline void machine_studio(void)
{
	machine_build(studio, COUNT(studio));
}

#endif
