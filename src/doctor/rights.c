/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this user may do: a real-time policy, and for how long. */
#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/privileges.h"
#include "system/rights.h"
#include "util/root.h"

#define GROUP "Rights"
#define RTTIME_MIN_US 100000 /* of a cycle that is long for audio: 4096 frames at 44.1 kHz */

/* ---- SCHED_FIFO, by trying ---- */

struct attempt {
	int priority, err;
	struct rights_reason why; /* of an EPERM */
};

static void *try_fifo(void *argument)
{
	struct attempt *attempt = argument;

	attempt->err = rights_set_policy(SCHED_FIFO, attempt->priority, NULL);
	if (attempt->err == -EPERM)
		rights_why_refused(attempt->priority, &attempt->why);
	return NULL;
}

/* In a thread that ends with the attempt. */
static void examine_fifo(const struct doctor_params *params, struct finding *finding)
{
	struct attempt attempt = { .priority = params->priority };
	pthread_t thread;
	int err;

	if (!root_is_real()) {
		finding_set(finding, DOCTOR_UNKNOWN, "can be tried on the machine itself only");
		return;
	}
	err = pthread_create(&thread, NULL, try_fifo, &attempt);
	if (err) {
		finding_set(finding, DOCTOR_UNKNOWN, "no thread to try it: %s", strerror(err));
		return;
	}
	pthread_join(thread, NULL);
	if (!attempt.err) {
		finding_set(finding, DOCTOR_GOOD, "sched_setscheduler(SCHED_FIFO, %d): granted",
			    params->priority);
		return;
	}
	finding_spoils(finding, "sched_setscheduler(SCHED_FIFO, %d): %s%s%s", params->priority,
		       strerror(-attempt.err), attempt.why.cause[0] ? ": " : "",
		       attempt.why.cause);
	finding_cure(finding, "%s", attempt.why.cure);
}

const struct check check_fifo = {
	.id = "fifo",
	.group = GROUP,
	.title = "SCHED_FIFO",
	.why = "without a real-time policy any busy program delays the audio thread",
	.realtime = true,
	.examine = examine_fifo,
};

/* ---- limits ---- */

static void examine_rtprio(const struct doctor_params *params, struct finding *finding)
{
	const char *text = fact_text(params->environment, "rlimit_rtprio");
	bool held = privilege_held(CAP_SYS_NICE);
	int64_t limit = 0;

	if (text && !strcmp(text, "unlimited")) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/limits: unlimited");
	} else if (!fact_int(params->environment, "rlimit_rtprio", &limit)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/self/limits: not told");
	} else if (limit >= params->priority) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/limits: %lld, %d wanted",
			    (long long)limit, params->priority);
	} else if (held) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/limits: %lld, but CAP_SYS_NICE is "
			    "held and goes before it", (long long)limit);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "/proc/self/limits: %lld, %d wanted, and "
			    "CAP_SYS_NICE is not held", (long long)limit, params->priority);
		finding_cure(finding, "/etc/security/limits.d/audio.conf: \"@audio - rtprio %d\"; "
			     "then log in again as a member of audio",
			     params->priority > 95 ? params->priority : 95);
	}
}

const struct check check_rtprio = {
	.id = "rlimit_rtprio",
	.group = GROUP,
	.title = "RLIMIT_RTPRIO",
	.why = "the highest real-time priority that the programs of this user may take",
	.examine = examine_rtprio,
};

static void examine_rttime(const struct doctor_params *params, struct finding *finding)
{
	const char *text = fact_text(params->environment, "rlimit_rttime_us");
	int64_t limit;

	if (text && !strcmp(text, "unlimited")) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/limits: unlimited");
	} else if (!fact_int(params->environment, "rlimit_rttime_us", &limit)) {
		finding_set(finding, DOCTOR_UNKNOWN, "/proc/self/limits: not told");
	} else if (limit >= RTTIME_MIN_US) {
		finding_set(finding, DOCTOR_GOOD, "/proc/self/limits: %lld us without a blocking "
			    "call, more than a cycle takes", (long long)limit);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "/proc/self/limits: a real-time thread that "
			    "computes for %lld us on end is sent SIGXCPU, then killed",
			    (long long)limit);
		finding_cure(finding, "ulimit -R unlimited, or in the unit of the service: "
			     "LimitRTTIME=infinity");
	}
}

const struct check check_rttime = {
	.id = "rlimit_rttime",
	.group = GROUP,
	.title = "RLIMIT_RTTIME",
	.why = "a cycle that computes longer than this ends the audio program",
	.examine = examine_rttime,
};
