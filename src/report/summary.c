/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/summary.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/imported.h"
#include "report/summary_parts.h"
#include "report/verdict.h"
#include "util/jx.h"
#include "util/paragraph.h"
#include "util/units.h"

static const json_t *thread_of(const json_t *phase)
{
	return json_array_get(json_object_get(phase, "threads"), 0);
}

void summary_line(FILE *out, size_t indent, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	paragraph_vprintf(out, 0, indent, SUMMARY_COLUMNS, fmt, args);
	va_end(args);
}

/* ---- conditions and machine ---- */

static bool stresses(const json_t *conditions, const char *prefix)
{
	const json_t *name;
	size_t i;

	json_array_foreach(json_object_get(conditions, "stress"), i, name)
		if (json_is_string(name) &&
		    !strncmp(json_string_value(name), prefix, strlen(prefix)))
			return true;
	return false;
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void put_rate(FILE *out, const json_t *conditions)
{
	const json_t *sound = json_object_get(conditions, "sound");

	if (!sound) {
		fprintf(out, "RTC freq = %lld\nRTC wakeup count = %lld\n",
			jx_count(conditions, "rate_hz"), jx_count(conditions, "wakeups"));
		return;
	}
	summary_line(out, 4, "Sound device = %s (%s, %s, %lld channels)", jx_text(sound, "device"),
		 jx_text(sound, "direction"), jx_text(sound, "format"),
		 jx_count(sound, "channels"));
	fprintf(out, "Sample rate = %lld\nFragments = %lld of %lld frames\n",
		jx_count(conditions, "rate_hz"), jx_count(sound, "periods"),
		jx_count(sound, "period_frames"));
	if (jx_count(conditions, "wakeups") != jx_count(sound, "period_frames"))
		fprintf(out, "Frames per cycle = %lld\n", jx_count(conditions, "wakeups"));
}

/* The classic wording first, then what the classic did not have. */
static void put_conditions(FILE *out, const json_t *conditions)
{
	const json_t *cpu = json_object_get(conditions, "cpu");
	const json_t *dma = json_object_get(conditions, "dma_latency_us");
	char pinned[32] = "not pinned", held[64] = "";

	if (json_is_integer(cpu))
		snprintf(pinned, sizeof(pinned), "on CPU %lld", (long long)json_integer_value(cpu));
	if (json_is_integer(dma))
		snprintf(held, sizeof(held), ", cpu_dma_latency held at %lld us",
			 (long long)json_integer_value(dma));
	fprintf(out, "Test condition:\nCPU load = %g\n", jx_number(conditions, "load"));
	put_rate(out, conditions);
	fprintf(out, "Deadline = %g\n"
		     "X-test = %s\n"
		     "Proc-test = %s\n"
		     "Disk-test = %s\n"
		     "Filesize = %lld\n",
		jx_number(conditions, "deadline_periods"),
		yes_no(stresses(conditions, "x11")), yes_no(stresses(conditions, "proc")),
		yes_no(stresses(conditions, "disk")), jx_count(conditions, "file_size_bytes"));
	summary_line(out, 4, "Source = %s (%s)", jx_text(conditions, "source"),
		 jx_text(conditions, "source_note"));
	if (strcmp(jx_text(conditions, "policy"), "other"))
		summary_line(out, 4, "Thread = %s, priority %lld, %s%s",
			     jx_text(conditions, "policy"), jx_count(conditions, "priority"),
			     pinned, held);
	else
		summary_line(out, 4, "Thread = ordinary policy (no real-time scheduling), %s%s",
			     pinned, held);
	fprintf(out, "Duration = %g s per phase\n", jx_number(conditions, "duration_s"));
}

static void put_machine(FILE *out, const json_t *run)
{
	const json_t *environment = json_object_get(run, "environment");
	const json_t *preemption = json_object_get(environment, "preemption");
	const json_t *disk = json_object_get(environment, "test_directory");
	double memory_gib = jx_number(environment, "memory_total_bytes") / (1 << 30);

	fputs("\nMachine:\n", out);
	summary_line(out, 4, "kernel %s, %s, preemption model %s",
		     jx_text(environment, "kernel_release"), jx_text(preemption, "build"),
		     jx_text(preemption, "model"));
	summary_line(out, 4, "%s, %lld CPU(s), %.1f GiB, hypervisor %s",
		     jx_text(environment, "cpu_model"), jx_count(environment, "cpu_count_online"),
		     memory_gib, jx_text(environment, "hypervisor"));
	summary_line(out, 4, "clock %s, governor %s, idle driver %s",
		     jx_text(environment, "clocksource"), jx_text(environment, "governor"),
		     jx_text(environment, "idle_driver"));
	if (strncmp(jx_text(environment, "virtual_time"), "deterministic", 13) == 0)
		summary_line(out, 4, "time: %s", jx_text(environment, "virtual_time"));
	summary_line(out, 4, "disk %s: %s, elevator %s%s", jx_text(disk, "device"),
		 jx_text(disk, "file_system"), jx_text(disk, "elevator"),
		 json_is_true(json_object_get(disk, "is_tmpfs")) ?
			 " (tmpfs: the disk stressors work in memory)" :
		 json_is_true(json_object_get(disk, "served_from_cache")) ?
			 " (file smaller than RAM: served from cache)" : "");
	summary_below(out, disk);
	summary_changes(out, run);
}

/* What made the result one that does not represent the machine. */
static void put_doctor(FILE *out, const json_t *run)
{
	const json_t *finding;
	bool first = true;
	size_t i;

	json_array_foreach(json_object_get(run, "doctor"), i, finding) {
		if (!json_is_true(json_object_get(finding, "spoils_results")))
			continue;
		if (first)
			fputs("\nNot as the machine should be measured (latencytest doctor):\n",
			      out);
		first = false;
		summary_line(out, 4, "%s: %s", jx_text(finding, "title"),
			     jx_text(finding, "evidence"));
	}
}

/* ---- phases ---- */

/* A quantile that may be absent or lie among the missed cycles. */
static const char *quantile(char *buf, size_t size, const json_t *thread, const char *key,
			    int decimals)
{
	const json_t *value = json_object_get(thread, key);

	if (json_is_string(value))
		snprintf(buf, size, "%s", json_string_value(value));
	else if (json_is_number(value))
		snprintf(buf, size, "%.*f", decimals, json_number_value(value));
	else
		snprintf(buf, size, "n/a");
	return buf;
}

static void put_diff_row(FILE *out, const json_t *phase)
{
	const json_t *thread = thread_of(phase);

	if (!thread) {
		fprintf(out, "%-9s %s\n", jx_text(phase, "name"), jx_text(phase, "status"));
		return;
	}
	fprintf(out, "%-9s %8lld %6lld %7lld %9.3f %7.3f %7.3f %9.6f\n", jx_text(phase, "name"),
		jx_count(thread, "cycles"), jx_count(thread, "missed_cycles"),
		jx_count(thread, "overruns"), jx_number(thread, "max_diff_ms"),
		jx_number(thread, "within_1ms_percent"), jx_number(thread, "within_2ms_percent"),
		jx_number(thread, "deviation_ms"));
}

static void put_lateness_row(FILE *out, const json_t *phase)
{
	const json_t *thread = thread_of(phase);
	char median[16], p99[16], max[16], finish[16], late[16];

	if (!thread)
		return;
	fprintf(out, "%-9s %8s %8s %9s %9s %5s %6.3f %7.2f\n", jx_text(phase, "name"),
		quantile(median, sizeof(median), thread, "lateness_median_us", 1),
		quantile(p99, sizeof(p99), thread, "lateness_p99_us", 1),
		quantile(max, sizeof(max), thread, "lateness_max_us", 1),
		quantile(finish, sizeof(finish), thread, "finish_p99_ms", 3),
		quantile(late, sizeof(late), thread, "late_finishes", 0),
		jx_number(thread, "load_achieved"),
		jx_number(thread, "stolen_percent"));
}

static void put_stressor_row(FILE *out, const json_t *phase)
{
	const json_t *stressor = json_object_get(phase, "stressor");
	const char *unit = json_string_value(json_object_get(stressor, "unit"));
	char rate[48];

	if (!unit)
		return;
	fprintf(out, "%-9s %s, longest stall %.0f ms, stalled %.1f %%\n",
		jx_text(phase, "name"),
		units_rate(rate, sizeof(rate), jx_number(stressor, "units_per_second"), unit),
		jx_number(stressor, "longest_stall_ms"), jx_number(stressor, "stalled_percent"));
}

/* Driven by a sound device, which can have xruns. */
static bool is_sound(const json_t *run)
{
	return json_object_get(json_object_get(run, "conditions"), "sound");
}

static void put_sound_row(FILE *out, const json_t *phase)
{
	const json_t *thread = thread_of(phase);

	if (thread)
		fprintf(out, "%-9s %lld xrun(s), rate drift %+.1f ppm\n", jx_text(phase, "name"),
			jx_count(thread, "xruns"), jx_number(thread, "rate_drift_ppm"));
}

static void put_phases(FILE *out, const json_t *run)
{
	const json_t *phases = json_object_get(run, "phases"), *phase;
	size_t i;

	fputs("\nphase       cycles missed overrun  max diff   <1 ms   <2 ms deviation\n"
	      "                                        ms       %       %        ms\n", out);
	json_array_foreach(phases, i, phase)
		put_diff_row(out, phase);
	fputs("\nphase     lateness      p99       max    finish  late   load  stolen\n"
	      "         median us       us        us    p99 ms                    %\n", out);
	json_array_foreach(phases, i, phase)
		put_lateness_row(out, phase);
	fputs("\nStressors:\n", out);
	json_array_foreach(phases, i, phase)
		put_stressor_row(out, phase);
	if (!is_sound(run))
		return;
	fputs("\nSound:\n", out);
	json_array_foreach(phases, i, phase)
		put_sound_row(out, phase);
}

static void put_reasons(FILE *out, const json_t *run)
{
	const json_t *phase, *reason;
	size_t i, j;
	bool first = true;

	json_array_foreach(json_object_get(run, "incidents"), i, reason) {
		if (first)
			fputc('\n', out);
		first = false;
		summary_line(out, 4, "%s", json_is_string(reason) ? json_string_value(reason) : "");
	}
	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		json_array_foreach(json_object_get(phase, "reasons"), j, reason) {
			if (!json_is_string(reason))
				continue;
			if (first)
				fputc('\n', out);
			first = false;
			summary_line(out, 4, "%s %s: %s", jx_text(phase, "name"),
				     jx_text(phase, "status"), json_string_value(reason));
		}
	}
}

