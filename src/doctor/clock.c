/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What time is read from. */
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/clock.h"
#include "util/root.h"

#define GROUP "Clock"
#define FILE_NAME "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define READINGS 1000
#define COST_MAX_NS 500 /* a reading that takes longer went through the kernel, to a device */

/* Of one reading: the shortest of ten rows, so that what comes between does not count. */
static long long reading_cost_ns(void)
{
	int64_t best = INT64_MAX;

	for (int row = 0; row < 10; row++) {
		int64_t start = clock_now_ns(), cost;

		for (int i = 1; i < READINGS / 10; i++)
			clock_now_ns();
		cost = (clock_now_ns() - start) / (READINGS / 10);
		if (cost < best)
			best = cost;
	}
	return best;
}

static bool is_slow(const char *name)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies",
					    "pit" };

	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (!strcmp(name, slow[i]))
			return true;
	return false;
}

static void cure_clock(const struct doctor_params *params, struct finding *finding)
{
	const char *others = fact_text(params->environment, "clocksource_available");

	if (others && strstr(others, "tsc"))
		finding_cure(finding, "echo tsc > " FILE_NAME);
	else
		finding_cure(finding, "the kernel's log tells why it gave up the CPU's own counter "
			     "(dmesg | grep -i -e tsc -e clocksource); where the counter is known "
			     "to be sound: boot with tsc=reliable");
}

static void examine_clock(const struct doctor_params *params, struct finding *finding)
{
	const char *name = fact_text(params->environment, "clocksource");
	static const char *const fast[] = { "tsc", "kvm-clock", "arch_sys_counter", "timebase",
					    "riscv_clocksource", "hyperv_clocksource_tsc_page" };
	long long cost = root_is_real() ? reading_cost_ns() : 0;

	if (!name) {
		finding_set(finding, DOCTOR_UNKNOWN, FILE_NAME " cannot be read");
		return;
	}
	if (is_slow(name) || cost > COST_MAX_NS) {
		finding_spoils(finding, "%.40s (" FILE_NAME ")", name);
		if (cost)
			finding_spoils(finding, "%.40s, a reading takes %lld ns (" FILE_NAME ")",
				       name, cost);
		cure_clock(params, finding);
		return;
	}
	if (cost) {
		finding_set(finding, DOCTOR_GOOD, "%.40s, a reading takes %lld ns", name, cost);
		return;
	}
	finding_set(finding, DOCTOR_UNKNOWN, "%.40s: what it costs is not known", name);
	for (size_t i = 0; i < sizeof(fast) / sizeof(fast[0]); i++)
		if (!strcmp(name, fast[i]))
			finding_set(finding, DOCTOR_GOOD, "%.40s", name);
}

const struct check check_clock = {
	.id = "clocksource",
	.group = GROUP,
	.title = "clock source",
	.why = "audio programs and the measurement read the clock many times in each cycle",
	.examine = examine_clock,
};

static void examine_namespace(const struct doctor_params *params, struct finding *finding)
{
	int64_t ns;

	if (!fact_int(params->environment, "time_namespace_offset_ns", &ns)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/self/timens_offsets cannot be read "
			    "(kernels before 5.6 have none), or is not of this process's own time "
			    "namespace");
	} else if (!ns) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/timens_offsets: no offset");
	} else {
		finding_spoils(finding, "/proc/self/timens_offsets: CLOCK_MONOTONIC is shifted by "
			       "%lld ms",
			       (long long)(ns / 1000000));
		finding_cure(finding, "run outside of the time namespace: nsenter "
			     "--time=/proc/1/ns/time latencytest ...");
	}
}

const struct check check_time_namespace = {
	.id = "time_namespace",
	.group = GROUP,
	.title = "time namespace",
	.why = "the kernel's time stamps of sound interrupts are not shifted with the clock",
	.examine = examine_namespace,
};
