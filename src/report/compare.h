/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several sides (kernels, settings) is better, and is it significant. A side has a label
 * and one or more runs; the first side is the reference. The unit of replication is the run. Runs
 * are put in, compare_evaluate() does all the arithmetic, the writers print what came out.
 */
#ifndef LT_REPORT_COMPARE_H
#define LT_REPORT_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "report/histogram.h"
#include "report/stats.h"
#include "util/fault.h"

#define COMPARE_MAX_SIDES 16
#define COMPARE_ALPHA 0.05
#define COMPARE_CONFIDENCE 0.95
#define COMPARE_MIN_RUNS 4 /* a side, for a `*` */

enum compare_kind {
	COMPARE_COUNT,    /* events: a rate per expected cycle */
	COMPARE_QUANTILE, /* of a run: rank test over runs */
	COMPARE_MAXIMUM,  /* of a run: likewise, where all runs are equally long */
	COMPARE_PLAIN,    /* shown with its interval, not tested */
};

/* What an effect must reach at least before it can earn a `*`. */
struct compare_floor {
	double rate;             /* COMPARE_COUNT: events per cycle */
	double reference_share;  /* of the reference's median */
	double period_share;     /* of the period */
	double value;            /* in the unit of the metric */
};

struct compare_metric {
	const char *key;         /* member of a thread or of the stressor in run.json */
	const char *name, *unit; /* unit "" for counts */
	int decimals;
	enum compare_kind kind;
	bool family;             /* tested, corrected, marked */
	bool of_stressor;
	bool higher_is_better;
	bool not_imported;       /* old programs meant something else by it */
	double period_scale;     /* so many of the unit make a millisecond; 0: no time */
	struct compare_floor floor;
};

extern const struct compare_metric compare_metrics[];
extern const size_t compare_n_metrics;

/* One metric of one side. */
struct compare_cell {
	size_t n;                /* runs that have it */
	double *values;          /* sorted; INFINITY for a quantile among missed cycles */
	double *rates;           /* COMPARE_COUNT: per expected cycle, in the order of the runs */
	double *exposures;       /* expected cycles, in the order of the runs */
	double count, exposure;  /* COMPARE_COUNT: sums over the runs */
	double median;
	struct stats_interval interval; /* of the median; of one run's count by Garwood; else NaN */
};

enum compare_method {
	COMPARE_NO_TEST,
	COMPARE_BINOMIAL,        /* conditional binomial: one run each */
	COMPARE_PERMUTATION,
	COMPARE_RANKS,
};

enum compare_mark {
	MARK_NONE,               /* not in the family */
	MARK_DIFFERENT,          /* * */
	MARK_NOT_SHOWN,          /* ~ */
	MARK_CANNOT_TELL,        /* ? */
};

/* One side against the reference in one metric. */
struct compare_test {
	enum compare_method method;
	bool exact;
	double effect;           /* side less reference; counts: events per cycle */
	struct stats_interval interval; /* of the effect; counts: of the ratio, for one run each */
	double ratio;            /* of the rates, for one run each */
	double p, p_adjusted;    /* NaN where there is none */
	double floor;            /* in the unit of effect */
	enum compare_mark mark;
	bool worse;              /* by the sign of the effect */
	bool flagged;
	bool too_few;            /* a `?` that more runs would turn into something else */
	const char *why;         /* of a `?`, or of a `~` in spite of its p; NULL */
};

struct compare_row {
	const char *phase;
	const struct compare_metric *metric;
	struct compare_cell cells[COMPARE_MAX_SIDES];
	struct compare_test tests[COMPARE_MAX_SIDES]; /* the first is not used */
};

/* The cycles of a phase of all runs of a side together, for pictures. */
struct compare_samples {
	char *phase;
	struct histogram *diff, *lateness, *finish;
	uint64_t missed;
	double deadline_ns;
	bool bursts;             /* in some run, misses came in bursts */
};

struct compare_side {
	char *label;
	json_t *runs;            /* array of objects as in run.json */
	json_t *names;           /* array: where each came from */
	json_t *figures;         /* object: its keys are what each run measured */
	json_t *copies;          /* array: where runs came from that were there already */
	json_t *damage;          /* array of lines: what could not be read of its files */
	struct compare_samples *samples;
	size_t n_samples;
};

struct compare {
	struct compare_side sides[COMPARE_MAX_SIDES];
	size_t n_sides;
	bool force;              /* go on in spite of refusals */