/* ---- verdict ---- */

struct totals {
	long long cycles, overruns, missed, late, xruns;
	double max_diff_ms;
	const char *worst;
	size_t measured, unusable, skipped, suspect;
	size_t unstamped; /* phases of which no finish is known */
};

static void add_up(struct totals *totals, const json_t *run)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		const json_t *thread = thread_of(phase);
		const char *status = jx_text(phase, "status");

		totals->skipped += !strcmp(status, "skipped");
		totals->suspect += !strcmp(status, "suspect");
		if (!strcmp(status, "invalid") || (!thread && strcmp(status, "skipped")))
			totals->unusable++;
		if (!thread || !strcmp(status, "invalid"))
			continue;
		totals->measured++;
		totals->cycles += jx_count(thread, "cycles");
		totals->overruns += jx_count(thread, "overruns");
		totals->missed += jx_count(thread, "missed_cycles");
		totals->late += jx_count(thread, "late_finishes");
		totals->unstamped += !json_is_integer(json_object_get(thread, "late_finishes"));
		totals->xruns += jx_count(thread, "xruns");
		if (!totals->worst || jx_number(thread, "max_diff_ms") > totals->max_diff_ms) {
			totals->max_diff_ms = jx_number(thread, "max_diff_ms");
			totals->worst = jx_text(phase, "name");
		}
	}
}

