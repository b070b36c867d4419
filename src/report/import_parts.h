/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the import share: lines, the run that is being put together, the formats. */
#ifndef LT_REPORT_IMPORT_PARTS_H
#define LT_REPORT_IMPORT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/import.h"

/* ---- lines (import_lines.c) ---- */

#define IMPORT_LINE_BYTES ((size_t)4 << 20) /* of a longer line the rest is not kept */

struct import_line {
	const char *text;    /* without quoting marks, colours, blanks at either end */
	size_t length;
	unsigned long number;
	bool unterminated;   /* the last of a file that does not end in a line end */
};

struct import_lines;

/* NULL without memory. */
struct import_lines *import_lines_new(FILE *in);
void import_lines_free(struct import_lines *lines);

/* The next line, valid until the next call: 1, 0 at the end, or a negative errno. */
int import_lines_next(struct import_lines *lines, struct import_line *line);

/* ---- patterns (import_match.c) ---- */

#define IMPORT_FIELDS 12

struct import_field {
	char text[48];   /* as printed */
	double real;     /* NaN where "nan" was printed */
	uint64_t count;
};

enum import_match {
	IMPORT_MATCH_NOT,   /* it differs before the first field */
	IMPORT_MATCH_BAD,   /* the words before the first field are there, what follows differs */
	IMPORT_MATCH_PART,  /* it ends too early: the rest may stand on the next line */
	IMPORT_MATCH_WHOLE,
};

/*
 * Compares a text with a pattern: a blank stands for any number of blanks, %f for a real number
 * (or nan), %u for a whole one up to 10^15, %% for itself. At most IMPORT_FIELDS fields.
 */
enum import_match import_match(const char *pattern, const char *text,
			       struct import_field *fields);

/* Reads whole numbers separated by blanks to the end of the text; how many, or -1. */
int import_counts(const char *text, uint64_t *counts, int max);

/* ---- where a block stands (import_place.c) ---- */

struct import_place {
	char kernel[80];           /* "" unknown */
	char words[120];           /* what else its heading says, as "CFQ scheduler" */
	unsigned long kernel_line;
	bool dashed;               /* from a heading between dashes */
	bool in_conditions;        /* within the lines of "Test condition:" */
	double load, deadline;     /* of that block; NaN unknown */
	double rate_hz, wakeups, file_bytes;
};

void import_place_clear(struct import_place *place);

/* ---- formats ---- */

struct import;

enum import_taken { IMPORT_OTHER, IMPORT_TAKEN, IMPORT_PART };

enum import_try {
	IMPORT_FIRST,  /* a line as it stands in the file */
	IMPORT_JOINED, /* two or more lines put together: to be left to others if it is not right */
	IMPORT_FINAL,  /* one that was IMPORT_PART, and there is no more of it: it is damaged */
};

struct import_format {
	const char *program; /* what made the text */
	const char *name;    /* of the format */
	/*
	 * Takes a line, or leaves it to the others. IMPORT_PART: the line may go on in the next
	 * one; nothing has been done, and it will come again.
	 */
	enum import_taken (*line)(struct import *im, const struct import_line *line,
				  enum import_try how);
	/* What was begun does not go on: another heading, another mail, the end of the file. */
	void (*flush)(struct import *im);
	/* The run is whole: last touches. May be NULL. */
	void (*finish)(struct import *im, json_t *run);
};

extern const struct import_format import_place_format; /* headings, Test condition */
extern const struct import_format import_png_format;
extern const struct import_format import_classic_format;
extern const struct import_format import_cyclictest_format;
extern const struct import_format import_cyclictest_json_format;

/* ---- the import itself (import.c, import_run.c) ---- */

/* What each format has begun. The first functions give NULL without memory. */
struct import_classic *import_classic_new(void);
void import_classic_free(struct import_classic *classic);
struct import_png *import_png_new(void);
void import_png_free(struct import_png *png);
struct import_cyclictest *import_cyclictest_new(void);
void import_cyclictest_free(struct import_cyclictest *cyclictest);
struct import_collector *import_collector_new(void);
void import_collector_free(struct import_collector *collector);

struct import {
	const char *name;
	struct import_stats *stats;
	int err;                     /* ends the reading */
	struct import_place place;
	json_t *run;                 /* being put together, or NULL */
	const struct import_format *format; /* its */
	struct import_classic *classic;
	struct import_png *png;
	struct import_cyclictest *cyclictest;
	struct import_collector *collector;
	struct import_seen *seen;
	import_sink sink;
	import_complaint complain;
	void *argument;
};

/* A block that cannot be read: counted and told. */
void import_damage(struct import *im, unsigned long line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Flushes every format and gives the run that is being put together to the sink. */
void import_flush(struct import *im);

/*
 * The match of a line with a pattern, as what a format is to answer: IMPORT_OTHER and IMPORT_PART
 * are answers as they are; IMPORT_TAKEN means that it fits, or with *bad that it is damaged.
 */
enum import_taken import_try_match(const char *pattern, const struct import_line *line,
				   enum import_try how, struct import_field *fields, bool *bad);

/* Ends the run before it and begins one of that format, found at that line. NULL sets im->err. */
json_t *import_begin_run(struct import *im, const struct import_format *format,
			 unsigned long line);
void import_end_run(struct import *im);

/* A phase without threads: name, status, line of origin. */
json_t *import_phase(const char *name, unsigned long line);

/* Adds a thread object to the phase; the new object is the phase's. */
json_t *import_thread(json_t *phase, unsigned int number);

/*
 * Puts the figures of latencytest into a thread: max_diff is one field of ms and one of overruns,
 * the others are one of a count and one of percent.
 */
void import_put_figures(json_t *thread, const struct import_field max_diff[2],
			const struct import_field within_1ms[2],
			const struct import_field within_2ms[2]);

/* Whether a phase with these figures was read before; it is counted, and remembered if not. */
bool import_duplicate(struct import *im, const json_t *phase);

/* Appends it to the run; takes the reference. */
void import_add_phase(struct import *im, json_t *phase);

/* Puts down which stressors there were, as far as the text has their blocks. */
void import_put_stress(json_t *run);

/* ---- recovery (import_diffs.c) ---- */

#define IMPORT_DIFFS_UNBOUNDED UINT64_MAX

struct import_within {
	uint64_t count;
	const char *factor; /* as printed, with %g, without the % sign */
};

/*
 * The numbers of diffs of which both counts are, printed with %g, the percentages given: *min to
 * *max, where *max may be IMPORT_DIFFS_UNBOUNDED. 0, or -EPROTO where no number fits both.
 */
int import_recover_diffs(const struct import_within within[2], uint64_t *min, uint64_t *max);

/* ---- quantiles of a histogram of whole numbers (import_quantiles.c) ---- */

struct import_cell {
	uint32_t value;
	uint32_t column;
	uint64_t count;
};

/*
 * Puts the quantiles of a column into its thread as lateness_median_us and so on: cells in rising
 * order of value, n of them counted and above more beyond the last; unit_us is what a value of 1
 * is. columns is how many threads there are, and n, above have that many.
 */
int import_put_quantiles(json_t *const *threads, size_t columns, const struct import_cell *cells,
			 size_t n_cells, const uint64_t *n, const uint64_t *above, double unit_us);

#endif
