/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies a file to another that it syncs, from the disk each time, over and over. */
#include "config.h"

#include "loads/disk.h"
#include "loads/stressors.h"

static int diskcopy_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	struct disk *disk;
	int err = disk_new(&disk, params, true, true, fault);

	if (err)
		return err;
	err = disk_fill_source(disk, fault);
	if (err)
		disk_free(disk);
	else
		*state = disk;
	return err;
}

/* Ends a pass, so that the next one reads the disk and not the page cache. */
static int end_pass(struct disk *disk, struct fault *fault)
{
	int err = disk_sync(disk, disk->target, fault);

	if (!err)
		err = disk_drop_cache(disk, disk->target, fault);
	if (!err)
		err = disk_drop_cache(disk, disk->source, fault);
	disk->pos = 0;
	return err;
}

static int64_t diskcopy_step(void *state, struct fault *fault)
{
	struct disk *disk = state;
	size_t len = disk_piece(disk);
	int err = 0;

	if (!disk->pos)
		err = disk_empty(disk, disk->target, fault);
	if (!err)
		err = disk_read(disk, len, fault);
	if (!err)
		err = disk_write(disk, disk->target, len, fault);
	if (err)
		return err;
	disk->pos += len;
	if (disk->pos == disk->bytes)
		err = end_pass(disk, fault);
	return err ? err : (int64_t)len;
}

static void diskcopy_finish(void *state)
{
	disk_free(state);
}

const struct stressor stressor_diskcopy = {
	.name = "diskcopy",
	.summary = "copies a file to a second one and syncs it, over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 2,
	.prepare = diskcopy_prepare,
	.step = diskcopy_step,
	.finish = diskcopy_finish,
};
