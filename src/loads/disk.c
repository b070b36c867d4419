/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "loads/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "loads/load_child.h"

_Static_assert(sizeof(off_t) == 8, "files may be larger than 2 GiB: AC_SYS_LARGEFILE is missing");

#define PAGE 4096

/* In preparing, data is synced this often: no wait is then too long for a SIGTERM. */
#define SYNC_EVERY ((uint64_t)64 * 1024 * 1024)

/*
 * For file systems without O_TMPFILE. Killed between making and removing, an empty directory
 * would be left: that is some microseconds.
 */
static int open_and_unlink(const char *dir, struct fault *fault)
{
	char *private_dir = NULL, *file = NULL;
	int fd = -1, err = 0;

	if (asprintf(&private_dir, "%s/.latencytest-XXXXXX", dir) < 0)
		return fault_set(fault, -ENOMEM, "out of memory");
	if (!mkdtemp(private_dir)) {
		err = fault_set(fault, -errno, "%s: cannot make a directory: %s", dir,
				strerror(errno));
		free(private_dir);
		return err;
	}
	if (asprintf(&file, "%s/file-XXXXXX", private_dir) < 0) {
		file = NULL;
		err = fault_set(fault, -ENOMEM, "out of memory");
	} else {
		fd = mkostemp(file, O_CLOEXEC);
		if (fd < 0)
			err = fault_set(fault, -errno, "%s: cannot make a file: %s", dir,
					strerror(errno));
		else
			unlink(file);
	}
	if (rmdir(private_dir) < 0 && fd >= 0) {
		/* NFS gives the open file another name until it is closed. */
		close(fd);
		rmdir(private_dir);
		err = fault_set(fault, -EOPNOTSUPP,
				"%s: its file system has no files without a name (NFS?)", dir);
	}
	free(file);
	free(private_dir);
	return err ? err : fd;
}

int disk_open_nameless(const char *dir, struct fault *fault)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	/* File systems refuse O_TMPFILE in many ways; what else is wrong, the second way tells. */
	return fd >= 0 ? fd : open_and_unlink(dir, fault);
}

/* xorshift64*: quick, and nothing that a file system could compress. */
static void fill_random(unsigned char *buf, size_t size)
{
	uint64_t x = 0x9e3779b97f4a7c15ULL, word;

	for (size_t i = 0; i < size; i += sizeof(word)) {
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		word = x * 0x2545f4914f6cdd1dULL;
		memcpy(buf + i, &word, sizeof(word));
	}
}

int disk_new(struct disk **disk, const struct load_params *params, bool source, bool target,
	     struct fault *fault)
{
	struct disk *d;
	int err = 0;

	if (!params->file_bytes || params->file_bytes > INT64_MAX)
		return fault_set(fault, -EINVAL, "a file of %llu bytes cannot be worked with",
				 (unsigned long long)params->file_bytes);
	d = calloc(1, sizeof(*d));
	if (!d)
		return fault_set(fault, -ENOMEM, "out of memory");
	d->dir = params->dir;
	d->bytes = params->file_bytes;
	d->source = -1;
	d->target = -1;
	d->buf = malloc(DISK_CHUNK);
	if (!d->buf) {
		err = fault_set(fault, -ENOMEM, "out of memory");
	} else {
		fill_random(d->buf, DISK_CHUNK);
		if (source)
			err = d->source = disk_open_nameless(d->dir, fault);
		if (err >= 0 && target)
			err = d->target = disk_open_nameless(d->dir, fault);
	}
	if (err < 0) {
		disk_free(d);
		return err;
	}
	*disk = d;
	return 0;
}

void disk_free(struct disk *disk)
{
	if (!disk)
		return;
	if (disk->source >= 0)
		close(disk->source);
	if (disk->target >= 0)
		close(disk->target);
	free(disk->buf);
	free(disk);
}

void disk_finish(void *state)
{
	disk_free(state);
}

static int failed(const struct disk *disk, const char *what, int err, struct fault *fault)
{
	return fault_set(fault, -err, "%s: cannot %s the work file: %s (at byte %llu of %llu)",
			 disk->dir, what, strerror(err), (unsigned long long)disk->pos,
			 (unsigned long long)disk->bytes);
}

static size_t next_piece(const struct disk *disk)
{
	uint64_t left = disk->bytes - disk->pos;

	return left < DISK_CHUNK ? (size_t)left : DISK_CHUNK;
}

int disk_write(struct disk *disk, int fd, size_t len, struct fault *fault)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pwrite(fd, disk->buf + done, len - done, (off_t)(disk->pos + done));

		if (n < 0 && errno == EINTR && !load_stopping())
			continue;
		if (n <= 0)
			return failed(disk, "write", n < 0 ? errno : ENOSPC, fault);
		done += (size_t)n;
	}
	return 0;
}

int disk_write_fresh(struct disk *disk, int fd, size_t len, struct fault *fault)
{
	/* Pages that are all different are safe from file systems that store equal ones once. */
	for (size_t i = 0; i < DISK_CHUNK; i += PAGE) {
		disk->stamp++;
		memcpy(disk->buf + i, &disk->stamp, sizeof(disk->stamp));
	}
	return disk_write(disk, fd, len, fault);
}

int disk_read(struct disk *disk, size_t len, struct fault *fault)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(disk->source, disk->buf + done, len - done,
				  (off_t)(disk->pos + done));

		if (n < 0 && errno == EINTR && !load_stopping())
			continue;
		if (n <= 0)
			return failed(disk, "read", n < 0 ? errno : EIO, fault);
		done += (size_t)n;
	}
	return 0;
}

int disk_empty_target(struct disk *disk, struct fault *fault)
{
	return ftruncate(disk->target, 0) < 0 ? failed(disk, "truncate", errno, fault) : 0;
}

int disk_sync(struct disk *disk, int fd, struct fault *fault)
{
	return fsync(fd) < 0 ? failed(disk, "sync", errno, fault) : 0;
}

int disk_drop_cache(struct disk *disk, int fd, struct fault *fault)
{
	int err = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);

	return err ? failed(disk, "uncache", err, fault) : 0;
}

/* -EINTR on SIGTERM. */
static int fill_source(struct disk *disk, struct fault *fault)
{
	int err = 0;

	while (!err && disk->pos < disk->bytes) {
		size_t len = next_piece(disk);

		if (load_stopping())
			return fault_set(fault, -EINTR, "asked to end");
		err = disk_write_fresh(disk, disk->source, len, fault);
		disk->pos += len;
		if (!err && (disk->pos % SYNC_EVERY == 0 || disk->pos == disk->bytes))
			err = disk_sync(disk, disk->source, fault);
	}
	disk->pos = 0;
	return err ? err : disk_drop_cache(disk, disk->source, fault);
}

int disk_prepare_source(const struct load_params *params, bool target, void **state,
			struct fault *fault)
{
	struct disk *disk = NULL;
	int err = disk_new(&disk, params, true, target, fault);

	if (err || !disk)
		return err;
	err = fill_source(disk, fault);
	if (err)
		disk_free(disk);
	else
		*state = disk;
	return err;
}

int64_t disk_step(struct disk *disk, const struct disk_pass *pass, struct fault *fault)
{
	size_t len = next_piece(disk);
	int err = disk->pos ? 0 : pass->begin(disk, fault);

	if (!err)
		err = pass->piece(disk, len, fault);
	if (err)
		return err;
	disk->pos += len;
	if (disk->pos == disk->bytes) {
		err = pass->end ? pass->end(disk, fault) : 0;
		disk->pos = 0;
	}
	return err ? err : (int64_t)len;
}
