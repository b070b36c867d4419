/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/cgroup.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/mounts.h"
#include "system/procfile.h"
#include "util/root.h"
#include "util/textfile.h"

/*
 * The group of this process in the hierarchy that has the cpu controller; *version is 1 or 2, or
 * 0 where there is no such line. The result points into text.
 */
static const char *own_group(char *text, int *version)
{
	const char *unified = NULL;
	char *cursor = text, *line;

	*version = 0;
	while ((line = strsep(&cursor, "\n"))) {
		char *rest = line;
		char *id = strsep(&rest, ":");
		char *controllers = strsep(&rest, ":");

		if (!controllers || !rest)
			continue;
		if (!strcmp(id, "0") && !*controllers)
			unified = rest;
		if (procfile_has_word(controllers, ',', "cpu")) {
			*version = 1;
			return rest;
		}
	}
	if (unified)
		*version = 2;
	return unified;
}

static bool is_hierarchy(const struct mount *mount, const void *arg)
{
	int version = *(const int *)arg;

	if (version == 2)
		return !strcmp(mount->type, "cgroup2");
	return !strcmp(mount->type, "cgroup") && procfile_has_word(mount->super, ',', "cpu");
}

/* In a container the mount may show only the part of the hierarchy below its root. */
static const char *below_root(const char *group, const char *root)
{
	size_t bytes = strlen(root);

	if (!strcmp(root, "/"))
		return group;
	if (strncmp(group, root, bytes) || (group[bytes] != '/' && group[bytes] != '\0'))
		return NULL;
	return group + bytes;
}

/* top_bytes: how much of the path is the mount point. */
static int find_directory(struct cgroup_rt *cgroup, size_t *top_bytes)
{
	char *text = text_read_all("/proc/self/cgroup");
	struct mount mount;
	const char *group, *part;
	int err, len;

	if (!text)
		return -errno;
	group = own_group(text, &cgroup->version);
	err = group ? mount_find(is_hierarchy, &cgroup->version, &mount) : -ENOENT;
	if (!err) {
		part = below_root(group, mount.root);
		if (part && !strcmp(part, "/"))
			part = "";
		len = part ? snprintf(cgroup->path, sizeof(cgroup->path), "%s%s", mount.point,
				      part) : -1;
		if (len < 0 || (size_t)len >= sizeof(cgroup->path)) {
			cgroup->path[0] = '\0';
			err = -ENOENT;
		}
		*top_bytes = strlen(mount.point);
		mount_release(&mount);
	}
	free(text);
	return err;
}

static int read_number(const struct cgroup_rt *cgroup, const char *name, int64_t *value)
{
	char file[PATH_MAX + 32];

	snprintf(file, sizeof(file), "%s/%s", cgroup->path, name);
	return text_read_i64(file, value);
}

/*
 * Whether the group or one above it has the cpu controller: a group that was not given it belongs,
 * for the scheduler, to the nearest one above that was. The root of the hierarchy has no weight.
 */
static bool has_cpu_controller(const struct cgroup_rt *cgroup, size_t top_bytes)
{
	struct cgroup_rt above = *cgroup;
	int64_t weight;

	while (read_number(&above, "cpu.weight", &weight)) {
		char *slash = strrchr(above.path, '/');

		if (!slash || (size_t)(slash - above.path) < top_bytes)
			return false;
		*slash = '\0';
	}
	return true;
}

void cgroup_rt_read(struct cgroup_rt *cgroup)
{
	char name[PATH_MAX];
	size_t top_bytes = 0;
	int err;

	memset(cgroup, 0, sizeof(*cgroup));
	if (find_directory(cgroup, &top_bytes) < 0 || access(root_path(name, sizeof(name),
								     cgroup->path), X_OK) < 0)
		return;
	cgroup->cpu_controlled = cgroup->version == 2 && has_cpu_controller(cgroup, top_bytes);
	err = read_number(cgroup, "cpu.rt_runtime_us", &cgroup->runtime_us);
	if (err == -ENOENT)
		cgroup->state = CGROUP_RT_NONE;
	else if (!err && !read_number(cgroup, "cpu.rt_period_us", &cgroup->period_us))
		cgroup->state = CGROUP_RT_BUDGET;
}
