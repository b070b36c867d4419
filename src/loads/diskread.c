/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file through, from the disk each time, over and over. */
#include "config.h"

#include "loads/disk.h"
#include "loads/stressors.h"

static int diskread_prepare(const struct load_params *params, void **state, struct fault *fault)
{
	return disk_prepare_source(params, false, state, fault);
}

static int drop_source(struct disk *disk, struct fault *fault)
{
	return disk_drop_cache(disk, disk->source, fault);
}

static const struct disk_pass pass = { drop_source, disk_read, NULL };

static int64_t diskread_step(void *state, struct fault *fault)
{
	return disk_step(state, &pass, fault);
}

const struct stressor stressor_diskread = {
	.name = "diskread",
	.summary = "reads a file through from the disk over and over",
	.unit = "bytes",
	.in_default = true,
	.files = 1,
	.prepare = diskread_prepare,
	.step = diskread_step,
	.finish = disk_finish,
};
