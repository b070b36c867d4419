/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which label is run when: pure arithmetic, the same on every machine for the same seed. */
#ifndef LT_SWEEP_PLAN_H
#define LT_SWEEP_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "report/compare.h"
#include "system/setting.h"

#define PLAN_MAX_LABELS COMPARE_MAX_SIDES
#define PLAN_MAX_RUNS 1000              /* of a label */
#define PLAN_MAX_SEED ((1LL << 53) - 1) /* what every reader of JSON takes exactly */

/* Settings under a name: "bfq", "full", "bfq+full"; "run" where nothing is varied. */
struct plan_label {
	char name[2 * SETTING_WORD + 1];
	char elevator[SETTING_WORD]; /* "" where it is not varied */
	char preempt[SETTING_WORD];  /* likewise */
};

enum plan_order {
	PLAN_INTERLEAVED, /* blocks, each with each label once, in an order drawn at random */
	PLAN_BLOCKS,      /* all runs of a label, then those of the next */
};

/* Words of one kind, as a list on the command line has them. */
struct plan_words {
	char words[PLAN_MAX_LABELS][SETTING_WORD];
	size_t n;
};

struct plan {
	struct plan_label labels[PLAN_MAX_LABELS];
	size_t n_labels;
	size_t runs;         /* of each label */
	enum plan_order order;
	int64_t seed;        /* 0 to PLAN_MAX_SEED */
	size_t *positions;   /* which label is run, in sequence */
	size_t n;            /* n_labels * runs */
};

/* "interleaved" or "blocks". */
const char *plan_order_name(enum plan_order order);
/* 0 or -EINVAL. */
int plan_order_find(const char *name, enum plan_order *order);

/*
 * Sets the labels: each elevator with each preemption model, in the order given, elevators
 * changing slowest. Both empty: one label "run". 0, or -E2BIG for more than PLAN_MAX_LABELS.
 */
int plan_set_labels(struct plan *plan, const struct plan_words *elevators,
		    const struct plan_words *preempts);

/*
 * Sets positions and n from labels, runs, order and seed. Interleaved: for each block the labels in
 * the order given are shuffled by Fisher and Yates' method from the end on, the other index drawn
 * by splitmix64, started from the seed and running on from block to block; draws at or above the
 * greatest multiple of the bound are thrown away, so that no order is likelier than another. 0 or
 * -ENOMEM. plan_free() frees positions.
 */
int plan_make(struct plan *plan);
void plan_free(struct plan *plan);

/* The block of a position, from 0; with PLAN_BLOCKS one block is one label. */
size_t plan_block(const struct plan *plan, size_t position);
size_t plan_n_blocks(const struct plan *plan);

#endif
