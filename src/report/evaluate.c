/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/evaluate.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "measure/grid.h"
#include "util/wrap.h"

/* The fastest wake-up fixes the phase: the interrupt cannot have come after it. */
static int fit_phase(struct sample_reader *reader, int64_t slope_ns, int64_t *phase_ns)
{
	struct sample_block block;
	int64_t least = INT64_MAX;

	while (sample_reader_next(reader, &block, NULL) > 0) {
		if (block.kind != SAMPLE_BLOCK_CYCLES_KIND)
			continue;
		for (size_t i = 0; i < block.n; i++) {
			/* Left-over ticks came before the wake-up as well: the last one counts. */
			int64_t offset = wrap_sub(block.cycles[i].wake_ns,
						  wrap_mul(block.cycles[i].ticks, slope_ns));

			if (offset < least)
				least = offset;
		}
	}
	*phase_ns = least == INT64_MAX ? 0 : least;
	return sample_reader_rewind(reader);
}

static void take_event(struct evaluation *evaluation, const struct sample_event *event)
{
	switch (event->kind) {
	case SAMPLE_LOST:
		evaluation->lost += event->value;
		break;
	case SAMPLE_WRITE_BLOCKED:
		evaluation->write_blocked++;
		evaluation->write_blocked_ns =
			wrap_add(evaluation->write_blocked_ns, (int64_t)event->value);
		break;
	case SAMPLE_STRESSOR_STALLED:
	case SAMPLE_XRUN:
		break;
	}
}

/* Files from this size on are worth a second thread. */
#define TWO_THREADS_BYTES (4 << 20)

/* One of two walks over the same file; each decodes for itself, which is cheaper than sharing. */
struct walk {
	struct sample_reader *reader;
	struct evaluation *evaluation;
	bool diffs, lateness; /* which half it takes */
};

static void walk_file(struct walk *walk)
{
	struct evaluation *evaluation = walk->evaluation;
	struct sample_block block;
	struct fault damage = { "" };
	int got;

	while ((got = sample_reader_next(walk->reader, &block, &damage)) > 0) {
		if (walk->lateness && block.kind == SAMPLE_BLOCK_CYCLES_KIND) {
			metrics_add_lateness(&evaluation->metrics, block.cycles, block.n);
			timeline_add(evaluation->timeline, block.cycles, block.n);
		}
		if (!walk->diffs)
			continue;
		switch (block.kind) {
		case SAMPLE_BLOCK_CYCLES_KIND:
			metrics_add_diffs(&evaluation->metrics, block.cycles, block.n);
			break;
		case SAMPLE_BLOCK_EVENT:
			take_event(evaluation, &block.event);
			break;
		case SAMPLE_BLOCK_END:
			evaluation->has_end = true;
			evaluation->end = block.end;
			break;
		}
	}
	if (walk->diffs) {
		evaluation->damaged = got < 0;
		evaluation->damage = damage;
	}
}

static void *walk_thread(void *argument)
{
	walk_file(argument);
	return NULL;
}

static void walk_all(struct sample_reader *reader, const char *path, struct evaluation *evaluation)
{
	struct walk first = { reader, evaluation, true, true }, second = first;
	pthread_t thread;

	second.diffs = false;
	if (evaluation->bytes >= TWO_THREADS_BYTES &&
	    !sample_reader_open(&second.reader, path, NULL)) {
		if (!pthread_create(&thread, NULL, walk_thread, &second)) {
			first.lateness = false;
			walk_file(&first);
			pthread_join(thread, NULL);
			sample_reader_close(second.reader);
			return;
		}
		sample_reader_close(second.reader);
	}
	walk_file(&first);
}

int evaluate_samples(const char *path, const struct metrics_params *params,
		     struct evaluation *evaluation, struct fault *fault)
{
	struct metrics_params actual = *params;
	const struct sample_header *header;
	struct sample_reader *reader;
	int64_t phase_ns = 0;
	struct stat st;
	int err;

	memset(evaluation, 0, sizeof(*evaluation));
	err = sample_reader_open(&reader, path, fault);
	if (err)
		return err;
	header = sample_reader_header(reader);
	actual.rate_hz = header->rate_hz;
	actual.wakeups = header->wakeups;
	actual.lateness = header->lateness;
	actual.slope_ns = header->slope_ns;
	err = metrics_init(&evaluation->metrics, &actual);
	evaluation->timeline = malloc(sizeof(*evaluation->timeline));
	if (evaluation->timeline)
		timeline_init(evaluation->timeline,
			      metrics_period_ns(header->rate_hz, header->wakeups), header->wakeups);
	else if (!err)
		err = -ENOMEM;
	if (!err && header->lateness == LATENESS_FITTED)
		err = fit_phase(reader, header->slope_ns, &phase_ns);
	if (err) {
		evaluation_free(evaluation);
		sample_reader_close(reader);
		return fault_set(fault, err, "%s: %s", path, strerror(-err));
	}
	metrics_set_phase(&evaluation->metrics, phase_ns);
	if (!stat(path, &st))
		evaluation->bytes = (uint64_t)st.st_size;
	walk_all(reader, path, evaluation);
	sample_reader_close(reader);
	return 0;
}

void evaluation_free(struct evaluation *evaluation)
{
	metrics_free(&evaluation->metrics);
	free(evaluation->timeline);
	evaluation->timeline = NULL;
}

/* Index of the cycle that was due last, from what the source tells rather than from counting. */
static uint64_t index_at_end(const struct evaluation *evaluation)
{
	const struct metrics_params *params = &evaluation->metrics.params;
	const struct sample_end *end = &evaluation->end;
	uint64_t ticks = end->ticks;

	if (params->lateness == LATENESS_EXACT && end->last_wake_ns >= 0)
		ticks = grid_ticks_at(end->last_wake_ns, params->rate_hz);
	return ticks / params->wakeups;
}

bool evaluation_consistent(const struct evaluation *evaluation, uint64_t *expected,
			   struct fault *fault)
{
	const struct metrics *metrics = &evaluation->metrics;
	const struct sample_end *end = &evaluation->end;

	*expected = metrics->cycles + metrics->missed;
	if (!histogram_consistent(metrics->diff) || !histogram_consistent(metrics->burn) ||
	    !histogram_consistent(metrics->lateness) || !histogram_consistent(metrics->finish)) {
		fault_set(fault, 0, "the counts of a histogram do not add up");
		return false;
	}
	if (!evaluation->has_end)
		return true;
	*expected = index_at_end(evaluation) - end->first_index;
	if (end->cycles + end->missed != *expected ||
	    end->last_index - end->first_index != *expected) {
		fault_set(fault, 0, "%llu cycles + %llu missed are not the %llu expected",
			  (unsigned long long)end->cycles, (unsigned long long)end->missed,
			  (unsigned long long)*expected);
		return false;
	}
	if (!end->lost && metrics->missed != end->missed) {
		fault_set(fault, 0, "the file holds %llu missed cycles, the loop counted %llu",
			  (unsigned long long)metrics->missed, (unsigned long long)end->missed);
		return false;
	}
	if (metrics->cycles + end->lost != end->cycles) {
		fault_set(fault, 0,
			  "the file holds %llu of %llu cycles, %llu of them known as lost",
			  (unsigned long long)metrics->cycles, (unsigned long long)end->cycles,
			  (unsigned long long)end->lost);
		return false;
	}
	return true;
}
