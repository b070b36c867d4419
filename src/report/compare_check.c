/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What makes a comparison void (refusals), and what makes its rows doubtful (flags). */
#include "report/compare.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"
#include "util/jx.h"

#define SPEED_LIMIT 0.02    /* load achieved, loops per run */
#define MEMORY_LIMIT 0.02
#define PROGRESS_LIMIT 0.25

static const char *label_of(const struct compare *compare, size_t side)
{
	return compare->sides[side].label;
}

/*
 * The text as JSON. What is not UTF-8 is replaced: no line may be lost because of one character.
 */
static __attribute__((format(printf, 1, 0))) json_t *line_json(const char *fmt, va_list args)
{
	char *text, *clean;
	json_t *line;

	if (vasprintf(&text, fmt, args) < 0)
		return json_string("(no memory)");
	clean = text_clean(text);
	line = json_string(clean ? clean : "(no memory)");
	free(clean);
	free(text);
	return line;
}

/* Takes the value over, and appends it where there is none like it. */
static void append_new(json_t *array, json_t *value)
{
	const json_t *known;
	size_t i;

	json_array_foreach(array, i, known) {
		if (json_equal(known, value)) {
			json_decref(value);
			return;
		}
	}
	json_array_append_new(array, value);
}

static __attribute__((format(printf, 2, 3))) void refuse(struct compare *compare, const char *fmt,
							  ...)
{
	va_list args;

	va_start(args, fmt);
	append_new(compare->refusals, line_json(fmt, args));
	va_end(args);
}

static __attribute__((format(printf, 4, 5))) void flag(struct compare *compare, const char *label,
							const char *phase, const char *fmt, ...)
{
	json_t *object = json_object();
	va_list args;

	va_start(args, fmt);
	jx_put(object, "text", line_json(fmt, args));
	va_end(args);
	jx_put(object, "label", json_string(label));
	jx_put(object, "phase", phase ? json_string(phase) : json_null());
	append_new(compare->flags, object);
}

/* ---- conditions: the same everywhere, or no comparison ---- */

static const struct condition {
	const char *key, *name;
	bool of_disk_phases;
} void_when_different[] = {
	{ "source", "source", false },
	{ "load", "load asked", false },
	{ "period_ms", "period", false },
	{ "deadline_periods", "deadline", false },
	{ "file_size_bytes", "size of the stressors' file", true },
};

static bool is_disk_phase(const char *name)
{
	return !strncmp(name, "disk", 4);
}

static bool any_disk_phase(const struct compare *compare)
{
	for (size_t i = 0; i < compare->n_phases; i++)
		if (is_disk_phase(compare->phases[i]))
			return true;
	return false;
}

static bool is_known(const json_t *value)
{
	return json_is_number(value) || json_is_array(value) ||
	       (json_is_string(value) && strcmp(json_string_value(value), "unknown"));
}

static bool alike(const json_t *a, const json_t *b, double tolerance)
{
	double x = json_number_value(a), y = json_number_value(b);

	if (json_is_number(a) && json_is_number(b))
		return fabs(x - y) <= tolerance * fmax(fabs(x), fabs(y));
	return json_equal(a, b);
}

static const char *value_text(char *buf, size_t size, const json_t *value)
{
	if (json_is_string(value))
		return json_string_value(value);
	snprintf(buf, size, "%.10g", json_number_value(value));
	return buf;
}

static void check_condition(struct compare *compare, size_t side, const json_t *run,
			    const json_t *first, const struct condition *condition)
{
	const json_t *is = json_object_get(json_object_get(run, "conditions"), condition->key);
	const json_t *wanted = json_object_get(json_object_get(first, "conditions"),
					       condition->key);
	char is_text[32], wanted_text[32];

	if (condition->of_disk_phases && !any_disk_phase(compare))
		return;
	if (!is_known(is) || !is_known(wanted)) {
		if (is_known(is) != is_known(wanted))
			flag(compare, label_of(compare, side), NULL, "%s is not known of every run",
			     condition->name);
		return;
	}
	if (alike(is, wanted, 1e-6))
		return;
	refuse(compare, "%s differs: %s has %s, %s has %s", condition->name, label_of(compare, 0),
	       value_text(wanted_text, sizeof(wanted_text), wanted), label_of(compare, side),
	       value_text(is_text, sizeof(is_text), is));
}

/* ---- the machine ---- */