/* What the sentence has to add about phases that do not count, or count less. */
static void put_reservations(FILE *out, const struct totals *totals)
{
	const char *glue = "; ";

	if (totals->unusable) {
		fprintf(out, "%s%zu phase(s) without a usable result", glue, totals->unusable);
		glue = ", ";
	}
	if (totals->skipped) {
		fprintf(out, "%s%zu skipped", glue, totals->skipped);
		glue = ", ";
	}
	if (totals->unstamped) {
		fprintf(out, "%s%zu without known finishes", glue, totals->unstamped);
		glue = ", ";
	}
	if (totals->suspect)
		fprintf(out, "%s%zu suspect", glue, totals->suspect);
}

static void put_verdict(FILE *out, const struct totals *totals, double limit_ms, bool sound)
{
	const char *no_xrun = sound ? "no xrun, " : "";
	char xruns[48] = "";

	if (sound)
		snprintf(xruns, sizeof(xruns), "%lld xrun(s), ", totals->xruns);
	if (!totals->measured) {
		fputs("Nothing was measured", out);
		return;
	}
	if (totals->overruns || totals->missed || totals->late || totals->xruns)
		fprintf(out, "Not always on time: in %lld cycles %s%lld overrun(s) of %.3f ms, "
			     "%lld missed cycle(s) and %lld late finish(es)",
			totals->cycles, xruns, totals->overruns, limit_ms, totals->missed,
			totals->late);
	else if (totals->unstamped)
		fprintf(out, "Not known to be on time: in %lld cycles %sno overrun of %.3f ms and "
			     "no missed cycle", totals->cycles, no_xrun, limit_ms);
	else
		fprintf(out, "On time: in %lld cycles %sno overrun, no missed cycle and no finish "
			     "later than %.3f ms", totals->cycles, no_xrun, limit_ms);
	fprintf(out, "; the longest diff was %.3f ms (%s)", totals->max_diff_ms, totals->worst);
}

