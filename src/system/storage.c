/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "system/block.h"
#include "system/facts.h"
#include "system/mounts.h"
#include "system/procfile.h"

static bool is_memory(const struct statfs *fs)
{
	return fs->f_type == TMPFS_MAGIC || fs->f_type == RAMFS_MAGIC;
}

static const char *name_of_magic(const struct statfs *fs)
{
	static const struct {
		unsigned int magic;
		const char *name;
	} names[] = {
		{ EXT4_SUPER_MAGIC, "ext2/ext3/ext4" },
		{ TMPFS_MAGIC, "tmpfs" },
		{ RAMFS_MAGIC, "ramfs" },
		{ XFS_SUPER_MAGIC, "xfs" },
		{ BTRFS_SUPER_MAGIC, "btrfs" },
		{ F2FS_SUPER_MAGIC, "f2fs" },
		{ OVERLAYFS_SUPER_MAGIC, "overlay" },
		{ NFS_SUPER_MAGIC, "nfs" },
		{ 0x65735546, "fuse" },
		{ 0x2fc12fc1, "zfs" },
		{ 0xca451a4e, "bcachefs" },
		{ V9FS_MAGIC, "9p" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((unsigned int)fs->f_type == names[i].magic)
			return names[i].name;
	return NULL;
}

static int disk_facts(json_t *facts, const char *disk)
{
	char path[PATH_MAX + 32], word[64];

	snprintf(path, sizeof(path), "%s/device/model", disk);
	if (facts_file_text(facts, "device_model", path))
		return -1;
	snprintf(path, sizeof(path), "%s/queue/rotational", disk);
	if (facts_file_bool(facts, "rotational", path))
		return -1;
	snprintf(path, sizeof(path), "%s/queue/scheduler", disk);
	/* Devices without a request queue of their own write a lone "none". */
	if (procfile_read_marked(path, word, sizeof(word)) < 0)
		return facts_file_text(facts, "elevator", path);
	return facts_text(facts, "elevator", word);
}

static int no_device_facts(json_t *facts)
{
	return facts_unknown(facts, "device") || facts_unknown(facts, "disk") ||
	       facts_unknown(facts, "device_model") || facts_unknown(facts, "rotational") ||
	       facts_unknown(facts, "elevator") || facts_unknown(facts, "devices_below") ? -1 : 0;
}

/*
 * The elevator that counts for a mapped, a RAID, a multipath or a loop device is that of what lies
 * below it: each of these is an object of its own in an array. What lies below more than one device
 * is told once, where it was found first.
 */
static int device_facts(json_t *facts, const struct block_stack *stack, size_t index)
{
	const struct block_device *device = &stack->devices[index];
	json_t *array;

	if (facts_text(facts, "device", device->part) ||
	    facts_text(facts, "disk", device->name) || disk_facts(facts, device->dir))
		return -1;
	array = json_array();
	for (size_t i = index + 1; i < stack->n; i++) {
		json_t *object;

		if (stack->devices[i].parent != (int)index)
			continue;
		object = json_object();
		if (device_facts(object, stack, i)) {
			json_decref(object);
			json_decref(array);
			return -1;
		}
		json_array_append_new(array, object);
	}
	return json_object_set_new(facts, "devices_below", array);
}

/* What could be followed, also where the rest could not. */
static int stack_facts(json_t *facts, const char *path)
{
	struct block_stack *stack = malloc(sizeof(*stack));
	int err;

	if (!stack)
		return -1;
	block_of_directory(path, stack, NULL);
	err = stack->n ? device_facts(facts, stack, 0) : no_device_facts(facts);
	free(stack);
	return err;
}

/* The options of the mount, then those of the file system that it does not name itself. */
static int option_fact(json_t *facts, struct mount *mount)
{
	char *cursor = mount->super, *word;
	char all[4096];
	size_t used;
	int len;

	len = snprintf(all, sizeof(all), "%s", mount->options);
	while (len >= 0 && (word = strsep(&cursor, ","))) {
		used = strlen(all);
		if (!procfile_has_word(all, ',', word))
			len = snprintf(all + used, sizeof(all) - used, ",%s", word);
	}
	return facts_text(facts, "mount_options", all);
}

static int directory_facts(json_t *facts, const char *path, const struct statfs *fs,
			   struct mount *mount)
{
	/* stack_facts() goes first, for what lies in memory overrules it. */
	return facts_text(facts, "file_system", mount->type ? mount->type : name_of_magic(fs)) ||
	       facts_text(facts, "mount_point", mount->point) ||
	       (mount->text ? option_fact(facts, mount)
			    : facts_unknown(facts, "mount_options")) ||
	       stack_facts(facts, path) ||
	       (is_memory(fs) && facts_text(facts, "device", "none")) ||
	       facts_bool(facts, "is_tmpfs", is_memory(fs)) ? -1 : 0;
}

static int no_directory_facts(json_t *facts)
{
	return facts_unknown(facts, "file_system") || facts_unknown(facts, "mount_point") ||
	       facts_unknown(facts, "mount_options") || no_device_facts(facts) ||
	       facts_unknown(facts, "is_tmpfs") ? -1 : 0;
}

static int cache_facts(json_t *facts, uint64_t file_bytes)
{
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	if (facts_int(facts, "file_bytes", (int64_t)file_bytes))
		return -1;
	if (pages <= 0)
		return facts_unknown(facts, "served_from_cache");
	return facts_bool(facts, "served_from_cache",
			  file_bytes < (uint64_t)pages * (uint64_t)page_bytes);
}

int storage_facts(json_t *facts, const struct environment_params *params)
{
	char *path = params->dir ? realpath(params->dir, NULL) : NULL;
	struct mount mount = { .text = NULL };
	json_t *object = json_object();
	struct statfs fs;
	int err = facts_text(object, "path", path);

	if (path && !statfs(path, &fs)) {
		mount_of_path(path, &mount);
		err = err || directory_facts(object, path, &fs, &mount);
		mount_release(&mount);
	} else {
		err = err || no_directory_facts(object);
	}
	err = err || cache_facts(object, params->file_bytes);
	free(path);
	if (err) {
		json_decref(object);
		return -1;
	}
	return json_object_set_new(facts, "test_directory", object);
}
