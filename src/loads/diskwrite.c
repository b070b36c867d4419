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

static int64_t diskwrite_step(void *state, struct fault *fault)
{
	struct disk *disk = state;
	size_t len = disk_piece(disk);
	int err = 0;

	if (!disk->pos)
		err = disk_empty(disk, disk->target, fault);
	if (!err)
		err = disk_write_fresh(disk, disk->target, len, fault);
	if (err)
		return err;
	disk->pos += len;
	if (disk->pos == disk->bytes) {
		err = disk_sync(disk, disk->target, fault);
		disk->pos = 0;
	}
	return err ? err : (int64_t)len;
}

static void diskwrite_finish(void *state)
{
	disk_free(state);
}

const struct stressor stressor_diskwrite = {
	.name = "diskwrite",
	.summary = "writes and syncs a file over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 1,
	.prepare = diskwrite_prepare,
	.step = diskwrite_step,
	.finish = diskwrite_finish,
};
