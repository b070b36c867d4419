/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout of a sample file, shared by its writer and its reader. Little endian throughout. */
#ifndef LT_MEASURE_SAMPLE_BYTES_H
#define LT_MEASURE_SAMPLE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#define SAMPLE_MAGIC "LTSAMPLE"
#define SAMPLE_MAGIC_BYTES 8

/* File header: magic, version, then the fields of struct sample_header, conditions, checksum. */
#define SAMPLE_HEADER_BYTES 48
enum {
	HEADER_VERSION = 8,     /* u32 */
	HEADER_LENGTH = 12,     /* u32: bytes of the conditions */
	HEADER_RATE = 16,       /* u32 */
	HEADER_WAKEUPS = 20,    /* u32 */
	HEADER_LATENESS = 24,   /* u32 */
	HEADER_CRC = 28,        /* u32: over these 48 bytes with this field 0, and the conditions */
	HEADER_SLOPE = 32,      /* i64 */
	HEADER_T0 = 40,         /* i64 */
};

#define SAMPLE_BLOCK_MAGIC 0x4b42544cu /* "LTBK" */
#define SAMPLE_BLOCK_BYTES 40
enum {
	BLOCK_MAGIC = 0,        /* u32 */
	BLOCK_KIND = 4,         /* u8 */
	BLOCK_THREAD = 5,       /* u8 */
	BLOCK_ZERO = 6,         /* u16: 0 */
	BLOCK_LENGTH = 8,       /* u32: bytes of the payload */
	BLOCK_COUNT = 12,       /* u32: records in it */
	BLOCK_WAKE = 16,        /* i64: wake-up of the cycle before; 0 for the first */
	BLOCK_TICKS = 24,       /* u64: ticks of that cycle */
	BLOCK_CRC = 32,         /* u32: over these 40 bytes with this field 0, and the payload */
	BLOCK_ZERO2 = 36,       /* u32: 0 */
};

/* Bits of the byte that begins a cycle: which fields follow it. */
enum {
	CYCLE_TICKS = 1 << 0,    /* ticks differ from wakeups */
	CYCLE_MISSED = 1 << 1,   /* missed is not 0 */
	CYCLE_CPU = 1 << 2,      /* the CPU differs from that of the cycle before */
	CYCLE_LATENESS = 1 << 3, /* the source told the lateness */
	CYCLE_XRUNS = 1 << 4,    /* xruns is not 0 */
	CYCLE_KNOWN_BITS = (1 << 5) - 1,
};

/* A varint has 7 bits in a byte, the lowest first, the high bit set in all but the last. */
#define VARINT_MAX_BYTES 10
/* Control byte, and wake, burn, ticks, missed, cpu, lateness, xruns at their longest. */
#define CYCLE_MAX_BYTES (1 + 7 * VARINT_MAX_BYTES)

#define EVENT_BYTES 20 /* i64 time, u32 kind, u64 value */
#define END_BYTES 56   /* the fields of struct sample_end in their order, 8 bytes each */

static inline void put_u32(uint8_t *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

static inline void put_u64(uint8_t *at, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

static inline uint32_t get_u32(const uint8_t *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static inline uint64_t get_u64(const uint8_t *at)
{
	return get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}

/* Small numbers of either sign to small unsigned ones: 0, -1, 1, -2 ... */
static inline uint64_t zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}

static inline int64_t unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

/* ns by which wake-up times are expected to grow per tick-count delta; rounded down. */
static inline int64_t expected_ns(uint64_t ticks, uint32_t rate_hz)
{
	return (int64_t)(ticks * 1000000000u / rate_hz);
}

#endif
