/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies below the kernel: a hypervisor, firmware. */
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "doctor/spin.h"
#include "system/cpu_time.h"
#include "system/procfile.h"

#define GROUP "Below the kernel"
#define STEAL_MAX 0.001 /* of all time: a millisecond each second */

/* ---- hypervisor ---- */

static bool is_guest(const struct doctor_params *params)
{
	const char *name = fact_text(params->environment, "hypervisor");

	return !name || strcmp(name, "none") != 0;
}

/*
 * Whether the host gives the guest's CPUs ones of its own cannot be seen from here; what it takes
 * is for the steal time and the spin test to tell.
 */
static void examine_hypervisor(const struct doctor_params *params, struct finding *finding)
{
	const char *name = fact_text(params->environment, "hypervisor");

	if (!name) {
		finding_set(finding, DOCTOR_UNKNOWN, "neither /proc/cpuinfo nor /sys/hypervisor "
			    "tell");
	} else if (!strcmp(name, "none")) {
		finding_set(finding, DOCTOR_GOOD, "none (/proc/cpuinfo)");
	} else {
		finding_set(finding, DOCTOR_UNKNOWN, "a guest of %.60s: whether the host stops "
			    "its CPUs is not told (see steal time and spin test)", name);
		finding_cure(finding, "run on the machine itself; or give each CPU of the guest "
			     "one of the host's own: virsh vcpupin DOMAIN VCPU CPU");
	}
}

const struct check check_hypervisor = {
	.id = "hypervisor",
	.group = GROUP,
	.title = "hypervisor",
	.why = "a guest runs when the host lets it, whatever its own priorities are",
	.examine = examine_hypervisor,
};

/* ---- steal ---- */

static void examine_steal(const struct doctor_params *params, struct finding *finding)
{
	struct cpu_time time;
	double share;

	if (cpu_time_read(-1, &time)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/stat cannot be read, or makes no "
			    "sense");
		return;
	}
	if (!time.steal && is_guest(params)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/stat: 0, but not all hypervisors tell "
			    "their guests");
		return;
	}
	share = (double)time.steal / (double)time.all;
	if (share <= STEAL_MAX) {
		finding_set(finding, DOCTOR_GOOD, "/proc/stat: %.3g %% of the time since the start",
			    100 * share);
		return;
	}
	finding_spoils(finding, "/proc/stat: the host took %.3g %% of the time since the start",
		       100 * share);
	finding_cure(finding, "fewer guests on the host, or CPUs of the guest's own: virsh vcpupin "
		     "DOMAIN VCPU CPU");
}

const struct check check_steal = {
	.id = "steal",
	.group = GROUP,
	.title = "steal time",
	.why = "time in which the host ran others instead; deadlines pass meanwhile",
	.examine = examine_steal,
};

/* ---- SMIs ---- */

/* They are counted since the start: what counts is what the spin test saw pass. */
static void examine_smi(const struct doctor_params *params, struct finding *finding)
{
	const struct spin *spin = params->spin;
	char vendor[32];

	if (procfile_read_field("/proc/cpuinfo", "vendor_id", vendor, sizeof(vendor))) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/cpuinfo tells no vendor");
	} else if (strcmp(vendor, "GenuineIntel")) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.30s: only CPUs of Intel count "
			    "them", vendor);
	} else if (is_guest(params)) {
		/* KVM, for one, has a counter for each guest. */
		finding_set(finding, DOCTOR_UNKNOWN, "a guest is not told of the machine's own");
	} else if (!spin || spin->smi_before < 0 || spin->smi_after < 0) {
		finding_set(finding, DOCTOR_UNKNOWN, "%s", spin
			    ? "/dev/cpu/N/msr (0x34) cannot be read" : "the spin test was not "
								       "made");
		if (spin)
			finding_cure(finding, "as root: modprobe msr");
	} else if (spin->smi_after == spin->smi_before) {
		finding_set(finding, DOCTOR_GOOD, "/dev/cpu/%d/msr (0x34): none in %.3g "
			    "s", spin->cpu,
			    (double)spin->elapsed_ns / 1e9);
	} else {
		finding_spoils(finding, "/dev/cpu/%d/msr (0x34): %lld in %.3g s", spin->cpu,
			       (long long)(spin->smi_after - spin->smi_before),
			       (double)spin->elapsed_ns / 1e9);
		finding_cure(finding, "in the firmware's set-up: legacy USB support, TCO and fan "
			     "control by the system off; or newer firmware");
	}
}

const struct check check_smi = {
	.id = "smi",
	.group = GROUP,
	.title = "SMIs",
	.why = "the firmware takes all CPUs away for as long as it likes, and the kernel cannot "
	       "tell",
	.slow = true,
	.examine = examine_smi,
};
