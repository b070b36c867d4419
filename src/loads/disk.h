/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the three disk stressors share: nameless files, and moving data to and from them. */
#ifndef LT_LOADS_DISK_H
#define LT_LOADS_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loads/load.h"

#define DISK_CHUNK ((size_t)256 * 1024)

struct disk {
	const char *dir;
	uint64_t bytes;    /* length of each file */
	uint64_t pos;      /* how far the present pass has come */
	int source;        /* the file that is read, or -1 */
	int target;        /* the file that is written, or -1 */
	uint64_t stamp;    /* makes every page that is written different */
	unsigned char *buf; /* of DISK_CHUNK, filled with what cannot be compressed */
};

/*
 * All of these return 0 or a negative errno, with a reason in fault that names the directory.
 */

/*
 * Opens a file in dir that has no name and so is gone with its last descriptor, whatever happens.
 * Returns the descriptor.
 */
int disk_open_nameless(const char *dir, struct fault *fault);

/* Allocates *disk and opens the files asked for. disk_free() closes and frees; NULL is allowed. */
int disk_new(struct disk **disk, const struct load_params *params, bool source, bool target,
	     struct fault *fault);
void disk_free(struct disk *disk);

/*
 * What prepare of a stressor with a source file does: the file is written whole to the disk and
 * dropped from the page cache. -EINTR on SIGTERM. target: with a second file.
 */
int disk_prepare_source(const struct load_params *params, bool target, void **state,
			struct fault *fault);

/* What finish does. */
void disk_finish(void *state);

/* One way through the files, piece after piece. */
struct disk_pass {
	int (*begin)(struct disk *disk, struct fault *fault);
	int (*piece)(struct disk *disk, size_t len, struct fault *fault);
	int (*end)(struct disk *disk, struct fault *fault); /* may be NULL */
};

/* What step does: the next piece of this pass. Its length. */
int64_t disk_step(struct disk *disk, const struct disk_pass *pass, struct fault *fault);

/* Writes len bytes of buf at pos: as they are, or made different from all that was written. */
int disk_write(struct disk *disk, int fd, size_t len, struct fault *fault);
int disk_write_fresh(struct disk *disk, int fd, size_t len, struct fault *fault);

/* Reads the len bytes at pos of the source file into buf. */
int disk_read(struct disk *disk, size_t len, struct fault *fault);

int disk_empty_target(struct disk *disk, struct fault *fault);
int disk_sync(struct disk *disk, int fd, struct fault *fault);

/* Drops the (synced) file from the page cache. Of no effect on tmpfs. */
int disk_drop_cache(struct disk *disk, int fd, struct fault *fault);

#endif
