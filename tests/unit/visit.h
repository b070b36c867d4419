/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The doctor's visits to made-up machines. */
#ifndef LT_TESTS_VISIT_H
#define LT_TESTS_VISIT_H

#include "doctor/doctor.h"
#include "doctor/spin.h"
#include "machines.h"
#include "system/environment.h"

/* A test on a machine of its own. */
#define ON(test) cmocka_unit_test_setup_teardown(test, tree_set_up, tree_tear_down)

/* What cannot be a file of a tree is put in as a fact. */
struct visit {
	struct doctor_params params;
	struct spin spin;
	bool has_spin;
	json_t *rtc, *directory; /* taken over; NULL: as it is found */
};

static inline struct visit usual(void)
{
	return (struct visit){
		.params = { .load = 0.8, .priority = 80, .cpu = -1, .card = -1,
			    .realtime = true, .disk = true },
		.spin = { .priority = 80, .cpu = 1, .elapsed_ns = 1200000000, .waited_ns = 0,
			  .smi_before = 7, .smi_after = 7 },
		.has_spin = true,
		.rtc = json_pack("{s:s, s:i}", "device", "/dev/rtc0", "max_user_freq_hz", 2048),
		.directory = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:s}", "path", "/home/ann",
				       "file_system", "ext4", "mount_point", "/home", "device",
				       "sda", "rotational", 0, "is_tmpfs", 0, "elevator", "none"),
	};
}

/* Makes all checks and takes the visit apart. */
static inline json_t *examine(struct visit visit)
{
	const struct environment_params params = { .dir = "/nonexistent", .cpu = visit.params.cpu };
	json_t *facts = environment_collect(&params), *findings;

	assert_non_null(facts);
	if (visit.rtc)
		json_object_set_new(facts, "rtc", visit.rtc);
	if (visit.directory)
		json_object_set_new(facts, "test_directory", visit.directory);
	visit.params.environment = facts;
	visit.params.spin = visit.has_spin ? &visit.spin : NULL;
	findings = doctor_examine(&visit.params, true);
	assert_non_null(findings);
	json_decref(facts);
	return findings;
}

static inline const char *text_of(const json_t *finding, const char *key)
{
	const char *text = json_string_value(json_object_get(finding, key));

	assert_non_null(text);
	return text;
}

/* One finding: its status, whether it spoils, and words of evidence and cure. */
static inline void expect(struct visit visit, const char *id, const char *status, bool spoils,
		   const char *evidence, const char *cure)
{
	json_t *findings = examine(visit), *finding;
	size_t i, found = 0;

	json_array_foreach(findings, i, finding) {
		if (strcmp(text_of(finding, "id"), id))
			continue;
		found++;
		assert_case(!strcmp(text_of(finding, "status"), status), "%s is %s: %s", id,
			    text_of(finding, "status"), text_of(finding, "evidence"));
		assert_case(strstr(text_of(finding, "evidence"), evidence), "%s: %s", id,
			    text_of(finding, "evidence"));
		assert_case(strstr(text_of(finding, "cure"), cure), "%s: cure: %s", id,
			    text_of(finding, "cure"));
		assert_case(spoils == json_is_true(json_object_get(finding, "spoils_results")),
			    "%s: spoils", id);
	}
	assert_case(found == 1, "%s is found %zu times", id, found);
	json_decref(findings);
}

#endif
