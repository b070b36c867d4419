/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel was built and booted with. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/clock.h"
#include "util/root.h"

#define GROUP "Kernel"
#define HZ_MIN 250

/* ---- preemption ---- */

static bool is_dynamic(const json_t *preemption)
{
	const char *build = fact_text(preemption, "build");

	return fact_text(preemption, "dynamic") || (build && !strcmp(build, "PREEMPT_DYNAMIC"));
}

static void unknown_model(const json_t *preemption, struct finding *finding)
{
	const char *build = fact_text(preemption, "build");
	const char *usual = fact_text(preemption, "config_default");

	finding_set(finding, DOCTOR_UNKNOWN, "%s%s%s%s%s; which model is in force is told neither "
		    "there nor by /sys/kernel/debug/sched/preempt",
		    build ? "the kernel's version says " : "the kernel's version is not told",
		    build ? build : "", usual ? ", its configuration " : "", usual ? usual : "",
		    usual ? " unless chosen otherwise" : "");
	if (is_dynamic(preemption))
		finding_cure(finding, "as root: mount -t debugfs none /sys/kernel/debug; or boot "
			     "with preempt=full, which also tells");
}

/* What is compared may be this very thing: a model that is not good does not spoil a result. */
static void examine_preemption(const struct doctor_params *params, struct finding *finding)
{
	const json_t *preemption = json_object_get(params->environment, "preemption");
	const char *model = fact_text(preemption, "model");
	const char *from = fact_text(preemption, "model_from");
	bool dynamic = is_dynamic(preemption);

	if (!model) {
		unknown_model(preemption, finding);
		return;
	}
	if (!strcmp(model, "rt") || !strcmp(model, "full") || !strcmp(model, "lazy")) {
		finding_set(finding, DOCTOR_GOOD, "%s (%s)%s", model, from ? from : "?",
			    !strcmp(model, "lazy") ? ", which is at once for real-time tasks" : "");
		return;
	}
	if (strcmp(model, "none") && strcmp(model, "voluntary")) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.40s (%s)", model, from ? from : "?");
		return;
	}
	finding_set(finding, DOCTOR_NOT_GOOD, "%s (%s)", model, from ? from : "?");
	finding_cure(finding, dynamic
		     ? "boot with preempt=full; or at once: echo full > "
		       "/sys/kernel/debug/sched/preempt"
		     : "a kernel with CONFIG_PREEMPT or CONFIG_PREEMPT_RT: apt-get install "
		       "linux-image-rt-amd64");
}

const struct check check_preemption = {
	.id = "preemption",
	.group = GROUP,
	.title = "preemption",
	.why = "the kernel's own work for another program makes the audio thread wait unless it "
	       "can be preempted",
	.examine = examine_preemption,
};

/* ---- threaded interrupts ---- */

static void examine_threadirqs(const struct doctor_params *params, struct finding *finding)
{
	const json_t *preemption = json_object_get(params->environment, "preemption");
	const char *model = fact_text(preemption, "model");
	bool threaded;

	if (!fact_bool(params->environment, "threadirqs", &threaded)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/cmdline cannot be read");
	} else if (threaded) {
		finding_set(finding, DOCTOR_GOOD, "interrupt handlers are threads (%s)",
			    model && !strcmp(model, "rt") ? "PREEMPT_RT" : "/proc/cmdline: "
									   "threadirqs");
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "/proc/cmdline: no threadirqs");
		finding_cure(finding, "boot with threadirqs: add the word to GRUB_CMDLINE_LINUX in "
			     "/etc/default/grub, then update-grub");
	}
}

const struct check check_threadirqs = {
	.id = "threadirqs",
	.group = GROUP,
	.title = "threaded interrupts",
	.why = "the handlers of disks and networks otherwise run before every thread, and the "
	       "sound card's cannot be put before them",
	.examine = examine_threadirqs,
};

/* ---- timers ---- */

static void examine_timers(const struct doctor_params *params, struct finding *finding)
{
	bool high, known = fact_bool(params->environment, "high_res_timers", &high);
	struct timespec resolution;

	/* The kernel says 1 ns where they are in force, else a tick. */
	if (root_is_real() && !clock_getres(CLOCK_MONOTONIC, &resolution)) {
		long long ns = resolution.tv_sec * NS_PER_SEC + resolution.tv_nsec;

		if (ns == 1)
			finding_set(finding, DOCTOR_GOOD, "clock_getres(): 1 ns");
		else
			finding_spoils(finding, "clock_getres(): %lld ns", ns);
	} else if (known && high) {
		finding_set(finding, DOCTOR_GOOD, "CONFIG_HIGH_RES_TIMERS, and not off in "
			    "/proc/cmdline");
	} else if (known) {
		finding_spoils(finding, "CONFIG_HIGH_RES_TIMERS is not set, or highres=off in "
			       "/proc/cmdline");
	} else {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/config.gz or /proc/cmdline cannot be "
			    "read");
	}
	if (finding->status == DOCTOR_NOT_GOOD)
		finding_cure(finding, "boot without highres=off, with a kernel that has "
			     "CONFIG_HIGH_RES_TIMERS=y");
}

const struct check check_timers = {
	.id = "high_res_timers",
	.group = GROUP,
	.title = "high-resolution timers",
	.why = "without them whoever waits for a time wakes at the next tick, milliseconds late",
	.examine = examine_timers,
};

/* ---- tick ---- */

static void examine_tick(const struct doctor_params *params, struct finding *finding)
{
	const char *tick = fact_text(params->environment, "timer_tick");
	const char *full = fact_text(params->environment, "cpus_nohz_full");
	int64_t hz;

	if (!fact_int(params->environment, "config_hz", &hz)) {
		finding_set(finding, DOCTOR_UNKNOWN, "the kernel's configuration (/proc/config.gz, "
			    "/boot/config-*) cannot be read");
		return;
	}
	finding_set(finding, hz >= HZ_MIN ? DOCTOR_GOOD : DOCTOR_NOT_GOOD,
		    "CONFIG_HZ %lld, the tick %.40s, nohz_full %.60s", (long long)hz,
		    tick ? tick : "unknown", full ? *full ? full : "none" : "unknown");
	if (hz < HZ_MIN)
		finding_cure(finding, "a kernel with CONFIG_HZ=1000; for MIDI: modprobe "
			     "snd-hrtimer");
}

const struct check check_tick = {
	.id = "tick",
	.group = GROUP,
	.title = "timer tick",
	.why = "time slices, throttling and the system timer of ALSA's sequencer go by the tick",
	.examine = examine_tick,
};
