/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file through, from the disk each time, over and over. */
#include "config.h"

#include "loads/disk.h"
#include "loads/stressors.h"

static int diskread_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	struct disk *disk;
	int err = disk_new(&disk, params, true, false, fault);

	if (err)
		return err;
	err = disk_fill_source(disk, fault);
	if (err)
		disk_free(disk);
	else
		*state = disk;
	return err;
}

static int64_t diskread_step(void *state, struct fault *fault)
{
	struct disk *disk = state;
	size_t len = disk_piece(disk);
	int err = 0;

	if (!disk->pos)
		err = disk_drop_cache(disk, disk->source, fault);
	if (!err)
		err = disk_read(disk, len, fault);
	if (err)
		return err;
	disk->pos += len;
	if (disk->pos == disk->bytes)
		disk->pos = 0;
	return (int64_t)len;
}

static void diskread_finish(void *state)
{
	disk_free(state);
}

const struct stressor stressor_diskread = {
	.name = "diskread",
	.summary = "reads a file through from the disk over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 1,
	.prepare = diskread_prepare,
	.step = diskread_step,
	.finish = diskread_finish,
};
