/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/block.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "system/block_parts.h"
#include "util/root.h"
#include "util/textfile.h"

/* One walk: the stack is also the queue of what is still to be looked below. */
struct walk {
	struct block_stack *stack;
	struct fault *fault;
	int parent; /* index of the device whose lower ones are being added */
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_there(const char *dir, const char *file)
{
	char path[PATH_MAX + 32];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return !access(path, F_OK);
}

int block_dir(dev_t number, char *dir, struct fault *fault)
{
	char link[64], name[PATH_MAX];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(number), minor(number));
	if (realpath(root_path(name, sizeof(name), link), dir))
		return 0;
	return fault_set(fault, -ENODEV, "block device %u:%u: %s: %s", major(number), minor(number),
			 link, strerror(errno));
}

static bool is_known(const struct block_stack *stack, const char *dir)
{
	for (size_t i = 0; i < stack->n; i++)
		if (!strcmp(stack->devices[i].dir, dir))
			return true;
	return false;
}

/* Adds the whole device of a directory in /sys that is its own or that of a partition. */
static int add(struct walk *walk, const char *dir)
{
	struct block_stack *stack = walk->stack;
	int level = walk->parent < 0 ? 0 : stack->devices[walk->parent].level + 1;
	struct block_device *device;
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "%s", dir);
	if (is_there(dir, "partition"))
		*strrchr(whole, '/') = '\0';
	if (walk->parent >= 0)
		stack->devices[walk->parent].lowest = false;
	if (is_known(stack, whole))
		return 0;
	if (level >= BLOCK_MAX_LEVELS)
		return fault_set(walk->fault, -E2BIG, "block device %.64s: more than %d devices "
				 "lie on top of each other", stack->devices[0].name,
				 BLOCK_MAX_LEVELS);
	if (stack->n == BLOCK_MAX_DEVICES)
		return fault_set(walk->fault, -E2BIG, "block device %.64s: made of more than "
				 "%d devices", stack->devices[0].name, BLOCK_MAX_DEVICES);
	device = &stack->devices[stack->n++];
	snprintf(device->name, sizeof(device->name), "%.*s", NAME_MAX, base_name(whole));
	snprintf(device->part, sizeof(device->part), "%.*s", NAME_MAX, base_name(dir));
	memcpy(device->dir, whole, sizeof(whole));
	device->parent = walk->parent;
	device->level = level;
	device->lowest = true;
	return 0;
}

/* Calls one() with each entry of a directory, but for hidden ones. No directory has none. */
static int each_entry(struct walk *walk, const char *path,
		      int (*one)(struct walk *walk, const char *path, const char *entry))
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int err = 0;

	if (!dir)
		return 0;
	while (!err && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			err = one(walk, path, entry->d_name);
	closedir(dir);
	return err;
}

/* Links to what is used: slaves/sda1 of a mapped or RAID device, multipath/nvme0c0n1 of a head. */
static int add_link(struct walk *walk, const char *path, const char *entry)
{
	char link[PATH_MAX + 3 * NAME_MAX], dir[PATH_MAX];

	snprintf(link, sizeof(link), "%s/%s", path, entry);
	if (!realpath(link, dir))
		return fault_set(walk->fault, -ENODEV, "block device %.64s: %.64s below it: %s",
				 base_name(walk->stack->devices[walk->parent].dir), entry,
				 strerror(errno));
	return add(walk, dir);
}

/* Whether entry, nvme0c1n2, is a path of the head nvme0n2: the controller's number is its own. */
static bool is_nvme_path(const char *head, const char *entry)
{
	unsigned int head_subsystem, head_namespace, subsystem, controller, namespace;
	int end = 0;

	return sscanf(head, "nvme%9un%9u", &head_subsystem, &head_namespace) == 2 &&
	       sscanf(entry, "nvme%9uc%9un%9u%n", &subsystem, &controller, &namespace, &end) == 3 &&
	       !entry[end] && subsystem == head_subsystem && namespace == head_namespace;
}

static int add_nvme_path(struct walk *walk, const char *path, const char *entry)
{
	const char *head = walk->stack->devices[walk->parent].name;

	return is_nvme_path(head, entry) ? add_link(walk, path, entry) : 0;
}

