/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One mount out of /proc/self/mountinfo. */
#ifndef LT_SYSTEM_MOUNTS_H
#define LT_SYSTEM_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct mount {
	int64_t id;
	char *root;    /* what of the file system is mounted: "/" for all of it */
	char *point;   /* where */
	char *options; /* of the mount: "rw,relatime" */
	char *type;    /* "ext4" */
	char *source;  /* "/dev/vda1", or any word */
	char *super;   /* options of the file system: "rw,discard" */
	char *text;    /* what the above point into */
};

/*
 * Finds the first mount that match accepts. 0 and the caller must mount_release() it, -ENOENT where
 * there is none, or the errno of reading.
 */
int mount_find(bool (*match)(const struct mount *mount, const void *arg), const void *arg,
	       struct mount *found);

/* Finds the mount that a path lies on, whatever is mounted over what. Errors as above. */
int mount_of_path(const char *path, struct mount *found);

void mount_release(struct mount *mount);

#endif
