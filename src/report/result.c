/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/result.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/classic.h"
#include "report/summary.h"
#include "util/jx.h"

/* A file that takes the place of DIR/NAME when it is whole. */
struct replacement {
	char path[PATH_MAX];
	char temporary[PATH_MAX];
	FILE *file;
};

static int replacement_open(struct replacement *r, const char *dir, const char *name,
			    const char *suffix, struct fault *fault)
{
	int fd;

	if (snprintf(r->path, sizeof(r->path), "%s/%s%s", dir, name, suffix) >= PATH_MAX ||
	    snprintf(r->temporary, sizeof(r->temporary), "%s/.%s%s.new", dir, name, suffix) >=
		    PATH_MAX)
		return fault_set(fault, -ENAMETOOLONG, "%s/%s: name too long", dir, name);
	/* One left by a killed process is ours to replace; a link in its place is not followed. */
	unlink(r->temporary);
	fd = open(r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	r->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!r->file) {
		int err = -errno;

		if (fd >= 0)
			close(fd);
		return fault_set(fault, err, "%s: %s", r->temporary, strerror(-err));
	}
	return 0;
}

static int replacement_finish(struct replacement *r, int err, struct fault *fault)
{
	if (!err && (fflush(r->file) || ferror(r->file) || fsync(fileno(r->file))))
		err = errno ? -errno : -EIO;
	if (fclose(r->file) && !err)
		err = -errno;
	if (!err && rename(r->temporary, r->path))
		err = -errno;
	if (err) {
		unlink(r->temporary);
		return fault_set(fault, err, "%s: %s", r->path, strerror(-err));
	}
	return 0;
}

int result_save_run(const char *dir, const json_t *run, struct fault *fault)
{
	struct replacement r;
	int err = replacement_open(&r, dir, "run.json", "", fault);

	if (err)
		return err;
	if (json_dumpf(run, r.file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)))
		err = -EIO;
	fputc('\n', r.file);
	return replacement_finish(&r, err, fault);
}

/* What the classic lines cannot say. */
static void write_head(FILE *out, const json_t *run, const json_t *phase)
{
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *reasons = json_object_get(phase, "reasons"), *reason;
	size_t i;

	fprintf(out, "# %s, kernel %s, phase %s: %s\n", jx_text(run, "program"),
		jx_text(json_object_get(run, "environment"), "kernel_release"), jx_text(phase, "name"),
		jx_text(phase, "status"));
	fprintf(out, "# source %s: %s\n", jx_text(conditions, "source"),
		jx_text(conditions, "source_note"));
	json_array_foreach(reasons, i, reason)
		fprintf(out, "# %s\n", json_string_value(reason));
}

int result_save_log(const char *dir, const json_t *run, const json_t *phase, struct fault *fault)
{
	const json_t *conditions = json_object_get(run, "conditions");
	const json_t *thread = json_array_get(json_object_get(phase, "threads"), 0);
	struct classic_log log = {
		.cpu_hz = jx_number(phase, "cpu_hz"),
		.cpu_load = jx_number(conditions, "load"),
		.loops = (uint64_t)jx_count(json_object_get(run, "calibration"), "loops_per_run"),
		.total_latency_ms = jx_number(conditions, "period_ms"),
		.cpu_latency_ms = jx_number(conditions, "cpu_latency_ms"),
		.max_diff_ms = jx_number(thread, "max_diff_ms"),
		.overruns = (uint64_t)jx_count(thread, "overruns"),
		.within_1ms = (uint64_t)jx_count(thread, "within_1ms_count"),
		.within_2ms = (uint64_t)jx_count(thread, "within_2ms_count"),
		.within_1ms_percent = jx_number(thread, "within_1ms_percent"),
		.within_2ms_percent = jx_number(thread, "within_2ms_percent"),
		.deviation_ms = jx_number(thread, "deviation_ms"),
	};
	struct replacement r;
	int err = replacement_open(&r, dir, jx_text(phase, "name"), ".log", fault);

	if (err)
		return err;
	write_head(r.file, run, phase);
	return replacement_finish(&r, classic_write(r.file, &log), fault);
}

int result_save_summary(const char *dir, const json_t *run, struct fault *fault)
{
	struct replacement r;
	int err = replacement_open(&r, dir, "summary.txt", "", fault);

	if (err)
		return err;
	return replacement_finish(&r, summary_write(r.file, run), fault);
}
