/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a device number or a directory down to the disks, on trees of /sys made for it. */
#include "unit.h"

#include <errno.h>
#include <sys/sysmacros.h>

#include "system/block.h"
#include "tree.h"

#define SDA "pci/ata1/block/sda"
#define SDB "pci/ata2/block/sdb"
#define DM(n) "virtual/block/dm-" #n
#define SUBSYSTEM "virtual/nvme-subsystem/nvme-subsys0"
#define HEAD SUBSYSTEM "/nvme0n1"

static struct block_stack stack;

/* "dm-0 sda(sda2)<dm-0*": the partition used, what it was found below, and * for a lowest one. */
static const char *words(void)
{
	static char text[4096];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < stack.n; i++) {
		const struct block_device *device = &stack.devices[i];
		const struct block_device *parent =
			device->parent < 0 ? NULL : &stack.devices[device->parent];

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
					 device->name);
		if (strcmp(device->part, device->name))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "(%s)",
						 device->part);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s%s",
					 parent ? "<" : "", parent ? parent->name : "",
					 device->lowest ? "*" : "");
		assert_int_equal(device->level, parent ? parent->level + 1 : 0);
		assert_int_equal(access(device->dir, F_OK), 0);
	}
	return text;
}

static void expect(int major_number, int minor_number, const char *wanted)
{
	struct fault fault = { "" };

	assert_case(!block_of_number(makedev(major_number, minor_number), &stack, &fault), "%s",
		    fault.text);
	assert_string_equal(words(), wanted);
}

static void two_disks(void)
{
	tree_block(SDA, 8, 0);
	tree_partition(SDA "/sda1", 8, 1);
	tree_partition(SDA "/sda2", 8, 2);
	tree_block(SDB, 8, 16);
	tree_partition(SDB "/sdb1", 8, 17);
}

static void test_disk(void **state)
{
	(void)state;
	two_disks();
	expect(8, 0, "sda*");
	expect(8, 1, "sda(sda1)*");
	expect(8, 17, "sdb(sdb1)*");
}

static void test_nvme(void **state)
{
	(void)state;
	tree_block("pci/nvme/nvme0/nvme0n1", 259, 0);
	tree_partition("pci/nvme/nvme0/nvme0n1/nvme0n1p2", 259, 2);
	expect(259, 2, "nvme0n1(nvme0n1p2)*");
}

/* Two controllers of subsystem 0, each with paths to the namespaces 1 and 2. */
static void nvme_subsystem(void)
{
	static const char *const paths[] = { "nvme0/nvme0c0n1", "nvme0/nvme0c0n2",
					     "nvme3/nvme0c1n1", "nvme3/nvme0c1n2",
					     "nvme3/nvme1c1n1", "nvme3/nvme0c1n1x" };
	char path[PATH_MAX];

	tree_block(HEAD, 259, 0);
	tree_partition(HEAD "/nvme0n1p1", 259, 1);
	for (size_t i = 0; i < COUNT(paths); i++) {
		/* They have no number. */
		snprintf(path, sizeof(path), "/sys/devices/pci/nvme/%s/hidden", paths[i]);
		tree_put(path, "1\n");
	}
	tree_put("/sys/devices/" SUBSYSTEM "/subsysnqn", "nqn\n");
}

static void test_nvme_multipath(void **state)
{
	(void)state;
	nvme_subsystem();
	tree_link("/sys/devices/" SUBSYSTEM "/nvme0", "/sys/devices/pci/nvme/nvme0");
	expect(259, 1, "nvme0n1(nvme0n1p1) nvme0c0n1<nvme0n1*");
	tree_link("/sys/devices/" SUBSYSTEM "/nvme3", "/sys/devices/pci/nvme/nvme3");
	assert_true(!block_of_number(makedev(259, 0), &stack, NULL));
	assert_int_equal(stack.n, 3);
	assert_false(stack.devices[0].lowest);
	for (size_t i = 1; i < 3; i++) {
		assert_true(stack.devices[i].lowest);
		assert_int_equal(stack.devices[i].level, 1);
		assert_true(!strcmp(stack.devices[i].name, "nvme0c0n1") ||
			    !strcmp(stack.devices[i].name, "nvme0c1n1"));
	}
}

