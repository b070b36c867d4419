/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a result under names and units for people. */
#include "report/html_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"

/* Units that end a key, longest first where one ends another. */
static const struct unit {
	const char *suffix;
	const char *text;
} units[] = {
	{ "_percent", "%" },  { "_bytes", "bytes" },          { "_periods", "periods" },
	{ "_ms", "ms" },      { "_us", "\xc2\xb5s" },         { "_ns", "ns" },
	{ "_hz", "Hz" },      { "_ppm", "ppm" },              { "_s", "s" },
};

/* Names that do not follow from the key. */
static const struct {
	const char *key;
	const char *name;
} names[] = {
	{ "rate_hz", "tick rate" },
	{ "wakeups", "ticks per cycle" },
	{ "period_ms", "period P (total latency)" },
	{ "cpu_latency_ms", "nominal burn (cpu latency)" },
	{ "load", "CPU load" },
	{ "deadline_periods", "deadline" },
	{ "cpu", "pinned to CPU" },
	{ "cpu_hz", "CPU frequency" },
	{ "dma_latency_us", "cpu_dma_latency held at" },
	{ "cpu_dma_latency_us", "cpu_dma_latency" },
	{ "stress", "stressors" },
	{ "within_1ms_count", "diffs within 1 ms of P" },
	{ "within_1ms_percent", "diffs within 1 ms of P (factor)" },
	{ "within_1ms_time_percent", "time within 1 ms of P" },
	{ "within_2ms_count", "diffs within 2 ms of P" },
	{ "within_2ms_percent", "diffs within 2 ms of P (factor)" },
	{ "within_2ms_time_percent", "time within 2 ms of P" },
	{ "deviation_ms", "deviation (mean distance from P)" },
	{ "rms_deviation_ms", "deviation, root mean square" },
	{ "burn_p5_ms", "burn, 5th percentile (the work)" },
	{ "burn_within_0_1ms_percent", "burns within 0.1 ms of nominal" },
	{ "burn_within_0_2ms_percent", "burns within 0.2 ms of nominal" },
	{ "stolen_percent", "stolen (mean burn beyond the work)" },
	{ "lateness_kind", "how lateness is known" },
	{ "throttling_gaps", "gaps of real-time throttling" },
	{ "xruns", "xruns of the sound device's buffer" },
	{ "rate_drift_ppm", "rate drift (mean period against nominal)" },
	{ "granted_note", "granted otherwise than asked" },
	{ "migrations", "migrations between CPUs" },
	{ "cycles_by_cpu", "cycles by CPU" },
	{ "switches_voluntary", "voluntary context switches" },
	{ "switches_involuntary", "involuntary context switches" },
	{ "cpu_time_ms", "CPU time" },
	{ "page_faults_minor", "minor page faults" },
	{ "page_faults_major", "major page faults" },
	{ "smt_active", "SMT active" },
	{ "config_hz", "CONFIG_HZ" },
	{ "comm", "name" },
	{ "pid", "PID" },
	{ "alsa_version", "ALSA version" },
	{ "is_tmpfs", "tmpfs" },
};

static const struct unit *unit_of(const char *key)
{
	size_t length = strlen(key);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t suffix = strlen(units[i].suffix);

		if (length > suffix && !strcmp(key + length - suffix, units[i].suffix))
			return &units[i];
	}
	return NULL;
}

/* lateness_p99_9_us: "lateness p99.9"; else the key without its unit, blanks for underscores. */
void html_name(FILE *out, const char *key)
{
	const struct unit *unit = unit_of(key);
	size_t length = strlen(key) - (unit ? strlen(unit->suffix) : 0);
	char *name;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(key, names[i].key)) {
			html_escape(out, names[i].name);
			return;
		}
	}
	name = strndup(key, length);
	if (!name)
		return;
	for (size_t i = 0; i < length; i++) {
		bool fraction = i && name[i + 1] == '9' && name[i - 1] == '9';

		if (name[i] == '_')
			name[i] = fraction ? '.' : ' ';
	}
	html_escape(out, name);
	free(name);
}