static int add_nvme_controller(struct walk *walk, const char *path, const char *entry)
{
	char controller[PATH_MAX + 2 * NAME_MAX];
	unsigned int number;
	int end = 0;

	if (sscanf(entry, "nvme%9u%n", &number, &end) != 1 || entry[end])
		return 0;
	snprintf(controller, sizeof(controller), "%s/%s", path, entry);
	return each_entry(walk, controller, add_nvme_path);
}

/*
 * The head of an NVMe multipath device has no queue of its own; its paths are hidden devices
 * without numbers. Kernels from 6.15 on link them in multipath/; before, the subsystem that the
 * head lies in links its controllers, and these hold the paths.
 */
static int add_nvme_paths(struct walk *walk, const char *dir)
{
	char path[PATH_MAX + 16];
	size_t before = walk->stack->n;
	int err;

	snprintf(path, sizeof(path), "%s/multipath", dir);
	err = each_entry(walk, path, add_nvme_path);
	if (err || walk->stack->n > before)
		return err;
	snprintf(path, sizeof(path), "%s", dir);
	*strrchr(path, '/') = '\0';
	if (strncmp(base_name(path), "nvme-subsys", 11))
		return 0;
	return each_entry(walk, path, add_nvme_controller);
}

/* The directory that a file lay in which is no more: its file system is the same. */
static bool strip_deleted(char *file)
{
	static const char deleted[] = " (deleted)";
	size_t bytes = strlen(file), tail = sizeof(deleted) - 1;
	char *slash = strrchr(file, '/');

	if (bytes <= tail || strcmp(file + bytes - tail, deleted) || !slash)
		return false;
	slash[slash == file ? 1 : 0] = '\0';
	return true;
}

static int add_loop_file(struct walk *walk, const char *dir)
{
	char path[PATH_MAX + 32], file[PATH_MAX + 16], name[PATH_MAX], below[PATH_MAX];
	struct fault why = { "" };
	bool elsewhere = false;
	struct stat st;
	int err;

	snprintf(path, sizeof(path), "%s/loop/backing_file", dir);
	if (text_read(path, file, sizeof(file)) <= 0)
		return 0;
	/* A name may really end like that. */
	if (stat(root_path(name, sizeof(name), file), &st) &&
	    (!strip_deleted(file) || stat(root_path(name, sizeof(name), file), &st)))
		return fault_set(walk->fault, -ENODEV, "loop device %.32s: its file %.200s: %s",
				 base_name(dir), file, strerror(errno));
	if (S_ISBLK(st.st_mode))
		err = block_dir(st.st_rdev, below, &why);
	else
		err = block_dir_of_path(file, below, &elsewhere, &why);
	if (elsewhere)
		return 0;
	if (err)
		return fault_set(walk->fault, err, "loop device %.32s: its file %s", base_name(dir),
				 why.text);
	return add(walk, below);
}

/* Goes on with what was added until nothing is left to look below. */
static int follow(struct walk *walk)
{
	struct block_stack *stack = walk->stack;
	char path[PATH_MAX + 16];
	int err = 0;

	for (size_t i = 0; !err && i < stack->n; i++) {
		const char *dir = stack->devices[i].dir;

		walk->parent = (int)i;
		snprintf(path, sizeof(path), "%s/slaves", dir);
		err = each_entry(walk, path, add_link);
		if (!err)
			err = add_nvme_paths(walk, dir);
		if (!err)
			err = add_loop_file(walk, dir);
	}
	return err;
}

static int walk_from(const char *dir, struct block_stack *stack, struct fault *fault)
{
	struct walk walk = { .stack = stack, .fault = fault, .parent = -1 };
	int err = add(&walk, dir);

	return err ? err : follow(&walk);
}

int block_of_number(dev_t number, struct block_stack *stack, struct fault *fault)
{
	char dir[PATH_MAX];
	int err;

	stack->n = 0;
	err = block_dir(number, dir, fault);
	return err ? err : walk_from(dir, stack, fault);
}

int block_of_directory(const char *dir, struct block_stack *stack, struct fault *fault)
{
	char device[PATH_MAX];
	bool elsewhere;
	int err;

	stack->n = 0;
	err = block_dir_of_path(dir, device, &elsewhere, fault);
	return err ? err : walk_from(device, stack, fault);
}