/* As kernels from 6.15 on show it; the subsystem's links are then not needed. */
static void test_nvme_multipath_links(void **state)
{
	(void)state;
	nvme_subsystem();
	tree_link("/sys/devices/" HEAD "/multipath/nvme0c1n1",
		  "/sys/devices/pci/nvme/nvme3/nvme0c1n1");
	expect(259, 0, "nvme0n1 nvme0c1n1<nvme0n1*");
}

static void test_mapped(void **state)
{
	(void)state;
	two_disks();
	tree_block(DM(0), 253, 0);
	tree_slave(DM(0), SDA "/sda2");
	expect(253, 0, "dm-0 sda(sda2)<dm-0*");
}

static void test_crypt_on_raid(void **state)
{
	(void)state;
	two_disks();
	tree_block("virtual/block/md127", 9, 127);
	tree_slave("virtual/block/md127", SDA "/sda1");
	tree_slave("virtual/block/md127", SDB "/sdb1");
	tree_block(DM(0), 253, 0);
	tree_slave(DM(0), "virtual/block/md127");
	tree_block(DM(1), 253, 1);
	tree_slave(DM(1), DM(0));
	assert_int_equal(block_of_number(makedev(253, 1), &stack, NULL), 0);
	/* The order within a level is that of the directory. */
	if (!strcmp(stack.devices[3].name, "sda"))
		expect(253, 1, "dm-1 dm-0<dm-1 md127<dm-0 sda(sda1)<md127* sdb(sdb1)<md127*");
	else
		expect(253, 1, "dm-1 dm-0<dm-1 md127<dm-0 sdb(sdb1)<md127* sda(sda1)<md127*");
}

static void test_each_once(void **state)
{
	(void)state;
	two_disks();
	tree_block("virtual/block/md0", 9, 0);
	tree_slave("virtual/block/md0", SDA "/sda1");
	tree_slave("virtual/block/md0", SDA "/sda2");
	assert_int_equal(block_of_number(makedev(9, 0), &stack, NULL), 0);
	assert_int_equal(stack.n, 2);
	assert_string_equal(stack.devices[1].name, "sda");
	assert_true(stack.devices[1].lowest);
}

/* A diamond: two mapped devices on one disk, below a third. */
static void test_diamond(void **state)
{
	(void)state;
	two_disks();
	for (int i = 0; i < 3; i++) {
		char dir[64];

		snprintf(dir, sizeof(dir), "virtual/block/dm-%d", i);
		tree_block(dir, 253, i);
	}
	tree_slave(DM(2), DM(0));
	tree_slave(DM(2), DM(1));
	tree_slave(DM(0), SDB "/sdb1");
	tree_slave(DM(1), SDB "/sdb1");
	assert_int_equal(block_of_number(makedev(253, 2), &stack, NULL), 0);
	assert_int_equal(stack.n, 4);
	assert_string_equal(stack.devices[3].name, "sdb");
	for (int i = 0; i < 3; i++)
		assert_false(stack.devices[i].lowest);
}

/* The backing file is a real one: its number is that of the file system it lies on. */
static void loop_on_sdb(const char *file)
{
	struct stat st;

	unit_write_file((const uint8_t *)"x", 1);
	assert_int_equal(stat(unit_dir, &st), 0);
	tree_block(SDB, (int)major(st.st_dev), (int)minor(st.st_dev));
	tree_put("/dev/sdb", "");
	tree_mount("ext4", "/dev/sdb");
	tree_block("virtual/block/loop3", 7, 3);
	tree_put("/sys/devices/virtual/block/loop3/loop/backing_file", file);
}

static void test_loop(void **state)
{
	(void)state;
	loop_on_sdb(unit_file);
	expect(7, 3, "loop3 sdb<loop3*");
}

static void test_loop_deleted(void **state)
{
	char file[700];

	(void)state;
	snprintf(file, sizeof(file), "%s/gone (deleted)\n", unit_dir);
	loop_on_sdb(file);
	expect(7, 3, "loop3 sdb<loop3*");
}