static void check_machine(struct compare *compare, size_t side, const json_t *run,
			  const json_t *first)
{
	static const struct {
		const char *key, *name;
		double tolerance;
	} facts[] = {
		{ "cpu_model", "CPU model", 0 },
		{ "cpu_count_online", "number of CPUs", 0 },
		{ "system_vendor", "maker of the machine", 0 },
		{ "system_product", "machine", 0 },
		{ "hostname", "host name", 0 },
		{ "memory_total_bytes", "size of memory", MEMORY_LIMIT },
		{ "hypervisor", "hypervisor", 0 },
		{ "virtual_time", "virtual time", 0 },
	};
	const json_t *environment = json_object_get(run, "environment");
	const json_t *reference = json_object_get(first, "environment");

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const json_t *a = json_object_get(reference, facts[i].key);
		const json_t *b = json_object_get(environment, facts[i].key);

		if (!is_known(a) || !is_known(b) || alike(a, b, facts[i].tolerance))
			continue;
		flag(compare, label_of(compare, side), NULL, "not the same machine: %s differs",
		     facts[i].name);
	}
}

static void check_debug(struct compare *compare, size_t side, const json_t *run)
{
	static const char *const words[] = { "debug", "dbg", "kasan", "kcsan", "lockdep" };
	const char *release = jx_text(json_object_get(run, "environment"), "kernel_release");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(release, words[i]))
			flag(compare, label_of(compare, side), NULL, "a debug kernel");
}

/* ---- settings that are flagged unless they are the thing compared ---- */

struct setting {
	const char *group, *key, *name; /* group: where in run.json */
	bool of_disk_phases;
	bool flags;                     /* else it is only one more thing that differs */
	unsigned int factor;            /* those with the same number count as one */
};

static const struct setting settings[] = {
	{ "environment", "kernel_release", "kernel", false, false, 0 },
	{ "environment", "kernel_version", "kernel", false, false, 0 },
	{ "preemption", "model", "preemption model", false, false, 0 },
	{ "conditions", "policy", "policy", false, true, 1 },
	{ "conditions", "priority", "priority", false, true, 1 },
	{ "test_directory", "elevator", "elevator", true, true, 2 },
	{ "test_directory", "devices_below", "elevator of a device below", true, true, 2 },
	{ "test_directory", "file_system", "file system", true, true, 3 },
};

#define N_SETTINGS (sizeof(settings) / sizeof(settings[0]))

static const json_t *setting_of(const json_t *run, const struct setting *setting)
{
	const json_t *object = json_object_get(run, setting->group);

	if (!object)
		object = json_object_get(json_object_get(run, "environment"), setting->group);
	return json_object_get(object, setting->key);
}

static void flag_setting(struct compare *compare, size_t side, const struct setting *setting)
{
	static const char words[] = "%s differs, and so do other things";

	if (!setting->of_disk_phases)
		flag(compare, label_of(compare, side), NULL, words, setting->name);
	for (size_t i = 0; setting->of_disk_phases && i < compare->n_phases; i++)
		if (is_disk_phase(compare->phases[i]))
			flag(compare, label_of(compare, side), compare->phases[i], words,
			     setting->name);
}

static void check_settings(struct compare *compare, size_t side, const json_t *run,
			   const json_t *first)
{
	bool differs[N_SETTINGS] = { false };
	unsigned int factors = 0;

	for (size_t i = 0; i < N_SETTINGS; i++) {
		const json_t *a = setting_of(first, &settings[i]);
		const json_t *b = setting_of(run, &settings[i]);

		differs[i] = is_known(a) && is_known(b) && !json_equal(a, b);
		factors |= differs[i] ? 1u << settings[i].factor : 0;
	}
	/* Within a side nothing is compared, so that nothing may differ. */
	if (side && !(factors & (factors - 1)))
		return;
	for (size_t i = 0; i < N_SETTINGS; i++)
		if (differs[i] && settings[i].flags)
			flag_setting(compare, side, &settings[i]);
}

/* ---- figures that ought to be alike ---- */

/* Median over the runs of a side; phase NULL: of the calibration. */
static double median_of(const struct compare_side *side, const char *phase, const char *group,
			const char *key)
{
	double *values = calloc(json_array_size(side->runs) + 1, sizeof(values[0])), median;
	const json_t *run;
	size_t i, n = 0;

	if (!values)
		return NAN;
	json_array_foreach(side->runs, i, run) {
		const json_t *from = phase ? compare_phase(run, phase) : run, *object;

		if (phase && !compare_usable(from))
			continue;
		object = json_object_get(from, group);
		values[n] = jx_number(json_is_array(object) ? json_array_get(object, 0) : object,
				      key);
		n += !isnan(values[n]);
	}
	median = stats_median(values, n);
	free(values);
	return median;
}

