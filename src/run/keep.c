/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/result.h"
#include "run/record.h"
#include "util/directory.h"
#include "util/jx.h"
#include "util/stamp.h"

/* More than run.json, a log and the summary take; where there is less room, what there is. */
#define RESERVE_BYTES (512 * 1024)
#define RESERVE_LEAST_BYTES (32 * 1024)

int keep_make_directory(const char *output, char *dir, size_t size, struct fault *fault)
{
	int n;

	if (output)
		n = snprintf(dir, size, "%s", output);
	else
		n = stamp_directory(dir, size, "latencytest");
	if (n >= (int)size - 64)
		return fault_set(fault, -ENAMETOOLONG, "--output: name too long");
	if (!mkdir(dir, 0777))
		return 0;
	if (errno == EEXIST)
		return fault_set(fault, -EEXIST,
				 "--output %s: exists already; valid is a directory that does not",
				 dir);
	return fault_set(fault, -errno,
			 "--output %s: cannot be made: %s; valid is a new directory below one that "
			 "can be written", dir, strerror(errno));
}

/* Blocks of a file without a name: they come free with its descriptor, however this ends. */
static void take_reserve(struct keep *keep)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/.reserve", keep->dir) >= (int)sizeof(path))
		return;
	keep->reserve_fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (keep->reserve_fd < 0)
		return;
	unlink(path);
	for (off_t bytes = RESERVE_BYTES; bytes >= RESERVE_LEAST_BYTES; bytes /= 2)
		if (!fallocate(keep->reserve_fd, 0, 0, bytes))
			break;
}

static void release_reserve(struct keep *keep)
{
	if (keep->reserve_fd >= 0)
		close(keep->reserve_fd);
	keep->reserve_fd = -1;
}

static void remember(struct keep *keep)
{
	struct stat st;

	/* Held open: the number of an inode that is free would be given to the next directory. */
	if (keep->dir_fd >= 0)
		close(keep->dir_fd);
	keep->dir_fd = open(keep->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (keep->dir_fd < 0 || fstat(keep->dir_fd, &st))
		return;
	keep->device = st.st_dev;
	keep->inode = st.st_ino;
	keep->owner = st.st_uid;
}

void keep_open(struct keep *keep, const char *dir)
{
	*keep = (struct keep){ .dir = dir, .reserve_fd = -1, .dir_fd = -1 };
	remember(keep);
	take_reserve(keep);
}

void keep_close(struct keep *keep)
{
	release_reserve(keep);
	if (keep->dir_fd >= 0)
		close(keep->dir_fd);
	keep->dir_fd = -1;
}

/* All logs of phases that were done before; a log that fails is told by the save that follows. */
static void save_logs(const struct keep *keep, const json_t *run)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (json_array_size(json_object_get(phase, "threads")))
			result_save_log(keep->dir, run, phase, NULL);
}

/* Makes the directory anew where its name no longer leads to the one that was made. */
static int hold_directory(struct keep *keep, json_t *run, struct fault *fault)
{
	struct stat st;
	int err;

	if (!stat(keep->dir, &st) && st.st_dev == keep->device && st.st_ino == keep->inode)
		return 0;
	keep->harmed = true;
	err = directory_make(keep->dir, keep->owner);
	if (err)
		return fault_set(fault, err, "the result directory %.200s was removed, and cannot "
				 "be made anew: %s", keep->dir, strerror(-err));
	record_incident(run, "the result directory was removed or moved in mid-run; it was made "
			"anew");
	remember(keep);
	save_logs(keep, run);
	return 0;
}

static int save(struct keep *keep, json_t *run, const json_t *phase, struct fault *fault)
{
	int err = hold_directory(keep, run, fault);

	if (!err && phase && json_array_size(json_object_get(phase, "threads")))
		err = result_save_log(keep->dir, run, phase, fault);
	return err ? err : result_save_run(keep->dir, run, fault);
}

int keep_save(struct keep *keep, json_t *run, const json_t *phase, struct fault *fault)
{
	int err;

	release_reserve(keep);
	err = save(keep, run, phase, fault);
	take_reserve(keep);
	return err;
}

/* Whether the samples that a phase says to have are there. */
static bool has_samples(const struct keep *keep, const json_t *phase)
{
	const json_t *recording = json_object_get(phase, "recording");
	char path[PATH_MAX];

	if (!recording)
		return true;
	snprintf(path, sizeof(path), "%s/%s", keep->dir, jx_text(recording, "samples_file"));
	return !access(path, F_OK);
}

int keep_save_last(struct keep *keep, json_t *run, struct fault *fault)
{
	const json_t *phase;
	size_t i;
	int err;

	release_reserve(keep);
	err = hold_directory(keep, run, fault);
	if (err)
		return err;
	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		if (has_samples(keep, phase))
			continue;
		keep->harmed = true;
		record_incident(run, "%s: its sample file was removed after the phase; its figures "
				"are kept", jx_text(phase, "name"));
	}
	err = save(keep, run, NULL, fault);
	return err ? err : result_save_summary(keep->dir, run, fault);
}

void keep_note_phase(struct keep *keep, json_t *run, const char *name,
		     const struct phase_result *result)
{
	if (result->samples_copied) {
		keep->harmed = true;
		record_incident(run, "%s: its sample file was removed in mid-phase; it was made "
				"anew, whole, from what was still open", name);
	}
	if (result->recorder.full_ns)
		record_incident(run, "%s: the disk of the result directory was full for %.1f s; "
				"samples waited in memory", name,
				(double)result->recorder.full_ns / 1e9);
}