char *summary_verdict(const json_t *run)
{
	const json_t *conditions = json_object_get(run, "conditions");
	double limit_ms =
		jx_number(conditions, "deadline_periods") * jx_number(conditions, "period_ms");
	struct totals totals = { 0 };
	char *sentence = NULL;
	size_t size;
	FILE *out;

	if (imported_run(run))
		return imported_verdict(run);
	out = open_memstream(&sentence, &size);
	if (!out)
		return NULL;
	add_up(&totals, run);
	put_verdict(out, &totals, limit_ms, is_sound(run));
	put_reservations(out, &totals);
	fputc('.', out);
	if (fclose(out)) {
		free(sentence);
		return NULL;
	}
	return sentence;
}

static void put_phase_verdicts(FILE *out, const json_t *run)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(json_object_get(run, "phases"), i, phase) {
		char *verdict = verdict_phase(run, phase);

		summary_line(out, 4, "%s: %s", jx_text(phase, "name"),
			 verdict ? verdict : "(no memory)");
		free(verdict);
	}
}

static void put_legend(FILE *out, const json_t *run)
{
	const json_t *conditions = json_object_get(run, "conditions");
	double period_ms = jx_number(conditions, "period_ms");
	double limit_ms = jx_number(conditions, "deadline_periods") * period_ms;

	fputs("\nLegend:\n", out);
	summary_line(out, 2,
		     "cycle: one period of %.6g ms: wake up, burn, record; missed: a period "
		     "that passed without one",
		     period_ms);
	summary_line(out, 2,
		     "max diff: longest time between two wake-ups; overrun: a diff above %.6g ms",
		     limit_ms);
	summary_line(out, 2,
		     "<1 ms, <2 ms: share of diffs that near to the period; deviation: mean of "
		     "their distance from it");
	summary_line(out, 2,
		     "lateness: wake-up after it was due; finish: end of the burn after it was "
		     "due; late: finishes after %.6g ms",
		     limit_ms);
	summary_line(out, 2, "load: work done per period (%g asked); stolen: time that interrupts, "
			 "preemption and hypervisor added to it", jx_number(conditions, "load"));
	if (is_sound(run))
		summary_line(out, 2,
			     "lateness here: wake-up after the interrupt, by the kernel's time "
			     "stamp; xrun: the buffer ran empty (or full, recording); rate "
			     "drift: mean period against nominal");
	summary_line(out, 2, "stall: a stressor without progress for more than 100 ms");
}

int summary_write(FILE *out, const json_t *run)
{
	char *verdict;

	if (imported_run(run))
		return imported_summary(out, run);
	verdict = summary_verdict(run);
	summary_line(out, 4, "%s, %s, %s", jx_text(run, "program"), jx_text(run, "started_utc"),
		 jx_text(run, "status"));
	fputc('\n', out);
	put_conditions(out, json_object_get(run, "conditions"));
	put_machine(out, run);
	put_doctor(out, run);
	put_phases(out, run);
	put_reasons(out, run);
	fputc('\n', out);
	summary_line(out, 4, "Verdict: %s", verdict ? verdict : "(no memory)");
	free(verdict);
	put_phase_verdicts(out, run);
	put_legend(out, run);
	return ferror(out) ? -EIO : 0;
}