	/* What compare_evaluate() finds. */
	const char **phases;     /* in the order in which they were first met */
	size_t n_phases;
	struct compare_row *rows; /* by phase, then in the order of compare_metrics */
	size_t n_rows;
	size_t family;           /* rows that share the correction */
	size_t runs_needed;      /* a side, for any of them to be significant */
	json_t *refusals;        /* array of lines: why this is no comparison at all */
	json_t *flags;           /* array of {text, label or null, phase or null} */
	json_t *differences;     /* array of {key, values: {label: text}} */
	json_t *notes;           /* array of lines */
};

/* ---- compare_sides.c ---- */

void compare_init(struct compare *compare);
void compare_free(struct compare *compare);

/*
 * Puts a run into the side of that label, which is made if need be. The run's reference count goes
 * up. A run that measured exactly what one of that side did is a copy of it, and is only named in
 * the notes. 0, or -E2BIG (too many sides) or -ENOMEM with the reason in fault.
 */
int compare_add(struct compare *compare, const char *label, const char *name, json_t *run,
		struct fault *fault);

/* The side with that label, or NULL. */
struct compare_side *compare_find(struct compare *compare, const char *label);

/* ---- compare_load.c ---- */

/*
 * Takes one argument of the command line: RESULT, RESULT=LABEL or LABEL=RESULT,RESULT...; a result
 * is a result directory, a run.json, or a file that import understands (several runs in one file
 * become sides named after their kernels). with_samples keeps the histograms for pictures.
 * complaints is told of damaged blocks, and the sides that the rest of the file went to are
 * flagged. 0 or a negative errno with the reason in fault.
 */
int compare_load(struct compare *compare, const char *argument, bool with_samples,
		 FILE *complaints, struct fault *fault);

/*
 * Takes the result directory at path as a run of that label, whatever characters they have. Else as
 * compare_load().
 */
int compare_load_directory(struct compare *compare, const char *label, const char *path,
			   bool with_samples, struct fault *fault);

/* ---- compare_test.c ---- */

/*
 * Does everything. 0; -EPERM where the comparison is void and force is not set (refusals has the
 * reasons); -EINVAL with fewer than two sides or nothing in common; -ENOMEM.
 */
int compare_evaluate(struct compare *compare, struct fault *fault);

/*
 * How many runs a side it takes before any test of so many phases and sides can be significant
 * after correction; COMPARE_MIN_RUNS at least.
 */
size_t compare_runs_needed(size_t n_phases, size_t n_sides);

/* Whether a file had damaged blocks, so that runs may be missing. */
bool compare_damaged(const struct compare *compare);

/* How many rows are significantly worse than the reference. */
size_t compare_worse(const struct compare *compare);

/* ---- what compare*.c share ---- */

/* compare_metrics.c */
const json_t *compare_phase(const json_t *run, const char *name);
/* Whether the figures of a phase count (not skipped, not invalid, something measured). */
bool compare_usable(const json_t *phase);
double compare_exposure(const json_t *thread);
int compare_fill_cell(struct compare_cell *cell, const struct compare_metric *metric,
		      const struct compare_side *side, const char *phase);
void compare_free_cell(struct compare_cell *cell);
double compare_floor_of(const struct compare_metric *metric, const struct compare_cell *reference,
			double period_ms);

/* compare_check.c: refusals and flags. */
void compare_check(struct compare *compare);
bool compare_flagged(const struct compare *compare, const char *phase, const char *label);

/* compare_differences.c */
int compare_list_differences(struct compare *compare);

/* compare_words.c */
void compare_add_notes(struct compare *compare);
const char *compare_mark_text(const struct compare_test *test);
/* "Mann-Whitney, exact", ... */
const char *compare_method_name(const struct compare_test *test);
void compare_value_text(char *buf, size_t size, const struct compare_metric *metric, double value,
			bool with_sign);
/* "12.3 [4.5, 67]" */
void compare_cell_text(char *buf, size_t size, const struct compare_metric *metric,
		       const struct compare_cell *cell);
void compare_effect_text(char *buf, size_t size, const struct compare_metric *metric,
			 const struct compare_test *test);
/* p as ".0123". */
void compare_p_text(char *buf, size_t size, double p);
void compare_n_text(char *buf, size_t size, const struct compare_cell *reference,
		    const struct compare_cell *cell);
/* "Mann-Whitney, exact; too few runs (it takes 7)" */
void compare_test_text(char *buf, size_t size, const struct compare *compare,
		       const struct compare_test *test);
/* The legend, line by line; NULL after the last. */
const char *compare_legend(size_t line);

/* ---- the writers: 0 or a negative errno ---- */

int compare_write_text(FILE *out, const struct compare *compare);
int compare_write_markdown(FILE *out, const struct compare *compare);
int compare_write_csv(FILE *out, const struct compare *compare);
int compare_write_json(FILE *out, const struct compare *compare);
int compare_write_html(FILE *out, const struct compare *compare, struct fault *fault);

#endif
