/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <dirent.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "system/facts.h"
#include "system/mounts.h"
#include "system/procfile.h"
#include "util/textfile.h"

#define BELOW_MAX 8 /* levels of stacked devices */

static int device_facts(json_t *facts, dev_t number, int level);

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

/*
 * The directory in /sys of the whole disk that a block device is or is a partition of, and the name
 * of the device itself. 0, or -1 where there is no such device.
 */
static int find_disk(dev_t number, char *disk, char *name, size_t name_size)
{
	char link[64], path[PATH_MAX];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(number), minor(number));
	if (!realpath(link, disk))
		return -1;
	snprintf(name, name_size, "%s", strrchr(disk, '/') + 1);
	if (snprintf(path, sizeof(path), "%s/partition", disk) < (int)sizeof(path) &&
	    !access(path, F_OK))
		*strrchr(disk, '/') = '\0';
	return 0;
}

/* A device below another one is an object of its own in the array. */
static int add_below(json_t *array, dev_t number, int level)
{
	json_t *object = json_object();

	if (device_facts(object, number, level + 1)) {
		json_decref(object);
		return -1;
	}
	return json_array_append_new(array, object);
}

static int add_slaves(json_t *array, const char *disk, int level)
{
	char path[PATH_MAX + 512], text[32];
	unsigned int ma, mi;
	struct dirent *entry;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/slaves", disk);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/slaves/%s/dev", disk, entry->d_name);
		if (text_read(path, text, sizeof(text)) > 0 &&
		    sscanf(text, "%8u:%8u", &ma, &mi) == 2)
			err = add_below(array, makedev(ma, mi), level);
	}
	closedir(dir);
	return err;
}

/* The elevator that counts for a mapped, a RAID or a loop device is that of what lies below it. */
static int below_facts(json_t *facts, const char *disk, int level)
{
	char path[PATH_MAX + 32], file[PATH_MAX];
	json_t *array = json_array();
	struct stat st;
	int err = array ? add_slaves(array, disk, level) : -1;

	snprintf(path, sizeof(path), "%s/loop/backing_file", disk);
	if (!err && text_read(path, file, sizeof(file)) > 0 && !stat(file, &st))
		err = add_below(array, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev, level);
	if (err) {
		json_decref(array);
		return -1;
	}
	return json_object_set_new(facts, "devices_below", array);
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
	return facts_unknown(facts, "device") || facts_unknown(facts, "device_model") ||
	       facts_unknown(facts, "rotational") || facts_unknown(facts, "elevator") ||
	       facts_unknown(facts, "devices_below") ? -1 : 0;
}

static int device_facts(json_t *facts, dev_t number, int level)
{
	char disk[PATH_MAX], name[NAME_MAX + 1];

	if (level < BELOW_MAX && !find_disk(number, disk, name, sizeof(name)))
		return facts_text(facts, "device", name) || disk_facts(facts, disk) ||
		       below_facts(facts, disk, level) ? -1 : 0;
	return no_device_facts(facts);
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

/* btrfs and the like make up a device number; the mount's source may tell the real one. */
static dev_t device_number(const struct stat *st, const struct mount *mount)
{
	struct stat source;

	if (major(st->st_dev) == 0 && mount->source && mount->source[0] == '/' &&
	    !stat(mount->source, &source) && S_ISBLK(source.st_mode))
		return source.st_rdev;
	return st->st_dev;
}

static int directory_facts(json_t *facts, const struct statfs *fs, const struct stat *st,
			   struct mount *mount)
{
	/* device_facts() goes first, for what lies in memory overrules it. */
	return facts_text(facts, "file_system", mount->type ? mount->type : name_of_magic(fs)) ||
	       facts_text(facts, "mount_point", mount->point) ||
	       (mount->text ? option_fact(facts, mount)
			    : facts_unknown(facts, "mount_options")) ||
	       device_facts(facts, device_number(st, mount), 0) ||
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
	struct stat st;
	int err = facts_text(object, "path", path);

	if (path && !statfs(path, &fs) && !stat(path, &st)) {
		mount_of_path(path, &mount);
		err = err || directory_facts(object, &fs, &st, &mount);
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