static void check_median(struct compare *compare, size_t side, const char *phase,
			 const char *group, const char *key, const char *name, double limit)
{
	double reference = median_of(&compare->sides[0], phase, group, key);
	double here = median_of(&compare->sides[side], phase, group, key);
	double off = here / reference - 1;

	if (!(reference > 0) || !(here >= 0) || !(fabs(off) > limit))
		return;
	flag(compare, label_of(compare, side), phase, "%s differs by %+.1f %%", name, 100 * off);
}

static void check_figures(struct compare *compare, size_t side)
{
	check_median(compare, side, NULL, "calibration", "loops_per_run", "loops per run",
		     SPEED_LIMIT);
	for (size_t i = 0; i < compare->n_phases; i++) {
		const char *phase = compare->phases[i];

		check_median(compare, side, phase, "threads", "load_achieved", "load achieved",
			     SPEED_LIMIT);
		check_median(compare, side, phase, "threads", "loops_per_run", "loops per run",
			     SPEED_LIMIT);
		check_median(compare, side, phase, "stressor", "units_per_second",
			     "the stressor's progress", PROGRESS_LIMIT);
	}
}

/* ---- phases ---- */

static void check_phase(struct compare *compare, size_t side, const json_t *phase,
			const char *phase_name, const char *run_name)
{
	const char *status = jx_text(phase, "status"), *reason;
	size_t threads = json_array_size(json_object_get(phase, "threads"));

	if (threads > 1)
		flag(compare, label_of(compare, side), phase_name,
		     "%s has %zu threads; the first is compared", run_name, threads);
	if (!phase || !strcmp(status, "valid") || !strcmp(status, "imported"))
		return;
	reason = json_string_value(json_array_get(json_object_get(phase, "reasons"), 0));
	flag(compare, label_of(compare, side), phase_name, "%s is %s%s%s%s", run_name, status,
	     compare_usable(phase) ? "" : " and left out", reason ? ": " : "",
	     reason ? reason : "");
}

static void check_phases(struct compare *compare, size_t side)
{
	const struct compare_side *here = &compare->sides[side];
	const json_t *run;
	size_t i, missing;

	for (size_t j = 0; j < compare->n_phases; j++) {
		missing = 0;
		json_array_foreach(here->runs, i, run) {
			const json_t *phase = compare_phase(run, compare->phases[j]);

			missing += !phase;
			check_phase(compare, side, phase, compare->phases[j],
				    json_string_value(json_array_get(here->names, i)));
		}
		if (missing)
			flag(compare, here->label, compare->phases[j],
			     missing == json_array_size(here->runs) ?
				     "was not measured" : "was not measured in every run");
	}
}

void compare_check(struct compare *compare)
{
	const json_t *first = json_array_get(compare->sides[0].runs, 0), *run, *line;
	size_t i;

	for (size_t side = 0; side < compare->n_sides; side++) {
		json_array_foreach(compare->sides[side].runs, i, run) {
			for (size_t j = 0; j < sizeof(void_when_different) /
						       sizeof(void_when_different[0]); j++)
				check_condition(compare, side, run, first,
						&void_when_different[j]);
			check_machine(compare, side, run, first);
			check_settings(compare, side, run, first);
			check_debug(compare, side, run);
		}
		json_array_foreach(compare->sides[side].damage, i, line)
			flag(compare, label_of(compare, side), NULL, "%s", json_string_value(line));
		if (side)
			check_figures(compare, side);
		check_phases(compare, side);
	}
}

bool compare_flagged(const struct compare *compare, const char *phase, const char *label)
{
	const char *reference = compare->sides[0].label;
	const json_t *object;
	size_t i;

	if (json_array_size(compare->refusals))
		return true;
	json_array_foreach(compare->flags, i, object) {
		const char *where = json_string_value(json_object_get(object, "phase"));
		const char *who = jx_text(object, "label");

		if ((!where || !strcmp(where, phase)) &&
		    (!strcmp(who, label) || !strcmp(who, reference)))
			return true;
	}
	return false;
}
