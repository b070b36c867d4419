/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the files of the disk stressors will fit, asked before anything is started. */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "loads/disk.h"

#define MB 1e6

int load_check_space(const struct load_params *params, unsigned int files, struct fault *fault)
{
	const char *dir = params->dir;
	struct statvfs fs;
	struct stat st;
	double need, have;
	int fd;

	if (!files)
		return 0;
	if (stat(dir, &st) < 0)
		return fault_set(fault, -errno, "%s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return fault_set(fault, -ENOTDIR, "%s: not a directory", dir);
	/* Permissions, quotas and read-only mounts are best found out by doing. */
	fd = disk_open_nameless(dir, fault);
	if (fd < 0)
		return fd;
	close(fd);
	if (statvfs(dir, &fs) < 0)
		return fault_set(fault, -errno, "%s: cannot tell the free space: %s", dir,
				 strerror(errno));
	if (!fs.f_blocks)
		return 0; /* a file system without a size, as an unlimited tmpfs */
	need = 1.05 * files * (double)params->file_bytes;
	have = (double)fs.f_bavail * (double)fs.f_frsize;
	if (need > have)
		return fault_set(fault, -ENOSPC,
				 "%s: %u file%s of %llu bytes with 5 %% to spare need%s %.1f MB, "
				 "%.1f MB are free", dir, files, files > 1 ? "s" : "",
				 (unsigned long long)params->file_bytes, files > 1 ? "" : "s",
				 need / MB, have / MB);
	return 0;
}
