/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/preemption.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "system/environment.h"
#include "system/mounts.h"
#include "system/procfile.h"
#include "util/root.h"
#include "util/textfile.h"

#define MOUNT_POINT "/sys/kernel/debug"
#define WAY_ROUND "boot with preempt=MODEL on the kernel command line, or measure the models in " \
		  "virtual machines: scripts/kernel-lab --preempt"
#define WAY_ROUND_STATIC "boot another kernel, or measure the models in virtual machines: " \
			 "scripts/kernel-lab --preempt"

static bool is_debugfs(const struct mount *mount, const void *arg)
{
	(void)arg;
	return !strcmp(mount->type, "debugfs");
}

/* The version string of the kernel: "#1 SMP PREEMPT_DYNAMIC ...". */
static void read_version(char *version, size_t size)
{
	struct utsname kernel;

	if (text_read("/proc/sys/kernel/version", version, size) > 0)
		return;
	uname(&kernel);
	snprintf(version, size, "%s", kernel.version);
}

/* The kernel has no such file: why. */
static int not_offered(struct fault *fault)
{
	char version[256];

	read_version(version, sizeof(version));
	if (environment_is_preempt_rt())
		return fault_set(fault, -ENOTSUP, "preemption model: this kernel is PREEMPT_RT, "
				 "whose model is fixed; " WAY_ROUND_STATIC);
	if (!strstr(version, "PREEMPT_DYNAMIC"))
		return fault_set(fault, -ENOTSUP, "preemption model: this kernel is not "
				 "PREEMPT_DYNAMIC, its model was fixed when it was built; "
				 WAY_ROUND_STATIC);
	return fault_set(fault, -ENOTSUP, "preemption model: this kernel is PREEMPT_DYNAMIC but "
			 "its debugfs has no sched/preempt (older than 5.13, or built without "
			 "CONFIG_SCHED_DEBUG); " WAY_ROUND);
}

/* Root was refused, by a locked down kernel most likely. */
static int refused(const char *what, int err, struct fault *fault)
{
	char lockdown[32];

	if (geteuid())
		return fault_set(fault, -EPERM, "preemption model: to choose it needs root (%s: "
				 "%s); or " WAY_ROUND, what, strerror(-err));
	if (procfile_read_marked("/sys/kernel/security/lockdown", lockdown, sizeof(lockdown)))
		return fault_set(fault, -EPERM, "preemption model: %s: %s, although root: the "
				 "kernel is locked down, or this is a container; " WAY_ROUND, what,
				 strerror(-err));
	if (!strcmp(lockdown, "none"))
		return fault_set(fault, -EPERM, "preemption model: %s: %s, although root and not "
				 "locked down: a container or a security module forbids it; "
				 WAY_ROUND, what, strerror(-err));
	return fault_set(fault, -EPERM, "preemption model: the kernel is locked down (%s, secure "
			 "boot): %s: %s; " WAY_ROUND, lockdown, what, strerror(-err));
}

static int not_mounted(int err, struct fault *fault)
{
	if (err == -EPERM || err == -EACCES)
		return refused("debugfs cannot be mounted", err, fault);
	if (err == -ENODEV)
		return fault_set(fault, -ENOTSUP, "preemption model: this kernel has no debugfs; "
				 WAY_ROUND);
	return fault_set(fault, err, "preemption model: debugfs cannot be mounted at "
			 MOUNT_POINT ": %s; " WAY_ROUND, strerror(-err));
}

/* For this process and its children. */
static int mount_here(struct fault *fault)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) ||
	    mount("debugfs", MOUNT_POINT, "debugfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return not_mounted(-errno, fault);
	return 0;
}

/* Finds debugfs, or mounts it at its usual place. */
static int find_debugfs(struct preemption_control *control, char *point, size_t size,
			struct fault *fault)
{
	struct mount found = { .text = NULL };
	char name[PATH_MAX];
	int err;

	if (!mount_find(is_debugfs, NULL, &found)) {
		snprintf(point, size, "%s", found.point);
		mount_release(&found);
		return 0;
	}
	snprintf(point, size, "%s", MOUNT_POINT);
	/* Not into what stands in for the system in a test. */
	if (root_path(name, sizeof(name), MOUNT_POINT) == name)
		return fault_set(fault, -ENOENT, "preemption model: debugfs is not mounted");
	err = mount_here(fault);
	control->mounted = !err;
	return err;
}

/* Whether the file is there, can be written and marks a model. */
static int try_file(const struct setting *setting, struct fault *fault)
{
	struct setting_choices choices;
	int fd = open(setting->path, O_RDWR | O_CLOEXEC);
	int err;

	if (fd >= 0) {
		close(fd);
		return setting_read(setting, &choices, fault);
	}
	err = -errno;
	if (err == -ENOENT)
		return not_offered(fault);
	if (err == -EPERM || err == -EACCES)
		return refused("sched/preempt of debugfs", err, fault);
	return fault_set(fault, err, "preemption model: %s: %s; " WAY_ROUND, setting->path,
			 strerror(-err));
}

int preemption_open(struct preemption_control *control, struct fault *fault)
{
	struct setting *setting = &control->setting;
	char point[PATH_MAX], path[PATH_MAX + 16], name[PATH_MAX];
	int err;

	memset(control, 0, sizeof(*control));
	snprintf(setting->name, sizeof(setting->name), "preemption model");
	err = find_debugfs(control, point, sizeof(point), fault);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s/sched/preempt", point);
	if (snprintf(setting->path, sizeof(setting->path), "%s",
		     root_path(name, sizeof(name), path)) >= (int)sizeof(setting->path))
		err = fault_set(fault, -ENAMETOOLONG, "preemption model: %.200s...: name too long",
				path);
	return err ? err : try_file(setting, fault);
}