/* Thousands apart by a narrow blank that does not break. */
static void put_integer(FILE *out, json_int_t value)
{
	char digits[32];
	size_t length;

	snprintf(digits, sizeof(digits), "%lld", (long long)value);
	length = strlen(digits);
	for (size_t i = 0; i < length; i++) {
		fputc(digits[i], out);
		if (length > 4 && digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
			fputs("&#8239;", out);
	}
}

static void put_bytes(FILE *out, double bytes)
{
	static const char *const prefixes[] = { "KiB", "MiB", "GiB", "TiB" };
	int prefix = -1;

	while (bytes >= 1024 && prefix < 3) {
		bytes /= 1024;
		prefix++;
	}
	if (prefix >= 0)
		fprintf(out, " bytes (%.3g&#160;%s)", bytes, prefixes[prefix]);
	else
		fputs(" bytes", out);
}

static void put_text(FILE *out, const char *text)
{
	bool unknown = !text[0] || !strcmp(text, "unknown");

	if (unknown)
		fprintf(out, "<span class=\"muted\">%s</span>", text[0] ? "unknown" : "none");
	else
		html_escape(out, text);
}

void html_value(FILE *out, const char *key, const json_t *value)
{
	const struct unit *unit = unit_of(key);

	switch (value ? json_typeof(value) : JSON_NULL) {
	case JSON_NULL:
		fputs("<span class=\"muted\">n/a</span>", out);
		return;
	case JSON_TRUE:
		fputs("yes", out);
		return;
	case JSON_FALSE:
		fputs("no", out);
		return;
	case JSON_STRING:
		put_text(out, json_string_value(value));
		return;
	case JSON_INTEGER:
		put_integer(out, json_integer_value(value));
		break;
	case JSON_REAL:
		if (!strcmp(key, "cpu_hz")) {
			fprintf(out, "%.6g&#160;MHz", json_real_value(value) / 1e6);
			return;
		}
		if (fabs(json_real_value(value)) >= 1e6 && fabs(json_real_value(value)) < 1e15)
			put_integer(out, (json_int_t)json_real_value(value));
		else
			fprintf(out, "%.6g", json_real_value(value));
		break;
	default:
		return;
	}
	if (unit && !strcmp(unit->text, "bytes"))
		put_bytes(out, json_number_value(value));
	else if (unit)
		fprintf(out, "&#160;%s", unit->text);
}

/* Which group a figure of a thread belongs to, by the beginning of its key. */
static const struct group {
	const char *name;
	const char *prefixes[9];
} groups[] = {
	{ "Cycles",
	  { "thread", "cycles", "missed", "expected", "lost", "late_finishes", "xruns" } },
	{ "Diff: time between two wake-ups",
	  { "diff", "min_diff", "mean_diff", "max_diff", "overruns", "within", "deviation",
	    "rms", "rate_drift" } },
	{ "Burn and load", { "burn", "load", "stolen" } },
	{ "Lateness: wake-up after due", { "lateness", "unstamped" } },
	{ "Finish: end of the burn after due", { "finish" } },
	{ "The thread and the kernel", { "" } }, /* all others */
};

static size_t group_of(const char *key)
{
	size_t n = sizeof(groups) / sizeof(groups[0]);

	for (size_t i = 0; i + 1 < n; i++) {
		for (size_t j = 0; j < 9 && groups[i].prefixes[j]; j++) {
			const char *prefix = groups[i].prefixes[j];

			if (!strncmp(key, prefix, strlen(prefix)) && strcmp(key, "cycles_by_cpu"))
				return i;
		}
	}
	return n - 1;
}

static void put_figure(FILE *out, const char *key, const json_t *value)
{
	const json_t *part;
	const char *name;

	if (json_is_object(value)) {
		json_object_foreach((json_t *)value, name, part) {
			fputs("<tr><th scope=\"row\">", out);
			html_name(out, key);
			html_printf(out, ", %s", name);
			fputs("</th><td>", out);
			html_value(out, name, part);
			fputs("</td></tr>\n", out);
		}
		return;
	}
	fputs("<tr><th scope=\"row\">", out);
	html_name(out, key);
	fputs("</th><td>", out);
	if (json_is_string(value) && !strcmp(json_string_value(value), "missed"))
		fputs("among the missed cycles", out);
	else
		html_value(out, key, value);
	fputs("</td></tr>\n", out);
}

void html_thread(FILE *out, const json_t *thread)
{
	const json_t *value;
	const char *key;

	fputs("<div class=\"columns\">\n", out);
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		bool any = false;

		json_object_foreach((json_t *)thread, key, value)
			any = any || group_of(key) == i;
		if (!any)
			continue;
		fprintf(out, "<section><table class=\"pairs\"><caption>%s</caption><tbody>\n",
			groups[i].name);
		json_object_foreach((json_t *)thread, key, value)
			if (group_of(key) == i)
				put_figure(out, key, value);
		fputs("</tbody></table></section>\n", out);
	}
	fputs("</div>\n", out);
}