static void test_loop_lost(void **state)
{
	struct fault fault = { "" };

	(void)state;
	loop_on_sdb("/no/such/place/file (deleted)\n");
	assert_int_equal(block_of_number(makedev(7, 3), &stack, &fault), -ENODEV);
	assert_non_null(strstr(fault.text, "loop3"));
	assert_string_equal(words(), "loop3*");
}

/* Nothing that has an elevator lies below a file in memory or on another machine. */
static void test_loop_in_memory(void **state)
{
	(void)state;
	loop_on_sdb(unit_file);
	tree_mount("tmpfs", "tmpfs");
	expect(7, 3, "loop3*");
	tree_mount("nfs4", "host:/export");
	expect(7, 3, "loop3*");
}

static void test_loop_on_overlay(void **state)
{
	struct fault fault = { "" };

	(void)state;
	loop_on_sdb(unit_file);
	tree_mount("overlay", "overlay");
	assert_int_equal(block_of_number(makedev(7, 3), &stack, &fault), -ENOTSUP);
	assert_non_null(strstr(fault.text, "loop3"));
	assert_non_null(strstr(fault.text, "overlay"));
}

static void test_loop_unused(void **state)
{
	(void)state;
	tree_block("virtual/block/loop3", 7, 3);
	expect(7, 3, "loop3*");
}

/* No kernel makes such; it must end all the same. */
static void test_cycle(void **state)
{
	(void)state;
	tree_block(DM(0), 253, 0);
	tree_block(DM(1), 253, 1);
	tree_slave(DM(0), DM(1));
	tree_slave(DM(1), DM(0));
	tree_slave(DM(1), DM(1));
	expect(253, 0, "dm-0 dm-1<dm-0");
}

static void test_missing(void **state)
{
	struct fault fault = { "" };

	(void)state;
	two_disks();
	assert_int_equal(block_of_number(makedev(8, 99), &stack, &fault), -ENODEV);
	assert_non_null(strstr(fault.text, "8:99"));
	assert_int_equal(stack.n, 0);
	tree_block(DM(0), 253, 0);
	tree_slave(DM(0), "pci/ata9/block/sdz");
	fault.text[0] = '\0';
	assert_int_equal(block_of_number(makedev(253, 0), &stack, &fault), -ENODEV);
	assert_non_null(strstr(fault.text, "sdz"));
}

static void test_too_many(void **state)
{
	struct fault fault = { "" };
	char dir[64];

	(void)state;
	tree_block("virtual/block/md0", 9, 0);
	for (int i = 1; i < BLOCK_MAX_DEVICES; i++) {
		snprintf(dir, sizeof(dir), "pci/ata%d/block/disk%d", i, i);
		tree_block(dir, 8, i);
		tree_slave("virtual/block/md0", dir);
	}
	assert_int_equal(block_of_number(makedev(9, 0), &stack, &fault), 0);
	assert_int_equal(stack.n, BLOCK_MAX_DEVICES);
	tree_block(SDA, 8, 200);
	tree_slave("virtual/block/md0", SDA);
	assert_int_equal(block_of_number(makedev(9, 0), &stack, &fault), -E2BIG);
	assert_non_null(strstr(fault.text, "md0"));
}

static void test_too_deep(void **state)
{
	struct fault fault = { "" };
	char dir[64], above[64];

	(void)state;
	for (int i = 0; i <= BLOCK_MAX_LEVELS; i++) {
		snprintf(dir, sizeof(dir), "virtual/block/dm-%d", i);
		tree_block(dir, 253, i);
		if (i)
			tree_slave(above, dir);
		snprintf(above, sizeof(above), "%s", dir);
	}
	assert_int_equal(block_of_number(makedev(253, 1), &stack, &fault), 0);
	assert_int_equal(stack.n, BLOCK_MAX_LEVELS);
	assert_int_equal(block_of_number(makedev(253, 0), &stack, &fault), -E2BIG);
	assert_non_null(strstr(fault.text, "on top of each other"));
}

static void test_directory(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(unit_dir, &st), 0);
	tree_block(SDB, 8, 16);
	tree_partition(SDB "/sdb1", (int)major(st.st_dev), (int)minor(st.st_dev));
	tree_put("/dev/sdb1", "");
	tree_mount("xfs", "/dev/sdb1");
	assert_int_equal(block_of_directory(unit_dir, &stack, NULL), 0);
	assert_string_equal(words(), "sdb(sdb1)*");
	assert_int_equal(block_of_directory("/no/such/place", &stack, NULL), -ENOENT);
}

