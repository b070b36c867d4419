/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/capability.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"
#include "system/privileges.h"

#define RATE_HZ 1024 /* the classic rate */

/* The timer gives the same rate: nothing is missing where that is precise. */
static void judge_none(const struct doctor_params *params, struct finding *finding)
{
	struct finding timers = { .status = DOCTOR_UNKNOWN };

	check_timers.examine(params, &timers);
	finding_set(finding, timers.status, "no /dev/rtc: --source auto takes the timer, which "
		    "gives the same rate (see high-resolution timers); --source rtc cannot be had");
	if (timers.status != DOCTOR_GOOD)
		finding_cure(finding, "modprobe rtc_cmos; where there is no such device: as for "
			     "high-resolution timers");
}

static void examine_rtc(const struct doctor_params *params, struct finding *finding)
{
	const json_t *facts = json_object_get(params->environment, "rtc");
	const char *device = fact_text(facts, "device");
	int64_t most_hz;

	if (!device) {
		finding_set(finding, DOCTOR_UNKNOWN, "whether there is a /dev/rtc is not told");
	} else if (!strcmp(device, "none")) {
		judge_none(params, finding);
	} else if (!fact_int(facts, "max_user_freq_hz", &most_hz)) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.20s: its max_user_freq cannot be "
			    "read", device);
	} else if (most_hz >= RATE_HZ) {
		finding_set(finding, DOCTOR_GOOD, "%.20s, max_user_freq %lld", device,
			    (long long)most_hz);
	} else if (privilege_held(CAP_SYS_RESOURCE)) {
		finding_set(finding, DOCTOR_GOOD, "%.20s, max_user_freq %lld, but CAP_SYS_RESOURCE "
			    "is held and goes before it", device, (long long)most_hz);
	} else {
		finding_set(finding, DOCTOR_NOT_GOOD, "%.20s: users may have %lld interrupts a "
			    "second, %d are wanted", device, (long long)most_hz, RATE_HZ);
		finding_cure(finding, "as root, at each start: echo 2048 > "
			     "/sys/class/rtc/rtc0/max_user_freq");
	}
}

const struct check check_rtc = {
	.id = "rtc",
	.group = "Clock",
	.title = "/dev/rtc",
	.why = "the classic clock of this test, and of MIDI sequencers",
	.examine = examine_rtc,
};
