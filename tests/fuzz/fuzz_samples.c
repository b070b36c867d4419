/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: any bytes as a sample file, read, evaluated and drawn. The mutator repairs
 * magic numbers and checksums, or nothing behind them would ever be reached.
 *
 *	clang -fsanitize=fuzzer,address,undefined ... tests/fuzz/fuzz_samples.c liblatencytest.a ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "measure/sample.h"
#include "measure/sample_bytes.h"
#include "report/evaluate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static uint32_t crc_of(uint8_t *head, size_t head_bytes, size_t crc_at, size_t body_bytes)
{
	put_u32(head + crc_at, 0);
	return (uint32_t)crc32(0, head, (uInt)(head_bytes + body_bytes));
}

/* Makes the header, then block after block, believable as far as the bytes reach. */
static void repair(uint8_t *data, size_t size)
{
	size_t at, length;

	if (size < SAMPLE_HEADER_BYTES)
		return;
	memcpy(data, SAMPLE_MAGIC, SAMPLE_MAGIC_BYTES);
	put_u32(data + HEADER_VERSION, SAMPLE_VERSION);
	length = get_u32(data + HEADER_LENGTH) % 64;
	if (length > size - SAMPLE_HEADER_BYTES)
		length = 0;
	put_u32(data + HEADER_LENGTH, (uint32_t)length);
	put_u32(data + HEADER_LATENESS, 1 + get_u32(data + HEADER_LATENESS) % 3);
	put_u32(data + HEADER_CRC, crc_of(data, SAMPLE_HEADER_BYTES, HEADER_CRC, length));
	for (at = SAMPLE_HEADER_BYTES + length; at + SAMPLE_BLOCK_BYTES <= size;
	     at += SAMPLE_BLOCK_BYTES + length) {
		uint8_t *block = data + at;

		length = get_u32(block + BLOCK_LENGTH);
		if (length > size - at - SAMPLE_BLOCK_BYTES)
			length = size - at - SAMPLE_BLOCK_BYTES;
		put_u32(block + BLOCK_MAGIC, SAMPLE_BLOCK_MAGIC);
		put_u32(block + BLOCK_LENGTH, (uint32_t)length);
		put_u32(block + BLOCK_CRC, crc_of(block, SAMPLE_BLOCK_BYTES, BLOCK_CRC, length));
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	size = LLVMFuzzerMutate(data, size, max_size);
	/* Sometimes the damage is left as it is. */
	if (seed % 8)
		repair(data, size);
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metrics_params params = { .period_ns = 1953125, .deadline = 2, .burn_ns = 1562500,
					 .throttle_gap_ns = 5e7, .throttle_period_ns = 1e9 };
	struct evaluation evaluation;
	struct fault fault = { "" };
	uint64_t expected;
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!evaluate_samples(path, &params, &evaluation, &fault)) {
		/* Whatever the file says, what was read is accounted for. */
		if (!histogram_consistent(evaluation.metrics.diff) ||
		    evaluation.metrics.diff->n != evaluation.metrics.diffs ||
		    evaluation.metrics.burn->n != evaluation.metrics.cycles)
			abort();
		if (evaluation.damaged && !evaluation.damage.text[0])
			abort();
		evaluation_consistent(&evaluation, &expected, &fault);
		evaluation_free(&evaluation);
	} else if (!fault.text[0]) {
		abort();
	}
	close(fd);
	return 0;
}
