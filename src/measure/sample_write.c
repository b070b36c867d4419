/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include "measure/sample.h"
#include "measure/sample_bytes.h"
#include "util/directory.h"
#include "util/wrap.h"

struct sample_writer {
	int fd;
	off_t good;            /* length of the file up to its last whole block */
	uint32_t rate_hz;
	uint32_t wakeups;
	int64_t last_wake_ns;
	uint64_t last_ticks;
	uint8_t block[SAMPLE_BLOCK_BYTES + SAMPLE_BLOCK_CYCLES * CYCLE_MAX_BYTES];
};

/* Writes all of it, or takes back what was written so that the file ends at a whole block. */
static int append(struct sample_writer *writer, const uint8_t *bytes, size_t length)
{
	size_t done = 0;

	while (done < length) {
		ssize_t n = write(writer->fd, bytes + done, length - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int err = n < 0 ? errno : EIO;

			if (ftruncate(writer->fd, writer->good) ||
			    lseek(writer->fd, writer->good, SEEK_SET) < 0)
				return -EIO;
			return -err;
		}
		done += (size_t)n;
	}
	writer->good += (off_t)length;
	return 0;
}

int sample_writer_open(struct sample_writer **result, const char *path,
		       const struct sample_header *header, const char *conditions,
		       struct fault *fault)
{
	size_t length = strlen(conditions);
	struct sample_writer *writer;
	uint8_t *bytes;
	int err;

