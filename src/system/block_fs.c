/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a directory to the block device of its file system. */
#include "system/block_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "system/mounts.h"
#include "util/root.h"

#define WAY_ROUND "choose a --dir on a file system of one block device"

/* Where the files of a file system without a block device of its own are. */
enum place { PLACE_OTHER, PLACE_MEMORY, PLACE_NETWORK, PLACE_OVERLAY, PLACE_BTRFS };

static enum place place_of(const char *type)
{
	static const struct {
		const char *type;
		enum place place;
	} places[] = {
		{ "tmpfs", PLACE_MEMORY },   { "ramfs", PLACE_MEMORY },
		{ "devtmpfs", PLACE_MEMORY }, { "hugetlbfs", PLACE_MEMORY },
		{ "rootfs", PLACE_MEMORY },  { "nfs", PLACE_NETWORK },
		{ "nfs4", PLACE_NETWORK },   { "cifs", PLACE_NETWORK },
		{ "smb3", PLACE_NETWORK },   { "9p", PLACE_NETWORK },
		{ "virtiofs", PLACE_NETWORK }, { "ceph", PLACE_NETWORK },
		{ "afs", PLACE_NETWORK },    { "fuse.sshfs", PLACE_NETWORK },
		{ "overlay", PLACE_OVERLAY }, { "btrfs", PLACE_BTRFS },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(type, places[i].type))
			return places[i].place;
	return PLACE_OTHER;
}

/*
 * The directory in /sys of the device that a mount names as its source. The name of its node need
 * not be the kernel's (/dev/mapper/home), so the node's number goes first.
 */
static int source_dir(const struct mount *mount, char *dir)
{
	char name[PATH_MAX], real[PATH_MAX], link[PATH_MAX];
	const char *path = root_path(name, sizeof(name), mount->source);
	struct stat st;

	if (mount->source[0] != '/')
		return -ENODEV;
	if (!stat(path, &st) && S_ISBLK(st.st_mode))
		return block_dir(st.st_rdev, dir, NULL);
	if (!realpath(path, real))
		return -ENODEV;
	if (snprintf(link, sizeof(link), "/sys/class/block%s", strrchr(real, '/')) >=
	    (int)sizeof(link))
		return -ENODEV;
	return realpath(root_path(name, sizeof(name), link), dir) ? 0 : -ENODEV;
}

/* Names of the devices of a btrfs, "sda1, sdb1", and whether wanted is among them. Their number. */
static size_t list_btrfs(const char *path, const char *wanted, char *list, size_t size, bool *has)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t n = 0, used = 0;

	list[0] = '\0';
	*has = false;
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (used < size)
			used += (size_t)snprintf(list + used, size - used, "%s%s", n ? ", " : "",
						 entry->d_name);
		if (!strcmp(entry->d_name, wanted))
			*has = true;
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

/* How many devices the btrfs has that the one of that name belongs to; 0: it was not found. */
static size_t count_btrfs(const char *device, char *list, size_t size)
{
	char name[PATH_MAX], path[PATH_MAX + NAME_MAX + 16];
	const char *top = root_path(name, sizeof(name), "/sys/fs/btrfs");
	DIR *dir = opendir(top);
	struct dirent *entry;
	bool has = false;
	size_t n = 0;

	while (dir && !has && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s/devices", top, entry->d_name);
		n = list_btrfs(path, device, list, size, &has);
	}
	if (dir)
		closedir(dir);
	return has ? n : 0;
}

static int btrfs_dir(const char *path, const struct mount *mount, char *dir, struct fault *fault)
{
	char list[160];
	size_t n;

	n = source_dir(mount, dir) ? 0 : count_btrfs(strrchr(dir, '/') + 1, list, sizeof(list));
	if (n == 1)
		return 0;
	if (n)
		return fault_set(fault, -ENOTSUP, "%.100s: lies on a btrfs of %zu devices (%s): "
				 "choose their elevators by hand (echo NAME > "
				 "/sys/block/DISK/queue/scheduler), or " WAY_ROUND, path, n, list);
	return fault_set(fault, -ENOTSUP, "%.100s: lies on a btrfs whose devices cannot be told "
			 "from its source %.64s; " WAY_ROUND, path, mount->source);
}

/* What has no device number that stands for a block device. */
static int anonymous_dir(const char *path, const struct mount *mount, char *dir, bool *elsewhere,
			 struct fault *fault)
{
	enum place place = place_of(mount->type);

	*elsewhere = place == PLACE_MEMORY || place == PLACE_NETWORK;
	switch (place) {
	case PLACE_MEMORY:
		return fault_set(fault, -ENOTSUP, "%.200s: lies in memory (%s), without a disk or "
				 "an elevator; " WAY_ROUND, path, mount->type);
	case PLACE_NETWORK:
		return fault_set(fault, -ENOTSUP, "%.200s: lies on another machine (%s), the host "
				 "of this one it may be, whose disks are out of reach; " WAY_ROUND,
				 path, mount->type);
	case PLACE_OVERLAY:
		return fault_set(fault, -ENOTSUP, "%.200s: lies on an overlay, which tells no "
				 "block device; choose a --dir on the file system of its upper "
				 "layer, or on a mount of a real one", path);
	case PLACE_BTRFS:
		return btrfs_dir(path, mount, dir, fault);
	default:
		if (!source_dir(mount, dir))
			return 0;
		return fault_set(fault, -ENOTSUP, "%.200s: its file system (%.32s, of %.64s) tells "
				 "no single block device; " WAY_ROUND, path, mount->type,
				 mount->source);
	}
}

int block_dir_of_path(const char *path, char *dir, bool *elsewhere, struct fault *fault)
{
	char name[PATH_MAX];
	struct mount mount = { .text = NULL };
	struct stat st;
	int err;

	*elsewhere = false;
	if (stat(root_path(name, sizeof(name), path), &st))
		return fault_set(fault, -errno, "%.200s: %s", path, strerror(errno));
	err = mount_of_path(path, &mount);
	/* A btrfs of several devices may show the number of one of them. */
	if (!err && (major(st.st_dev) == 0 || place_of(mount.type) != PLACE_OTHER))
		err = anonymous_dir(path, &mount, dir, elsewhere, fault);
	else if (major(st.st_dev) != 0)
		err = block_dir(st.st_dev, dir, fault);
	else
		fault_set(fault, err, "%.200s: its mount cannot be found: %s", path,
			  strerror(-err));
	mount_release(&mount);
	return err;
}