static void test_btrfs(void **state)
{
	struct fault fault = { "" };

	(void)state;
	two_disks();
	tree_put("/dev/sdb1", "");
	tree_link("/sys/fs/btrfs/1111/devices/sda1", "/sys/devices/" SDA "/sda1");
	/* None has it. */
	tree_mount("btrfs", "/dev/sdb1");
	assert_int_equal(block_of_directory(unit_dir, &stack, &fault), -ENOTSUP);
	assert_non_null(strstr(fault.text, "cannot be told"));
	tree_link("/sys/fs/btrfs/2222/devices/sdb1", "/sys/devices/" SDB "/sdb1");
	tree_put("/sys/fs/btrfs/features/raid1c34", "1\n");
	assert_case(!block_of_directory(unit_dir, &stack, &fault), "%s", fault.text);
	assert_string_equal(words(), "sdb(sdb1)*");

	tree_link("/sys/fs/btrfs/2222/devices/sda2", "/sys/devices/" SDA "/sda2");
	assert_int_equal(block_of_directory(unit_dir, &stack, &fault), -ENOTSUP);
	assert_non_null(strstr(fault.text, "2 devices"));
	assert_non_null(strstr(fault.text, "sda2"));
	assert_non_null(strstr(fault.text, "sdb1"));
	assert_non_null(strstr(fault.text, "queue/scheduler"));

	tree_mount("btrfs", "/dev/root");
	assert_int_equal(block_of_directory(unit_dir, &stack, &fault), -ENOTSUP);
	assert_non_null(strstr(fault.text, "/dev/root"));
}

/* /dev/mapper/home is a link to ../dm-0. */
static void test_btrfs_mapped(void **state)
{
	(void)state;
	two_disks();
	tree_block(DM(0), 253, 0);
	tree_slave(DM(0), SDA "/sda2");
	tree_put("/dev/dm-0", "");
	tree_link("/dev/mapper/home", "/dev/dm-0");
	tree_link("/sys/fs/btrfs/3333/devices/dm-0", "/sys/devices/" DM(0));
	tree_mount("btrfs", "/dev/mapper/home");
	assert_int_equal(block_of_directory(unit_dir, &stack, NULL), 0);
	assert_string_equal(words(), "dm-0 sda(sda2)<dm-0*");
}

static void test_no_block_device(void **state)
{
	static const struct {
		const char *type, *source, *words;
	} cases[] = {
		{ "tmpfs", "tmpfs", "memory" },
		{ "ramfs", "none", "memory" },
		{ "overlay", "overlay", "upper layer" },
		{ "nfs4", "server:/home", "another machine" },
		{ "9p", "share", "another machine" },
		{ "virtiofs", "share", "another machine" },
		{ "cifs", "//server/share", "another machine" },
		{ "fuse.sshfs", "host:", "another machine" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault fault = { "" };

		tree_mount(cases[i].type, cases[i].source);
		assert_case(block_of_directory(unit_dir, &stack, &fault) == -ENOTSUP, "%s",
			    cases[i].type);
		assert_case(strstr(fault.text, cases[i].words) && strstr(fault.text, "--dir"), "%s",
			    fault.text);
		assert_int_equal(stack.n, 0);
	}
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_disk), CASE(test_nvme), CASE(test_nvme_multipath),
		CASE(test_nvme_multipath_links), CASE(test_mapped), CASE(test_crypt_on_raid),
		CASE(test_each_once), CASE(test_diamond), CASE(test_loop), CASE(test_loop_deleted),
		CASE(test_loop_lost), CASE(test_loop_in_memory), CASE(test_loop_on_overlay),
		CASE(test_loop_unused), CASE(test_cycle), CASE(test_missing), CASE(test_too_many),
		CASE(test_too_deep), CASE(test_directory), CASE(test_btrfs),
		CASE(test_btrfs_mapped), CASE(test_no_block_device),
	};

	return unit_run(tests);
}
