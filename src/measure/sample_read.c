/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "measure/sample.h"
#include "measure/sample_bytes.h"
#include "util/regular.h"
#include "util/wrap.h"

struct sample_reader {
	FILE *file;
	char *path;
	char *conditions;
	struct sample_header header;
	long first_block;     /* offset of the first block */
	uint64_t offset;      /* of the block read last, for messages */
	uint8_t head[SAMPLE_BLOCK_BYTES];
	uint8_t payload[SAMPLE_BLOCK_CYCLES * CYCLE_MAX_BYTES];
	struct cycle cycles[SAMPLE_BLOCK_CYCLES];
};

/* crc32 of head (with its checksum field taken as 0) and body. */
static uint32_t checksum(const uint8_t *head, size_t head_bytes, size_t crc_at,
			 const uint8_t *body, size_t body_bytes)
{
	static const uint8_t zero[4];
	uLong crc = crc32(0, head, (uInt)crc_at);

	crc = crc32(crc, zero, sizeof(zero));
	crc = crc32(crc, head + crc_at + 4, (uInt)(head_bytes - crc_at - 4));
	return (uint32_t)crc32(crc, body, (uInt)body_bytes);
}

static int read_header(struct sample_reader *reader, struct fault *fault)
{
	struct sample_header *header = &reader->header;
	uint8_t bytes[SAMPLE_HEADER_BYTES];
	uint32_t length;

	if (fread(bytes, 1, sizeof(bytes), reader->file) != sizeof(bytes) ||
	    memcmp(bytes, SAMPLE_MAGIC, SAMPLE_MAGIC_BYTES))
		return fault_set(fault, -EPROTO, "%s: not a sample file", reader->path);
	if (get_u32(bytes + HEADER_VERSION) != SAMPLE_VERSION)
		return fault_set(fault, -ENOTSUP,
				 "%s: sample format version %u, this program reads %u",
				 reader->path, get_u32(bytes + HEADER_VERSION), SAMPLE_VERSION);
	length = get_u32(bytes + HEADER_LENGTH);
	if (length > SAMPLE_CONDITIONS_MAX)
		return fault_set(fault, -EPROTO, "%s: damaged header", reader->path);
	reader->conditions = calloc(1, length + 1);
	if (!reader->conditions)
		return fault_set(fault, -ENOMEM, "%s: no memory", reader->path);
	if (fread(reader->conditions, 1, length, reader->file) != length ||
	    checksum(bytes, sizeof(bytes), HEADER_CRC, (const uint8_t *)reader->conditions,
		     length) != get_u32(bytes + HEADER_CRC))
		return fault_set(fault, -EPROTO, "%s: damaged header", reader->path);
	header->rate_hz = get_u32(bytes + HEADER_RATE);
	header->wakeups = get_u32(bytes + HEADER_WAKEUPS);
	header->lateness = (enum lateness_kind)get_u32(bytes + HEADER_LATENESS);
	header->slope_ns = (int64_t)get_u64(bytes + HEADER_SLOPE);
	header->t0_ns = (int64_t)get_u64(bytes + HEADER_T0);
	if (!header->rate_hz || !header->wakeups || header->lateness < LATENESS_EXACT ||
	    header->lateness > LATENESS_INTERRUPT)
		return fault_set(fault, -EPROTO, "%s: impossible header", reader->path);
	reader->first_block = ftell(reader->file);
	reader->offset = (uint64_t)reader->first_block;
	return 0;
}

int sample_reader_open(struct sample_reader **result, const char *path, struct fault *fault)
{
	struct sample_reader *reader = calloc(1, sizeof(*reader));
	int err;

	if (!reader || !(reader->path = strdup(path))) {
		sample_reader_close(reader);
		return fault_set(fault, -ENOMEM, "%s: no memory", path);
	}
	reader->file = regular_open(path, &err, fault);
	if (reader->file)
		err = read_header(reader, fault);
	if (err) {
		sample_reader_close(reader);
		return err;
	}
	*result = reader;
	return 0;
}

const struct sample_header *sample_reader_header(const struct sample_reader *reader)
{
	return &reader->header;
}

const char *sample_reader_conditions(const struct sample_reader *reader)
{
	return reader->conditions;
}

static int damaged(const struct sample_reader *reader, const char *what, struct fault *fault)
{
	return fault_set(fault, -EPROTO, "%s: %s at byte %llu; what lies before it was read",
			 reader->path, what, (unsigned long long)reader->offset);
}

struct cursor {
	const uint8_t *at, *end;
	bool bad; /* ran over the end, or a number of more than 64 bits */
};

static uint64_t take_varint(struct cursor *cursor)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
		uint8_t byte = *cursor->at++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	cursor->bad = true;
	return 0;
}

