/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The settings that may change under a run: how they are recorded, what a change makes of it. */
#include "unit.h"

#include <jansson.h>
#include <sys/sysmacros.h>

#include "run/changes.h"
#include "system/environment.h"
#include "system/environment_parts.h"
#include "tree.h"

#define HEAD "virtual/nvme-subsystem/nvme-subsys0/nvme0n1"
#define PATH "pci/nvme/nvme0/nvme0c0n1"

static json_t *json_of(const char *text)
{
	json_error_t error;
	json_t *value = json_loads(text, 0, &error);

	assert_case(value, "%s: %s", text, error.text);
	return value;
}

static const char *text_of(const json_t *value)
{
	static char *text;

	free(text);
	text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
	assert_non_null(text);
	return text;
}

/* A partition of an NVMe device whose one path has the elevator. */
static void multipath_machine(const char *elevator)
{
	struct stat st;

	assert_int_equal(stat(unit_dir, &st), 0);
	tree_block(HEAD, 259, 0);
	tree_partition(HEAD "/nvme0n1p1", (int)major(st.st_dev), (int)minor(st.st_dev));
	tree_elevator(HEAD, "none\n");
	tree_put("/sys/devices/" HEAD "/queue/rotational", "0\n");
	tree_put("/sys/devices/" PATH "/hidden", "1\n");
	tree_put("/sys/devices/" PATH "/device/model", "Fast One   \n");
	tree_elevator(PATH, elevator);
	tree_link("/sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0",
		  "/sys/devices/pci/nvme/nvme0");
	tree_put("/dev/nvme0n1p1", "");
	tree_mount("ext4", "/dev/nvme0n1p1");
}

static void test_storage(void **state)
{
	struct environment_params params = { .dir = unit_dir, .file_bytes = 1, .cpu = -1 };
	json_t *facts = json_object(), *disk, *settings;

	(void)state;
	multipath_machine("[mq-deadline] none\n");
	assert_int_equal(storage_facts(facts, &params), 0);
	disk = json_object_get(facts, "test_directory");
	assert_string_equal(text_of(json_object_get(disk, "device")), "\"nvme0n1p1\"");
	assert_string_equal(text_of(json_object_get(disk, "disk")), "\"nvme0n1\"");
	assert_string_equal(text_of(json_object_get(disk, "elevator")), "\"none\"");
	assert_string_equal(text_of(json_object_get(disk, "rotational")), "false");
	assert_string_equal(text_of(json_object_get(disk, "devices_below")),
			    "[{\"device\":\"nvme0c0n1\",\"device_model\":\"Fast One\","
			    "\"devices_below\":[],\"disk\":\"nvme0c0n1\","
			    "\"elevator\":\"mq-deadline\",\"rotational\":\"unknown\"}]");
	settings = environment_settings(facts);
	assert_string_equal(text_of(settings), "{\"elevator of nvme0c0n1\":\"mq-deadline\","
					       "\"elevator of nvme0n1\":\"none\"}");
	json_decref(settings);
	json_decref(facts);
}

/* What lies below what: dm-1 on dm-0 on a partition of sda. */
static void test_storage_levels(void **state)
{
	struct environment_params params = { .dir = unit_dir, .file_bytes = 1, .cpu = -1 };
	json_t *facts = json_object(), *disk, *below;
	struct stat st;

	(void)state;
	assert_int_equal(stat(unit_dir, &st), 0);
	tree_block("pci/ata1/block/sda", 8, 0);
	tree_partition("pci/ata1/block/sda/sda2", 8, 2);
	tree_elevator("pci/ata1/block/sda", "[bfq] none\n");
	tree_block("virtual/block/dm-0", 253, 0);
	tree_slave("virtual/block/dm-0", "pci/ata1/block/sda/sda2");
	tree_block("virtual/block/dm-1", (int)major(st.st_dev), (int)minor(st.st_dev));
	tree_slave("virtual/block/dm-1", "virtual/block/dm-0");
	tree_put("/dev/dm-1", "");
	tree_mount("ext4", "/dev/dm-1");
	assert_int_equal(storage_facts(facts, &params), 0);
	disk = json_object_get(facts, "test_directory");
	assert_string_equal(text_of(json_object_get(disk, "disk")), "\"dm-1\"");
	below = json_object_get(disk, "devices_below");
	assert_int_equal(json_array_size(below), 1);
	below = json_array_get(below, 0);
	assert_string_equal(text_of(json_object_get(below, "disk")), "\"dm-0\"");
	below = json_object_get(below, "devices_below");
	assert_int_equal(json_array_size(below), 1);
	below = json_array_get(below, 0);
	assert_string_equal(text_of(json_object_get(below, "device")), "\"sda2\"");
	assert_string_equal(text_of(json_object_get(below, "disk")), "\"sda\"");
	assert_string_equal(text_of(json_object_get(below, "elevator")), "\"bfq\"");
	json_decref(facts);
}

/* Nothing lies below: nothing is known, and no setting. */
static void test_storage_unknown(void **state)
{
	struct environment_params params = { .dir = unit_dir, .file_bytes = 1, .cpu = -1 };
	json_t *facts = json_object(), *disk, *settings;

	(void)state;
	tree_mount("overlay", "overlay");
	assert_int_equal(storage_facts(facts, &params), 0);
	disk = json_object_get(facts, "test_directory");
	assert_string_equal(text_of(json_object_get(disk, "device")), "\"unknown\"");
	assert_string_equal(text_of(json_object_get(disk, "disk")), "\"unknown\"");
	assert_string_equal(text_of(json_object_get(disk, "devices_below")), "\"unknown\"");
	settings = environment_settings(facts);
	assert_string_equal(text_of(settings), "{}");
	json_decref(settings);
	json_decref(facts);
}

