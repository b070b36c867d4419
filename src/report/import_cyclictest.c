/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cyclictest prints: a line per thread, again and again while it runs, and histograms. */
#include "report/import_cyclictest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/jx.h"

#define COMMAND_BYTES 512

struct ct_thread {
	bool seen;
	uint64_t pid, priority, interval_us, cycles;
	double min, avg, max; /* in the unit of the run */
};

struct import_cyclictest {
	char command[COMMAND_BYTES]; /* "cyclictest -t 20 ...", where it is told */
	char policy[16];
	int64_t dma_latency_us;      /* -1: not told */
	unsigned long line;          /* where the run begins; 0: none has begun */
	unsigned int threads;        /* the highest number seen, plus one */
	struct ct_thread thread[CYCLICTEST_THREADS];
	struct import_histogram histogram;
};

struct import_cyclictest *import_cyclictest_new(void)
{
	struct import_cyclictest *ct = calloc(1, sizeof(*ct));

	if (ct)
		ct->dma_latency_us = -1;
	return ct;
}

void import_cyclictest_free(struct import_cyclictest *ct)
{
	if (ct)
		free(ct->histogram.cells);
	free(ct);
}

void import_cyclictest_conditions(json_t *run, const char *command, const char *policy)
{
	json_t *conditions = json_object_get(run, "conditions");
	json_t *words = json_array();

	/* What drives it is known from what it is. */
	jx_put_text(conditions, "source", "timer");
	jx_put_text(conditions, "source_note", "cyclictest");
	if (policy[0])
		jx_put_text(conditions, "policy", policy);
	if (command[0]) {
		json_t *text = json_string(command);

		json_array_append_new(words, text ? text : json_string("(not UTF-8)"));
	}
	jx_put(run, "command_line", words);
}

