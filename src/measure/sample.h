/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample files: every cycle of a phase, as it was measured. doc/sample-format.md describes the
 * bytes; this header is all that the reports know of measuring.
 */
#ifndef LT_MEASURE_SAMPLE_H
#define LT_MEASURE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/cycle.h"
#include "measure/source.h"
#include "util/fault.h"

#define SAMPLE_VERSION 1
#define SAMPLE_BLOCK_CYCLES 4096        /* at most in one block */
#define SAMPLE_CONDITIONS_MAX (1 << 20) /* bytes of the conditions text */

/* What a reader needs to place cycles on the due grid. */
struct sample_header {
	uint32_t rate_hz;
	uint32_t wakeups;
	enum lateness_kind lateness;
	int64_t slope_ns;   /* of LATENESS_FITTED, else 0 */
	int64_t t0_ns;      /* CLOCK_MONOTONIC of tick 0 */
};

enum sample_event_kind {
	SAMPLE_LOST = 1,          /* value: cycles that the ring could not take, just before */
	SAMPLE_WRITE_BLOCKED = 2, /* value: ns for which one write to this file was blocked */
	SAMPLE_STRESSOR_STALLED = 3,
	SAMPLE_XRUN = 4,
};

struct sample_event {
	int64_t time_ns; /* after tick 0 */
	enum sample_event_kind kind;
	uint64_t value;
};

/* The last block of a recording that ended in order: the loop's own count, to check against. */
struct sample_end {
	uint64_t cycles;
	uint64_t missed;
	uint64_t lost;
	uint64_t first_index;
	uint64_t last_index;
	uint64_t ticks;
	int64_t last_wake_ns;
};

/* ---- writing ---- */

struct sample_writer;

/*
 * Makes the file (which must not exist) and writes its header with the conditions, a JSON text.
 * 0 or a negative errno with the reason in fault. The caller ends it with sample_writer_close().
 */
int sample_writer_open(struct sample_writer **writer, const char *path,
		       const struct sample_header *header, const char *conditions,
		       struct fault *fault);

/*
 * Each appends blocks with one write(). 0 or a negative errno; the file then ends at a whole
 * block.
 */
int sample_writer_cycles(struct sample_writer *writer, unsigned int thread,
			 const struct cycle *cycles, size_t n);
int sample_writer_event(struct sample_writer *writer, unsigned int thread,
			const struct sample_event *event);
int sample_writer_end(struct sample_writer *writer, unsigned int thread,
		      const struct sample_end *end);

/*
 * Sees to it that the file can be found by its name: where somebody removed that, or the directory
 * above it, both are made anew and what was written is copied (*copied is then true). After the
 * last block. 0, or a negative errno with the reason in fault; the file is then lost.
 */
int sample_writer_keep(struct sample_writer *writer, const char *path, bool *copied,
		       struct fault *fault);

/* Closes and frees. 0 or the negative errno of close(). writer may be NULL. */
int sample_writer_close(struct sample_writer *writer);

/* ---- reading ---- */

enum sample_block_kind {
	SAMPLE_BLOCK_CYCLES_KIND = 1,
	SAMPLE_BLOCK_EVENT = 2,
	SAMPLE_BLOCK_END = 3,
};

/* One block, decoded. The memory is the reader's and holds until the next call. */
struct sample_block {
	enum sample_block_kind kind;
	unsigned int thread;
	size_t n;                    /* SAMPLE_BLOCK_CYCLES_KIND */
	const struct cycle *cycles;
	struct sample_event event;   /* SAMPLE_BLOCK_EVENT */
	struct sample_end end;       /* SAMPLE_BLOCK_END */
};

struct sample_reader;

/*
 * Opens a sample file and reads its header. 0 or a negative errno with the reason in fault
 * (-EPROTO: not a sample file, or its header is damaged; -ENOTSUP: a later version).
 */
int sample_reader_open(struct sample_reader **reader, const char *path, struct fault *fault);

const struct sample_header *sample_reader_header(const struct sample_reader *reader);
const char *sample_reader_conditions(const struct sample_reader *reader);

/*
 * The next block: 1, or 0 at the end of the file, or a negative errno with the reason and the
 * place in fault (-EPROTO: cut or damaged there; all blocks before it were good).
 */
int sample_reader_next(struct sample_reader *reader, struct sample_block *block,
		       struct fault *fault);

/* Back to the first block. 0 or a negative errno. */
int sample_reader_rewind(struct sample_reader *reader);

/* reader may be NULL. */
void sample_reader_close(struct sample_reader *reader);

#endif
