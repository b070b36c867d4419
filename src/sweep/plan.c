/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const order_names[] = { "interleaved", "blocks" };

const char *plan_order_name(enum plan_order order)
{
	return order_names[order];
}

int plan_order_find(const char *name, enum plan_order *order)
{
	for (size_t i = 0; i < sizeof(order_names) / sizeof(order_names[0]); i++) {
		if (!strcmp(name, order_names[i])) {
			*order = (enum plan_order)i;
			return 0;
		}
	}
	return -EINVAL;
}

static void set_label(struct plan_label *label, const char *elevator, const char *preempt)
{
	memset(label, 0, sizeof(*label));
	snprintf(label->elevator, sizeof(label->elevator), "%s", elevator);
	snprintf(label->preempt, sizeof(label->preempt), "%s", preempt);
	snprintf(label->name, sizeof(label->name), "%s%s%s", elevator,
		 elevator[0] && preempt[0] ? "+" : "", preempt);
	if (!label->name[0])
		snprintf(label->name, sizeof(label->name), "run");
}

int plan_set_labels(struct plan *plan, const struct plan_words *elevators,
		    const struct plan_words *preempts)
{
	size_t n_elevators = elevators->n ? elevators->n : 1;
	size_t n_preempts = preempts->n ? preempts->n : 1;

	if (n_elevators * n_preempts > PLAN_MAX_LABELS)
		return -E2BIG;
	plan->n_labels = 0;
	for (size_t i = 0; i < n_elevators; i++)
		for (size_t j = 0; j < n_preempts; j++)
			set_label(&plan->labels[plan->n_labels++],
				  elevators->n ? elevators->words[i] : "",
				  preempts->n ? preempts->words[j] : "");
	return 0;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* From 0 to bound - 1, all equally likely. */
static size_t draw(uint64_t *state, uint64_t bound)
{
	/* 2^64 modulo bound: so many numbers at the top have no full share. */
	uint64_t rest = (UINT64_MAX % bound + 1) % bound, number;

	do
		number = next_random(state);
	while (rest && number > UINT64_MAX - rest);
	return (size_t)(number % bound);
}

static void shuffle(size_t *block, size_t n, uint64_t *state)
{
	for (size_t last = n; last > 1; last--) {
		size_t other = draw(state, last), swap = block[other];

		block[other] = block[last - 1];
		block[last - 1] = swap;
	}
}

int plan_make(struct plan *plan)
{
	uint64_t state = (uint64_t)plan->seed;

	plan->n = plan->n_labels * plan->runs;
	plan->positions = calloc(plan->n + 1, sizeof(plan->positions[0]));
	if (!plan->positions)
		return -ENOMEM;
	for (size_t i = 0; i < plan->n; i++)
		plan->positions[i] = plan->order == PLAN_BLOCKS ? i / plan->runs :
								  i % plan->n_labels;
	for (size_t i = 0; plan->order == PLAN_INTERLEAVED && i < plan->n; i += plan->n_labels)
		shuffle(plan->positions + i, plan->n_labels, &state);
	return 0;
}

void plan_free(struct plan *plan)
{
	free(plan->positions);
	plan->positions = NULL;
}

size_t plan_block(const struct plan *plan, size_t position)
{
	return position / (plan->order == PLAN_BLOCKS ? plan->runs : plan->n_labels);
}

size_t plan_n_blocks(const struct plan *plan)
{
	return plan->order == PLAN_BLOCKS ? plan->n_labels : plan->runs;
}
