/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the arguments of the command line to sides with runs. */
#include "report/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/html_text.h"
#include "report/import.h"
#include "report/run_file.h"
#include "util/jx.h"
#include "util/printable.h"

#define BURST_WINDOWS 100
#define BURST_DISPERSION 2.0

struct loading {
	struct compare *compare;
	const char *label;      /* NULL: by the name of the result */
	const char *path;
	bool with_samples;
	FILE *complaints;
	struct fault *fault;
};

/* ---- samples, for pictures and for bursts ---- */

static void merge(struct histogram *into, const struct histogram *from)
{
	if (!from->n)
		return;
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (!into->n || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	into->underflow += from->underflow;
	into->overflow += from->overflow;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->count[i] += from->count[i];
}

/*
 * Missed cycles per stretch of the phase vary more than those of a Poisson process would: their
 * variance is twice their mean or more.
 */
static bool in_bursts(const struct timeline *timeline)
{
	int64_t span = timeline->end_ns - timeline->start_ns;
	double sum = 0, square = 0, mean, n = BURST_WINDOWS;

	if (span < BURST_WINDOWS)
		return false;
	for (int64_t i = 0; i < BURST_WINDOWS; i++) {
		struct timeline_bin bin = timeline_range(timeline, i * (span / BURST_WINDOWS),
							 (i + 1) * (span / BURST_WINDOWS));

		sum += (double)bin.missed;
		square += (double)bin.missed * (double)bin.missed;
	}
	mean = sum / n;
	return sum > 1 && (square - n * mean * mean) / (n - 1) >= BURST_DISPERSION * mean;
}

static struct compare_samples *samples_of(struct compare_side *side, const char *phase)
{
	struct compare_samples *more, *samples;

	for (size_t i = 0; i < side->n_samples; i++)
		if (!strcmp(side->samples[i].phase, phase))
			return &side->samples[i];
	more = realloc(side->samples, (side->n_samples + 1) * sizeof(more[0]));
	if (!more)
		return NULL;
	side->samples = more;
	samples = &more[side->n_samples];
	memset(samples, 0, sizeof(*samples));
	samples->phase = strdup(phase);
	if (!samples->phase)
		return NULL;
	side->n_samples++;
	return samples;
}

static int keep_histograms(struct compare_samples *samples, const struct metrics *metrics)
{
	if (!samples->diff)
		samples->diff = histogram_new();
	if (!samples->lateness)
		samples->lateness = histogram_new();
	if (!samples->finish)
		samples->finish = histogram_new();
	if (!samples->diff || !samples->lateness || !samples->finish)
		return -ENOMEM;
	merge(samples->diff, metrics->diff);
	merge(samples->lateness, metrics->lateness);
	merge(samples->finish, metrics->finish);
	samples->missed += metrics->missed;
	samples->deadline_ns = metrics->params.deadline * metrics->params.period_ns;
	return 0;
}

static int keep_samples(const struct loading *loading, struct compare_side *side,
			const struct run_view *view)
{
	int err = 0;

	for (size_t i = 0; !err && i < view->n; i++) {
		const struct phase_view *phase = &view->phases[i];
		struct compare_samples *samples;

		if (!phase->evaluation || !compare_usable(phase->phase))
			continue;
		samples = samples_of(side, phase->name);
		if (!samples)
			return -ENOMEM;
		samples->bursts |= phase->timeline && in_bursts(phase->timeline);
		if (loading->with_samples)
			err = keep_histograms(samples, &phase->evaluation->metrics);
	}
	return err;
}

/* ---- one result ---- */

/* The last part of a path; the whole of it where another side has that name. */
static const char *default_label(const struct loading *loading, char *buf, size_t size)
{
	size_t length = strlen(loading->path);
	const char *slash;

	while (length > 1 && loading->path[length - 1] == '/')
		length--;
	snprintf(buf, size, "%.*s", (int)length, loading->path);
	slash = strrchr(buf, '/');
	if (slash && slash[1] && !compare_find(loading->compare, slash + 1))
		return slash + 1;
	return buf;
}

static int add(const struct loading *loading, json_t *run)
{
	char buf[4096];
	const char *label = loading->label;

	if (!label)
		label = default_label(loading, buf, sizeof(buf));
	return compare_add(loading->compare, label, loading->path, run, loading->fault);
}

static int load_directory(const struct loading *loading)
{
	struct run_view view;
	int err = run_file_open(&view, loading->path, loading->fault);

	if (err)
		return err;
	err = add(loading, view.run);
	for (size_t i = 0; !err && i < loading->compare->n_sides; i++) {
		struct compare_side *side = &loading->compare->sides[i];
		size_t n = json_array_size(side->runs);

		/* The side that the run went to. */
		if (json_array_get(side->runs, n - 1) == view.run)
			err = keep_samples(loading, side, &view);
	}
	if (err == -ENOMEM)
		fault_set(loading->fault, err, "no memory");
	run_file_close(&view);
	return err;
}

/* A run.json by itself. -ENOENT: it is none. */
static int load_run_json(const struct loading *loading)
{
	json_t *run = json_load_file(loading->path, JSON_REJECT_DUPLICATES, NULL);
	int err = -ENOENT;

	if (json_object_get(run, "schema_version")) {
		run_file_clean(run);
		err = run_file_check(run, loading->path, loading->fault);
		if (!err)
			err = add(loading, run);
	}
	json_decref(run);
	return err;
}

/* ---- files of old programs ---- */

static int take_import(void *argument, json_t *run)
{
	const struct loading *loading = argument;
	const json_t *environment = json_object_get(run, "environment");
	const char *kernel, *scheduler;
	struct loading named = *loading;
	char label[512];

	run_file_clean(run);
	kernel = jx_text(environment, "kernel_release");
	scheduler = json_string_value(json_object_get(environment, "scheduler"));
	if (!strcmp(kernel, "unknown"))
		return add(loading, run);
	/* Kernels of one file are different sides, whatever label the file was given. */
	snprintf(label, sizeof(label), "%s%s%s%s%s", loading->label ? loading->label : "",
		 loading->label ? ": " : "", kernel, scheduler ? " " : "",
		 scheduler ? scheduler : "");
	named.label = label;
	return add(&named, run);
}

static void complain(void *argument, const char *file, unsigned long line, const char *reason)
{
	const struct loading *loading = argument;

	if (loading->complaints)
		print_line(loading->complaints, "latencytest: %s:%lu: %s", file, line, reason);
}

static size_t results_of(const struct compare_side *side)
{
	return json_array_size(side->runs) + json_array_size(side->copies);
}

/* Which of the sides that a file gave runs to the damaged blocks were of, nobody can tell. */
static void note_damage(const struct loading *loading, unsigned int damaged, const size_t *before)
{
	char *path = text_clean(loading->path);

	for (size_t i = 0; i < loading->compare->n_sides; i++) {
		struct compare_side *side = &loading->compare->sides[i];

		if (results_of(side) > before[i])
			jx_add_line(side->damage, "%s has %u damaged block%s, left out",
				    path ? path : "(no memory)", damaged, damaged == 1 ? "" : "s");
	}
	free(path);
}

static int load_import(const struct loading *loading)
{
	struct import_stats stats = { 0, 0, 0, 0 };
	size_t before[COMPARE_MAX_SIDES] = { 0 };
	FILE *in = fopen(loading->path, "rb");
	int err;

	if (!in)
		return fault_set(loading->fault, -errno, "%s: %s", loading->path, strerror(errno));
	for (size_t i = 0; i < loading->compare->n_sides; i++)
		before[i] = results_of(&loading->compare->sides[i]);
	err = import_stream(in, loading->path, take_import, complain, (void *)loading, &stats,
			    loading->fault);
	fclose(in);
	if (!err && !stats.runs)
		err = fault_set(loading->fault, -ENODATA,
				"%s: no result of latencytest or cyclictest in it", loading->path);
	if (!err && stats.damaged)
		note_damage(loading, stats.damaged, before);
	return err;
}

static int load_one(const struct loading *loading)
{
	struct stat status;
	int err;

	if (!loading->path[0])
		return fault_set(loading->fault, -ENOENT, "\"\": valid is a result directory, a "
				 "run.json, or a file that import understands");
	if (stat(loading->path, &status))
		return fault_set(loading->fault, -errno,
				 "%s: %s; valid is a result directory, a run.json, or a file that "
				 "import understands", loading->path, strerror(errno));
	if (S_ISDIR(status.st_mode))
		return load_directory(loading);
	/* A pipe can be read once only. */
	err = S_ISREG(status.st_mode) ? load_run_json(loading) : -ENOENT;
	return err == -ENOENT ? load_import(loading) : err;
}

/* ---- arguments ---- */

static bool exists(const char *path)
{
	struct stat status;

	return !stat(path, &status);
}

static bool all_exist(const char *list)
{
	char *copy = strdup(list), *rest = copy, *path;
	bool all = copy != NULL;

	while (all && (path = strsep(&rest, ",")))
		all = exists(path);
	free(copy);
	return all;
}

/*
 * Cuts RESULT=LABEL or LABEL=RESULT,... in two at the =; which it is, the files that exist say.
 * Both or neither: -EINVAL.
 */
static int cut(char *argument, char *equals, const char **label, char **list, struct fault *fault)
{
	bool left, right;

	*equals = '\0';
	left = all_exist(argument);
	right = all_exist(equals + 1);
	if (!argument[0] || !equals[1])
		return fault_set(fault, -EINVAL, "%s=%s: valid is LABEL=RESULT[,RESULT...] or "
						 "RESULT=LABEL", argument, equals + 1);
	if (left && right)
		return fault_set(fault, -EINVAL,
				 "%s=%s: both are files, so which is the label? Write one with "
				 "another path, as in ./%s", argument, equals + 1, equals + 1);
	*label = left ? equals + 1 : argument;
	*list = left ? argument : equals + 1;
	return 0;
}

int compare_load(struct compare *compare, const char *argument, bool with_samples,
		 FILE *complaints, struct fault *fault)
{
	struct loading loading = { .compare = compare, .with_samples = with_samples,
				   .complaints = complaints, .fault = fault };
	char *copy = strdup(argument), *list = copy, *equals;
	int err = 0;

	if (!copy)
		return fault_set(fault, -ENOMEM, "no memory");
	equals = strchr(copy, '=');
	if (exists(argument) || !equals) {
		loading.path = argument;
		err = load_one(&loading);
	} else {
		err = cut(copy, equals, &loading.label, &list, fault);
		while (!err && (loading.path = strsep(&list, ",")))
			err = load_one(&loading);
	}
	free(copy);
	return err;
}

int compare_load_directory(struct compare *compare, const char *label, const char *path,
			   bool with_samples, struct fault *fault)
{
	struct loading loading = { .compare = compare, .label = label, .path = path,
				   .with_samples = with_samples, .fault = fault };

	return load_directory(&loading);
}
