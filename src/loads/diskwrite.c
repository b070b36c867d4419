/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a file from its beginning to its end and syncs it, over and over. */
#include "config.h"

#include "loads/disk.h"
#include "loads/stressors.h"

static int diskwrite_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	struct disk *disk;
	int err = disk_new(&disk, params, false, true, fault);

	if (!err)
		*state = disk;
	return err;
}

static int write_piece(struct disk *disk, size_t len, struct fault *fault)
{
	return disk_write_fresh(disk, disk->target, len, fault);
}

static int sync_target(struct disk *disk, struct fault *fault)
{
	return disk_sync(disk, disk->target, fault);
}

static const struct disk_pass pass = { disk_empty_target, write_piece, sync_target };

static int64_t diskwrite_step(void *state, struct fault *fault)
{
	return disk_step(state, &pass, fault);
}

const struct stressor stressor_diskwrite = {
	.name = "diskwrite",
	.summary = "writes and syncs a file over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 1,
	.prepare = diskwrite_prepare,
	.step = diskwrite_step,
	.finish = disk_finish,
};
