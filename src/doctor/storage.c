/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --dir lies on. */
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/finding.h"

#define GROUP "Storage"

static const json_t *directory(const struct doctor_params *params)
{
	return json_object_get(params->environment, "test_directory");
}

static const char *or_unknown(const char *text)
{
	return text ? text : "unknown";
}

static void examine_elevator(const struct doctor_params *params, struct finding *finding)
{
	const json_t *facts = directory(params);
	const char *elevator = fact_text(facts, "elevator"), *device = fact_text(facts, "device");
	bool rotational, known = fact_bool(facts, "rotational", &rotational), memory;

	if (fact_bool(facts, "is_tmpfs", &memory) && memory) {
		finding_set(finding, DOCTOR_GOOD, "%.200s lies in memory: no elevator",
			    or_unknown(fact_text(facts, "path")));
	} else if (!elevator || !device || !known) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.200s: the device below it, or its "
			    "elevator, is not told (/sys/block/*/queue/scheduler)",
			    or_unknown(fact_text(facts, "path")));
	} else if (rotational && !strcmp(elevator, "none")) {
		finding_set(finding, DOCTOR_NOT_GOOD, "%.40s: none, on a disk that says it is "
			    "rotational", device);
		finding_cure(finding, "echo mq-deadline > "
			     "/sys/block/%.40s/queue/scheduler", device);
	} else {
		finding_set(finding, DOCTOR_GOOD, "%.40s: %.40s%s", device, elevator,
			    rotational ? ", rotational" : "");
	}
}

const struct check check_elevator = {
	.id = "elevator",
	.group = GROUP,
	.title = "elevator",
	.why = "on a disk with heads recording and playing wait for each other unless someone "
	       "sorts",
	.examine = examine_elevator,
};

static bool is_remote(const char *type)
{
	static const char *const remote[] = { "nfs", "nfs4", "cifs", "smb3", "9p", "ceph",
					      "virtiofs" };

	for (size_t i = 0; i < sizeof(remote) / sizeof(remote[0]); i++)
		if (!strcmp(type, remote[i]))
			return true;
	/* That of a block device is on one. */
	return !strncmp(type, "fuse", 4) && strcmp(type, "fuseblk");
}

static void examine_file_system(const struct doctor_params *params, struct finding *finding)
{
	const json_t *facts = directory(params);
	const char *type = fact_text(facts, "file_system");
	const char *point = or_unknown(fact_text(facts, "mount_point"));
	bool memory = false;

	if (!type || !fact_bool(facts, "is_tmpfs", &memory)) {
		finding_set(finding, DOCTOR_UNKNOWN, "%.200s: its file system is not told "
			    "(/proc/self/mountinfo)", or_unknown(fact_text(facts, "path")));
		return;
	}
	if (!memory && !is_remote(type)) {
		finding_set(finding, DOCTOR_GOOD, "%.40s on %.100s", type, point);
		return;
	}
	finding_set(finding, DOCTOR_NOT_GOOD, "%.40s on %.100s: %s", type, point,
		    memory ? "disk stressors would work in memory" : "not on a disk of this "
								     "machine");
	finding->spoils = params->disk;
	finding_cure(finding, "--dir DIR, a directory on the disk that you record to");
}

const struct check check_file_system = {
	.id = "file_system",
	.group = GROUP,
	.title = "file system",
	.why = "recording and streaming samples is to be tested on the disk that it will use",
	.examine = examine_file_system,
};