	if (length > SAMPLE_CONDITIONS_MAX)
		return fault_set(fault, -E2BIG, "%s: conditions too long", path);
	writer = calloc(1, sizeof(*writer));
	bytes = calloc(1, SAMPLE_HEADER_BYTES + length);
	if (!writer || !bytes) {
		free(writer);
		free(bytes);
		return fault_set(fault, -ENOMEM, "%s: no memory", path);
	}
	writer->rate_hz = header->rate_hz;
	writer->wakeups = header->wakeups;
	memcpy(bytes, SAMPLE_MAGIC, SAMPLE_MAGIC_BYTES);
	put_u32(bytes + HEADER_VERSION, SAMPLE_VERSION);
	put_u32(bytes + HEADER_LENGTH, (uint32_t)length);
	put_u32(bytes + HEADER_RATE, header->rate_hz);
	put_u32(bytes + HEADER_WAKEUPS, header->wakeups);
	put_u32(bytes + HEADER_LATENESS, (uint32_t)header->lateness);
	put_u64(bytes + HEADER_SLOPE, (uint64_t)header->slope_ns);
	put_u64(bytes + HEADER_T0, (uint64_t)header->t0_ns);
	/* Its length says where it ends. NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
	memcpy(bytes + SAMPLE_HEADER_BYTES, conditions, length);
	put_u32(bytes + HEADER_CRC,
		(uint32_t)crc32(0, bytes, (uInt)(SAMPLE_HEADER_BYTES + length)));

	writer->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	err = writer->fd < 0 ? -errno : append(writer, bytes, SAMPLE_HEADER_BYTES + length);
	free(bytes);
	if (err) {
		if (writer->fd >= 0) {
			close(writer->fd);
			unlink(path);
		}
		free(writer);
		return fault_set(fault, err, "%s: %s", path, strerror(-err));
	}
	*result = writer;
	return 0;
}

/* Completes the block that lies in writer->block and appends it. */
static int append_block(struct sample_writer *writer, enum sample_block_kind kind,
			unsigned int thread, uint32_t count, size_t payload)
{
	uint8_t *block = writer->block;

	memset(block, 0, SAMPLE_BLOCK_BYTES);
	put_u32(block + BLOCK_MAGIC, SAMPLE_BLOCK_MAGIC);
	block[BLOCK_KIND] = (uint8_t)kind;
	block[BLOCK_THREAD] = (uint8_t)thread;
	put_u32(block + BLOCK_LENGTH, (uint32_t)payload);
	put_u32(block + BLOCK_COUNT, count);
	put_u64(block + BLOCK_WAKE, (uint64_t)writer->last_wake_ns);
	put_u64(block + BLOCK_TICKS, writer->last_ticks);
	put_u32(block + BLOCK_CRC,
		(uint32_t)crc32(0, block, (uInt)(SAMPLE_BLOCK_BYTES + payload)));
	return append(writer, block, SAMPLE_BLOCK_BYTES + payload);
}

static uint8_t *put_varint(uint8_t *at, uint64_t v)
{
	while (v >= 0x80) {
		*at++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*at++ = (uint8_t)v;
	return at;
}

/* What the next cycle of a block is coded against. */
struct coding_state {
	int64_t wake_ns, burn_ns;
	uint64_t ticks;
	uint32_t cpu;
};

static uint8_t *put_cycle(uint8_t *at, const struct sample_writer *writer,
			  struct coding_state *state, const struct cycle *cycle)
{
	uint64_t ticks = cycle->ticks - state->ticks;
	uint8_t *control = at++;

	*control = (uint8_t)((ticks != writer->wakeups ? CYCLE_TICKS : 0) |
			     (cycle->missed ? CYCLE_MISSED : 0) |
			     (cycle->cpu != state->cpu ? CYCLE_CPU : 0) |
			     (cycle->lateness_ns != LATENESS_UNKNOWN ? CYCLE_LATENESS : 0) |
			     (cycle->xruns ? CYCLE_XRUNS : 0));
	if (*control & CYCLE_TICKS)
		at = put_varint(at, ticks);
	if (*control & CYCLE_MISSED)
		at = put_varint(at, cycle->missed);
	if (*control & CYCLE_CPU)
		at = put_varint(at, cycle->cpu);
	at = put_varint(at, zigzag(wrap_sub(wrap_sub(cycle->wake_ns, state->wake_ns),
					   expected_ns(ticks, writer->rate_hz))));
	at = put_varint(at, zigzag(wrap_sub(cycle->burn_ns, state->burn_ns)));
	if (*control & CYCLE_LATENESS)
		at = put_varint(at, zigzag(cycle->lateness_ns));
	if (*control & CYCLE_XRUNS)
		at = put_varint(at, cycle->xruns);
	*state = (struct coding_state){ cycle->wake_ns, cycle->burn_ns, cycle->ticks, cycle->cpu };
	return at;
}

int sample_writer_cycles(struct sample_writer *writer, unsigned int thread,
			 const struct cycle *cycles, size_t n)
{
	for (size_t done = 0; done < n;) {
		struct coding_state state = { .wake_ns = writer->last_wake_ns,
					      .ticks = writer->last_ticks };
		uint8_t *payload = writer->block + SAMPLE_BLOCK_BYTES, *at = payload;
		size_t count = n - done < SAMPLE_BLOCK_CYCLES ? n - done : SAMPLE_BLOCK_CYCLES;
		int err;

		for (size_t i = 0; i < count; i++)
			at = put_cycle(at, writer, &state, &cycles[done + i]);
		err = append_block(writer, SAMPLE_BLOCK_CYCLES_KIND, thread, (uint32_t)count,
				   (size_t)(at - payload));
		if (err)
			return err;
		writer->last_wake_ns = state.wake_ns;
		writer->last_ticks = state.ticks;
		done += count;
	}
	return 0;
}

int sample_writer_event(struct sample_writer *writer, unsigned int thread,
			const struct sample_event *event)
{
	uint8_t *at = writer->block + SAMPLE_BLOCK_BYTES;

	put_u64(at, (uint64_t)event->time_ns);
	put_u32(at + 8, (uint32_t)event->kind);
	put_u64(at + 12, event->value);
	return append_block(writer, SAMPLE_BLOCK_EVENT, thread, 1, EVENT_BYTES);
}

int sample_writer_end(struct sample_writer *writer, unsigned int thread,
		      const struct sample_end *end)
{
	uint8_t *at = writer->block + SAMPLE_BLOCK_BYTES;

	put_u64(at, end->cycles);
	put_u64(at + 8, end->missed);
	put_u64(at + 16, end->lost);
	put_u64(at + 24, end->first_index);
	put_u64(at + 32, end->last_index);
	put_u64(at + 40, end->ticks);
	put_u64(at + 48, (uint64_t)end->last_wake_ns);
	return append_block(writer, SAMPLE_BLOCK_END, thread, 1, END_BYTES);
}

/* Whether that name still leads to the file that is written. */
static bool is_ours(const struct sample_writer *writer, const char *path)
{
	struct stat own, named;

	return !fstat(writer->fd, &own) && !stat(path, &named) && own.st_ino == named.st_ino &&
	       own.st_dev == named.st_dev;
}

static int copy(int from, int to, uint8_t *buffer, size_t size)
{
	off_t at = 0;

	for (;;) {
		ssize_t got = pread(from, buffer, size, at);
		ssize_t done = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		while (done < got) {
			ssize_t n = write(to, buffer + done, (size_t)(got - done));

			if (n < 0 && errno != EINTR)
				return -errno;
			if (n > 0)
				done += n;
		}
		at += got;
	}
}

int sample_writer_keep(struct sample_writer *writer, const char *path, bool *copied,
		       struct fault *fault)
{
	struct stat own;
	int fd, err;

	*copied = false;
	if (is_ours(writer, path))
		return 0;
	err = fstat(writer->fd, &own) ? -errno : directory_make_above(path, own.st_uid);
	fd = err ? -1 : open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (!err)
		err = fd < 0 ? -errno : copy(writer->fd, fd, writer->block, sizeof(writer->block));
	if (err) {
		if (fd >= 0) {
			close(fd);
			unlink(path);
		}
		return fault_set(fault, err, "%s was removed, and cannot be made anew: %s", path,
				 strerror(-err));
	}
	close(writer->fd);
	writer->fd = fd;
	*copied = true;
	return 0;
}

int sample_writer_close(struct sample_writer *writer)
{
	int err = 0;

	if (!writer)
		return 0;
	if (close(writer->fd))
		err = -errno;
	free(writer);
	return err;
}