static bool has_word(const char *text, const char *word)
{
	size_t n = strlen(word);
	const char *at;

	for (at = strstr(text, word); at; at = strstr(at + 1, word))
		if (at > text && at[-1] == ' ' && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* What a figure of 1 is in us: nobody says so but the command line. */
static double unit_us(const struct import_cyclictest *ct)
{
	return has_word(ct->command, "-N") || has_word(ct->command, "--nsecs") ? 1e-3 : 1;
}

/* ---- the run ---- */

static void put_common(const struct import_cyclictest *ct, json_t *run)
{
	json_t *conditions = json_object_get(run, "conditions");
	const struct ct_thread *first = NULL;
	bool one_interval = true, one_priority = true;

	import_cyclictest_conditions(run, ct->command, ct->policy);
	if (ct->dma_latency_us >= 0)
		jx_put(conditions, "dma_latency_us", json_integer(ct->dma_latency_us));
	for (unsigned int i = 0; i < ct->threads; i++) {
		const struct ct_thread *thread = &ct->thread[i];

		if (!thread->seen)
			continue;
		if (!first)
			first = thread;
		one_interval = one_interval && thread->interval_us == first->interval_us;
		one_priority = one_priority && thread->priority == first->priority;
	}
	/* What differs between threads is a condition of none but the thread. */
	if (first && one_interval && first->interval_us) {
		jx_put_real(conditions, "period_ms", (double)first->interval_us / 1e3);
		if (1000000 % first->interval_us == 0)
			jx_put_count(conditions, "rate_hz", 1000000 / first->interval_us);
	}
	if (first && one_priority)
		jx_put_count(conditions, "priority", first->priority);
}

static void put_thread(json_t *phase, unsigned int number, const struct ct_thread *thread,
		       double unit)
{
	json_t *object = import_thread(phase, number);

	jx_put_count(object, "pid", thread->pid);
	jx_put_count(object, "priority", thread->priority);
	jx_put_real(object, "period_ms", (double)thread->interval_us / 1e3);
	jx_put_count(object, "cycles", thread->cycles);
	if (!thread->cycles)
		return; /* the least of nothing is printed as 1000000 */
	jx_put_text(object, "lateness_kind", "exact");
	jx_put_real(object, "lateness_min_us", thread->min * unit);
	jx_put_real(object, "lateness_mean_us", thread->avg * unit);
	jx_put_real(object, "lateness_max_us", thread->max * unit);
}

static void forget(struct import_cyclictest *ct)
{
	ct->command[0] = ct->policy[0] = '\0';
	ct->dma_latency_us = -1;
	ct->line = 0;
	memset(ct->thread, 0, ct->threads * sizeof(ct->thread[0]));
	ct->threads = 0;
	import_histogram_clear(&ct->histogram);
}

/* Gives the phase to the run, unless it was read before. */
static void add(struct import *im, json_t *phase)
{
	struct import_cyclictest *ct = im->cyclictest;

	if (import_duplicate(im, phase)) {
		json_decref(phase);
		return;
	}
	if (!import_begin_run(im, &import_cyclictest_format, ct->line)) {
		json_decref(phase);
		return;
	}
	put_common(ct, im->run);
	import_add_phase(im, phase);
	import_end_run(im);
}

/* The process that was printing is over. */
static void end_run(struct import *im)
{
	struct import_cyclictest *ct = im->cyclictest;
	bool whole = ct->histogram.state == HISTOGRAM_WHOLE;
	unsigned int seen = 0;

	if (ct->histogram.state != HISTOGRAM_NONE && !whole)
		import_damage(im, ct->histogram.line, "the histogram ends early");
	for (unsigned int i = 0; i < ct->threads; i++)
		seen += ct->thread[i].seen;
	if (seen || whole) {
		json_t *phase = import_phase("cyclictest", ct->line);
		bool both = !whole || (seen == ct->threads && seen == ct->histogram.threads);

		for (unsigned int i = 0; both && i < ct->threads; i++)
			if (ct->thread[i].seen)
				put_thread(phase, i, &ct->thread[i], unit_us(ct));
		if (whole && import_histogram_put(&ct->histogram, phase, unit_us(ct)))
			im->err = -ENOMEM;
		add(im, phase);
	}
	forget(ct);
}

static void begin(struct import_cyclictest *ct, unsigned long line)
{
	if (!ct->line)
		ct->line = line;
}

/* ---- lines ---- */

static const char thread_pattern[] =
	"T: %u ( %u) P: %u I: %u C: %u Min: %u Act: %f Avg: %f Max: %u";

enum { NUMBER, PID, PRIORITY, INTERVAL, CYCLES, MIN, ACT, AVG, MAX };

static void take_thread(struct import *im, const struct import_line *line,
			const struct import_field *field)
{
	struct import_cyclictest *ct = im->cyclictest;
	struct ct_thread *thread;
	uint64_t number = field[NUMBER].count;

	if (number >= CYCLICTEST_THREADS) {
		import_damage(im, line->number, "thread %s: at most %d threads are read",
			      field[NUMBER].text, CYCLICTEST_THREADS);
		return;
	}
	thread = &ct->thread[number];
	/* Another process, or the same one quoted from an earlier moment. */
	if (ct->histogram.state != HISTOGRAM_NONE ||
	    (thread->seen && ((thread->pid && thread->pid != field[PID].count) ||
			      thread->cycles > field[CYCLES].count)))
		end_run(im);
	begin(ct, line->number);
	if (ct->threads <= number)
		ct->threads = (unsigned int)number + 1;
	thread->seen = true;
	thread->pid = field[PID].count;
	thread->priority = field[PRIORITY].count;
	thread->interval_us = field[INTERVAL].count;
	thread->cycles = field[CYCLES].count;
	thread->min = field[MIN].real;
	thread->avg = field[AVG].real;
	thread->max = field[MAX].real;
}

/* "# cyclictest -t 20 ...", "# /dev/cpu_dma_latency set to 0us", "policy: fifo: loadavg: ..." */
static bool take_head(struct import *im, const struct import_line *line)
{
	struct import_cyclictest *ct = im->cyclictest;
	struct import_field field[IMPORT_FIELDS];
	size_t n;

	if (!strncmp(line->text, "policy: ", 8) && strstr(line->text, ": loadavg: ")) {
		n = strcspn(line->text + 8, ":");
		if (n < sizeof(ct->policy)) {
			memcpy(ct->policy, line->text + 8, n);
			ct->policy[n] = '\0';
		}
		return true;
	}
	if (!strncmp(line->text, "# cyclictest ", 13) || !strcmp(line->text, "# cyclictest")) {
		end_run(im);
		snprintf(ct->command, sizeof(ct->command), "%s", line->text + 2);
		begin(ct, line->number);
		return true;
	}
	if (import_match("# /dev/cpu_dma_latency set to %uus", line->text, field) !=
	    IMPORT_MATCH_WHOLE)
		return false;
	if (ct->threads || ct->histogram.state != HISTOGRAM_NONE)
		end_run(im);
	ct->dma_latency_us = (int64_t)field[0].count;
	begin(ct, line->number);
	return true;
}

static bool take_histogram(struct import *im, const struct import_line *line)
{
	struct import_cyclictest *ct = im->cyclictest;

	if (!strcmp(line->text, "# Histogram")) {
		if (ct->histogram.state != HISTOGRAM_NONE)
			end_run(im);
		begin(ct, line->number);
		import_histogram_begin(&ct->histogram, line->number);
		return true;
	}
	if (ct->histogram.state == HISTOGRAM_NONE)
		return false;
	switch (import_histogram_line(im, &ct->histogram, line)) {
	case HISTOGRAM_TAKEN:
		return true;
	case HISTOGRAM_DAMAGED:
		/* What the lines of the threads say still stands. */
		import_histogram_clear(&ct->histogram);
		return true;
	case HISTOGRAM_OTHER:
		break;
	}
	/* It has been read to its end, or it is cut: either way the process is over. */
	if (line->text[0] != '#')
		end_run(im);
	return false;
}

static enum import_taken cyclictest_line(struct import *im, const struct import_line *line,
					 enum import_try how)
{
	struct import_field field[IMPORT_FIELDS];
	enum import_taken taken;
	bool bad;

	if (!line->length)
		return IMPORT_OTHER;
	taken = import_try_match(thread_pattern, line, how, field, &bad);
	if (taken == IMPORT_TAKEN && bad) {
		/* Words that begin with "T:" are no line of a thread. */
		if (strncmp(line->text + strcspn(line->text, ")"), ") P:", 4))
			return IMPORT_OTHER;
		import_damage(im, line->number, "`%.60s` cannot be read", line->text);
	} else if (taken == IMPORT_TAKEN) {
		take_thread(im, line, field);
	}
	if (taken != IMPORT_OTHER || how == IMPORT_JOINED)
		return taken;
	return take_head(im, line) || take_histogram(im, line) ? IMPORT_TAKEN : IMPORT_OTHER;
}

static void cyclictest_flush(struct import *im)
{
	end_run(im);
}

const struct import_format import_cyclictest_format = {
	.program = "cyclictest",
	.name = "cyclictest",
	.line = cyclictest_line,
	.flush = cyclictest_flush,
};