static bool decode_cycles(struct sample_reader *reader, size_t count, size_t length)
{
	struct cursor cursor = { reader->payload, reader->payload + length, false };
	int64_t wake_ns = (int64_t)get_u64(reader->head + BLOCK_WAKE), burn_ns = 0;
	uint64_t ticks = get_u64(reader->head + BLOCK_TICKS);
	uint32_t cpu = 0;

	for (size_t i = 0; i < count; i++) {
		struct cycle *cycle = &reader->cycles[i];
		uint64_t step = reader->header.wakeups;
		uint8_t control;

		if (cursor.at == cursor.end)
			return false;
		control = *cursor.at++;
		if (control & ~CYCLE_KNOWN_BITS)
			return false;
		if (control & CYCLE_TICKS)
			step = take_varint(&cursor);
		cycle->missed = control & CYCLE_MISSED ? (uint32_t)take_varint(&cursor) : 0;
		if (control & CYCLE_CPU)
			cpu = (uint32_t)take_varint(&cursor);
		wake_ns = wrap_add(wake_ns, expected_ns(step, reader->header.rate_hz));
		wake_ns = wrap_add(wake_ns, unzigzag(take_varint(&cursor)));
		burn_ns = wrap_add(burn_ns, unzigzag(take_varint(&cursor)));
		ticks += step;
		cycle->lateness_ns = control & CYCLE_LATENESS ? unzigzag(take_varint(&cursor)) :
								LATENESS_UNKNOWN;
		cycle->xruns = control & CYCLE_XRUNS ? (uint32_t)take_varint(&cursor) : 0;
		cycle->wake_ns = wake_ns;
		cycle->burn_ns = burn_ns;
		cycle->ticks = ticks;
		cycle->cpu = cpu;
	}
	return !cursor.bad && cursor.at == cursor.end;
}

static bool decode_event(const uint8_t *at, size_t length, struct sample_event *event)
{
	if (length != EVENT_BYTES)
		return false;
	event->time_ns = (int64_t)get_u64(at);
	event->kind = (enum sample_event_kind)get_u32(at + 8);
	event->value = get_u64(at + 12);
	return true;
}

static bool decode_end(const uint8_t *at, size_t length, struct sample_end *end)
{
	if (length != END_BYTES)
		return false;
	*end = (struct sample_end){
		.cycles = get_u64(at),
		.missed = get_u64(at + 8),
		.lost = get_u64(at + 16),
		.first_index = get_u64(at + 24),
		.last_index = get_u64(at + 32),
		.ticks = get_u64(at + 40),
		.last_wake_ns = (int64_t)get_u64(at + 48),
	};
	return true;
}

static bool decode(struct sample_reader *reader, struct sample_block *block, size_t count,
		   size_t length)
{
	switch (block->kind) {
	case SAMPLE_BLOCK_CYCLES_KIND:
		block->n = count;
		block->cycles = reader->cycles;
		return decode_cycles(reader, count, length);
	case SAMPLE_BLOCK_EVENT:
		return decode_event(reader->payload, length, &block->event);
	case SAMPLE_BLOCK_END:
		return decode_end(reader->payload, length, &block->end);
	}
	return false;
}

int sample_reader_next(struct sample_reader *reader, struct sample_block *block,
		       struct fault *fault)
{
	const uint8_t *head = reader->head;
	size_t got = fread(reader->head, 1, sizeof(reader->head), reader->file);
	uint32_t length, count;

	if (got == 0 && !ferror(reader->file))
		return 0;
	if (ferror(reader->file))
		return fault_set(fault, -EIO, "%s: read error", reader->path);
	if (got < sizeof(reader->head))
		return damaged(reader, "cut off", fault);
	length = get_u32(head + BLOCK_LENGTH);
	count = get_u32(head + BLOCK_COUNT);
	if (get_u32(head + BLOCK_MAGIC) != SAMPLE_BLOCK_MAGIC || length > sizeof(reader->payload) ||
	    count > SAMPLE_BLOCK_CYCLES)
		return damaged(reader, "damaged block", fault);
	if (fread(reader->payload, 1, length, reader->file) != length)
		return damaged(reader, "cut off", fault);
	if (checksum(head, sizeof(reader->head), BLOCK_CRC, reader->payload, length) !=
	    get_u32(head + BLOCK_CRC))
		return damaged(reader, "damaged block", fault);
	*block = (struct sample_block){ .kind = (enum sample_block_kind)head[BLOCK_KIND],
					.thread = head[BLOCK_THREAD] };
	if (!decode(reader, block, count, length))
		return damaged(reader, "impossible block", fault);
	reader->offset += sizeof(reader->head) + length;
	return 1;
}

int sample_reader_rewind(struct sample_reader *reader)
{
	if (fseek(reader->file, reader->first_block, SEEK_SET))
		return -errno;
	clearerr(reader->file);
	reader->offset = (uint64_t)reader->first_block;
	return 0;
}

void sample_reader_close(struct sample_reader *reader)
{
	if (!reader)
		return;
	if (reader->file)
		fclose(reader->file);
	free(reader->conditions);
	free(reader->path);
	free(reader);
}
