/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies a file to another that it syncs, from the disk each time, over and over. */
#include "config.h"

#include "loads/disk.h"
#include "loads/stressors.h"

static int diskcopy_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	return disk_prepare_source(params, true, state, fault);
}

static int copy_piece(struct disk *disk, size_t len, struct fault *fault)
{
	int err = disk_read(disk, len, fault);

	return err ? err : disk_write(disk, disk->target, len, fault);
}

/* So that the next pass reads the disk and not the page cache. */
static int sync_and_drop(struct disk *disk, struct fault *fault)
{
	int err = disk_sync(disk, disk->target, fault);

	if (!err)
		err = disk_drop_cache(disk, disk->target, fault);
	return err ? err : disk_drop_cache(disk, disk->source, fault);
}

static const struct disk_pass pass = { disk_empty_target, copy_piece, sync_and_drop };

static int64_t diskcopy_step(void *state, struct fault *fault)
{
	return disk_step(state, &pass, fault);
}

const struct stressor stressor_diskcopy = {
	.name = "diskcopy",
	.summary = "copies a file to a second one and syncs it, over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 2,
	.prepare = diskcopy_prepare,
	.step = diskcopy_step,
	.finish = disk_finish,
};