/* Each of the three kinds, read anew. */
static void test_settings_now(void **state)
{
	struct environment_params params = { .dir = unit_dir, .file_bytes = 1, .cpu = 0 };
	json_t *settings;

	(void)state;
	multipath_machine("mq-deadline [none]\n");
	tree_put("/sys/kernel/realtime", "0\n");
	tree_put("/sys/kernel/debug/sched/preempt", "none (voluntary) full\n");
	tree_put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	settings = environment_settings_now(&params);
	assert_string_equal(text_of(settings),
			    "{\"elevator of nvme0c0n1\":\"none\",\"elevator of nvme0n1\":\"none\","
			    "\"governor\":\"powersave\",\"preemption model\":\"voluntary\"}");
	json_decref(settings);
}

#define SAME "{\"elevator of vda\": \"mq-deadline\", \"governor\": \"powersave\"}"
#define OTHER "{\"elevator of vda\": \"none\", \"governor\": \"powersave\"}"

struct stage {
	json_t *run, *start, *before;
};

static void set_up(struct stage *stage)
{
	stage->run = json_object();
	stage->start = json_of(SAME);
	stage->before = json_deep_copy(stage->start);
}

/* One phase of that status, with the settings as they are after it; what becomes of it. */
static void expect(struct stage *stage, const char *status, const char *now, const char *wanted)
{
	json_t *phase = json_pack("{s:s, s:s, s:[]}", "name", "proc", "status", status, "reasons");
	json_t *settings = json_of(now);

	changes_note(stage->run, phase, stage->start, stage->before, settings);
	json_object_del(phase, "name");
	assert_string_equal(text_of(phase), wanted);
	json_decref(settings);
	json_decref(phase);
}

static void expect_changes(struct stage *stage, const char *wanted)
{
	assert_string_equal(text_of(stage->run), wanted);
	json_decref(stage->run);
	json_decref(stage->start);
	json_decref(stage->before);
}

static void test_no_change(void **state)
{
	struct stage stage;

	(void)state;
	set_up(&stage);
	expect(&stage, "valid", SAME, "{\"reasons\":[],\"status\":\"valid\"}");
	/* What cannot be read any more, or could not be before, is not known to have changed. */
	expect(&stage, "valid", "{}", "{\"reasons\":[],\"status\":\"valid\"}");
	expect(&stage, "valid", "{\"preemption model\": \"full\"}",
	       "{\"reasons\":[],\"status\":\"valid\"}");
	expect_changes(&stage, "{\"environment_changes\":[]}");
}

static void test_change(void **state)
{
	struct stage stage;

	(void)state;
	set_up(&stage);
	expect(&stage, "valid", SAME, "{\"reasons\":[],\"status\":\"valid\"}");
	expect(&stage, "valid", OTHER,
	       "{\"reasons\":[\"elevator of vda changed during the phase: mq-deadline before, none "
	       "after\"],\"status\":\"suspect\"}");
	/* The next one is steady, but not what the run's record says. */
	expect(&stage, "valid", OTHER,
	       "{\"reasons\":[\"elevator of vda is none, no longer mq-deadline as at the start of "
	       "the run\"],\"status\":\"suspect\"}");
	/* Back again: this phase had both. */
	expect(&stage, "valid", SAME,
	       "{\"reasons\":[\"elevator of vda changed during the phase: none before, mq-deadline "
	       "after\"],\"status\":\"suspect\"}");
	expect(&stage, "valid", SAME, "{\"reasons\":[],\"status\":\"valid\"}");
	expect_changes(&stage, "{\"environment_changes\":[\"elevator of vda: mq-deadline before "
			       "phase proc, none after it\",\"elevator of vda: none before "
			       "phase proc, mq-deadline after it\"]}");
}

/* A phase that is worse than suspect stays so; one that was skipped has nothing to be doubted. */
static void test_other_status(void **state)
{
	static const char *const kept[] = { "invalid", "interrupted", "suspect" };
	struct stage stage;
	char wanted[256];

	(void)state;
	for (size_t i = 0; i < COUNT(kept); i++) {
		set_up(&stage);
		snprintf(wanted, sizeof(wanted), "{\"reasons\":[\"elevator of vda changed during "
			 "the phase: mq-deadline before, none after\"],\"status\":\"%s\"}",
			 kept[i]);
		expect(&stage, kept[i], OTHER, wanted);
		expect_changes(&stage, "{\"environment_changes\":[\"elevator of vda: mq-deadline "
				       "before phase proc, none after it\"]}");
	}
	set_up(&stage);
	expect(&stage, "skipped", OTHER, "{\"reasons\":[],\"status\":\"skipped\"}");
	expect_changes(&stage, "{\"environment_changes\":[\"elevator of vda: mq-deadline before "
			       "phase proc, none after it\"]}");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_storage), CASE(test_storage_levels), CASE(test_storage_unknown),
		CASE(test_settings_now),
		cmocka_unit_test(test_no_change), cmocka_unit_test(test_change),
		cmocka_unit_test(test_other_status),
	};

	return unit_run(tests);
}
