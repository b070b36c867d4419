/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the spin test found. */
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "doctor/spin.h"

#define GROUP "Noise"
#define LONGEST_NS 100000 /* a tenth of the shortest periods that sound cards do well */
#define SHARE_MAX 0.005   /* of the time */

static bool no_spin(const struct doctor_params *params, struct finding *finding)
{
	if (!params->spin)
		finding_set(finding, DOCTOR_UNKNOWN, "the spin test was not made");
	return !params->spin;
}

static const char *policy_text(const struct spin *spin, char *buf, size_t size)
{
	if (spin->priority)
		snprintf(buf, size, "SCHED_FIFO %d", spin->priority);
	else
		snprintf(buf, size, "ordinary policy (SCHED_FIFO is refused)");
	return buf;
}

static void add_ms(char *list, size_t size, const char *what, int64_t ns)
{
	if (ns < 0)
		list_add(list, size, "%s unknown", what);
	else
		list_add(list, size, "%s %.3g ms", what, (double)ns / 1e6);
}

/* Of the time lost: what the scheduler gave away, without the throttling; -1 where not told. */
static int64_t given_away_ns(const struct spin *spin)
{
	if (spin->waited_ns < 0)
		return -1;
	return spin->waited_ns > spin->throttled_ns ? spin->waited_ns - spin->throttled_ns : 0;
}

static void describe(const struct spin *spin, struct finding *finding)
{
	char policy[64], parts[240] = "";

	add_ms(parts, sizeof(parts), "other tasks", given_away_ns(spin));
	add_ms(parts, sizeof(parts), "steal", spin->steal_ns);
	if (spin->interrupts < 0)
		list_add(parts, sizeof(parts), "interrupts unknown");
	else
		list_add(parts, sizeof(parts), "%lld interrupts%s%s%s", (long long)spin->interrupts,
			 spin->most[0] ? " (" : "", spin->most, spin->most[0] ? ")" : "");
	finding_set(finding, DOCTOR_GOOD, "%s on CPU %d for %.3g s: %llu gaps above %d us, the "
		    "longest %.0f us, %.2g %% of the time; meanwhile %s",
		    policy_text(spin, policy, sizeof(policy)), spin->cpu,
		    (double)spin->elapsed_ns / 1e9, (unsigned long long)spin->gaps,
		    SPIN_GAP_NS / 1000, (double)spin->longest_ns / 1e3,
		    100 * (double)spin->lost_ns / (double)spin->elapsed_ns, parts);
}

/* By what most of it is. */
static void cure(const struct spin *spin, struct finding *finding)
{
	if (given_away_ns(spin) > spin->lost_ns / 2)
		finding_cure(finding, "a task of higher priority: ps -eLo rtprio,pid,comm "
			     "--sort=-rtprio | head; lower it: chrt -f -p PRIORITY PID");
	else if (spin->steal_ns > spin->lost_ns / 2)
		finding_cure(finding, "the host: fewer guests, or CPUs of the guest's own: virsh "
			     "vcpupin DOMAIN VCPU CPU");
	else if (spin->interrupts >= 0 && (uint64_t)spin->interrupts < spin->gaps)
		finding_cure(finding, "more gaps than interrupts: firmware or host; hwlatdetect "
			     "--duration=60 tells more");
	else
		finding_cure(finding, "interrupts to other CPUs: echo CPUS > "
			     "/proc/irq/N/smp_affinity_list, or --cpu N; firmware or host: "
			     "hwlatdetect --duration=60");
}

static void examine_noise(const struct doctor_params *params, struct finding *finding)
{
	const struct spin *spin = params->spin;

	if (no_spin(params, finding))
		return;
	describe(spin, finding);
	if (spin->longest_ns <= LONGEST_NS &&
	    (double)spin->lost_ns <= SHARE_MAX * (double)spin->elapsed_ns)
		return;
	/* Under an ordinary policy the others' turns are gaps too. */
	finding->status = spin->priority ? DOCTOR_NOT_GOOD : DOCTOR_UNKNOWN;
	finding->spoils = spin->priority;
	cure(spin, finding);
}

const struct check check_noise = {
	.id = "noise",
	.group = GROUP,
	.title = "spin test",
	.why = "what stops even a thread that does nothing but run stops the audio thread as well",
	.slow = true,
	.examine = examine_noise,
};

static void examine_throttled(const struct doctor_params *params, struct finding *finding)
{
	const struct spin *spin = params->spin;
	double share;

	if (no_spin(params, finding))
		return;
	if (!spin->priority) {
		finding_set(finding, DOCTOR_UNKNOWN, "SCHED_FIFO is refused, and only real-time "
			    "tasks are throttled");
		return;
	}
	if (!spin->throttlings) {
		finding_set(finding, DOCTOR_GOOD, "no gap of its kind in %.3g s without a pause",
			    (double)spin->elapsed_ns / 1e9);
		return;
	}
	share = (double)spin->rule.runtime_ns / (double)spin->rule.period_ns;
	finding_set(finding, DOCTOR_GOOD, "a gap of %.1f ms after %.0f ms, as %s makes it; load %g "
		    "stays below %.3g", (double)spin->throttling.ns / 1e6,
		    (double)spin->throttling.at_ns / 1e6, spin->rule.name, params->load, share);
	if (params->load < share)
		return;
	finding_spoils(finding, "a gap of %.1f ms after %.0f ms, as %s makes it, and load %g is "
		       "asked",
		       (double)spin->throttling.ns / 1e6, (double)spin->throttling.at_ns / 1e6,
		       spin->rule.name, params->load);
	finding_cure(finding, "a larger budget (see RT throttling, control group and fair server), "
		     "or a smaller load");
}

const struct check check_throttled = {
	.id = "throttled",
	.group = GROUP,
	.title = "throttling in the spin test",
	.why = "whatever the settings say, this is what a real-time thread without a pause was "
	       "given",
	.slow = true,
	.realtime = true,
	.examine = examine_throttled,
};
