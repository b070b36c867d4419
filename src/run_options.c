/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "run_options.h"

#include <argp.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "measure/source.h"
#include "options.h"
#include "report/metrics.h"
#include "rtc/kernel_sources.h"
#include "sound_options.h"

#define DEFAULT_FILE_BYTES 1000000000
#define MIN_FILE_BYTES (64 * 1024)
#define MAX_FILE_BYTES (UINT64_C(1) << 44)
#define MAX_WAKEUPS 1000000
#define MAX_SECONDS (365 * 86400.0)

enum {
	OPT_LOAD = 256, OPT_RTC, OPT_WAKEUPS, OPT_DEADLINE, OPT_SOURCE, OPT_RTC_DEVICE,
	OPT_STRESS, OPT_DURATION, OPT_WARMUP, OPT_FILE_SIZE, OPT_DIR,
	OPT_CPU, OPT_POLICY, OPT_PRIORITY, OPT_DMA_LATENCY,
	OPT_MAX_OVERRUNS, OPT_MAX_MISSED, OPT_MAX_LATE_FINISH, OPT_MAX_DIFF,
	OPT_OUTPUT, OPT_JSON, OPT_TAP, OPT_QUIET, OPT_VERBOSE,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What is measured:", 1 },
	{ "load", OPT_LOAD, "F", 0, "share of the CPU to burn in each period, 0 to 0.95 (0.8)", 1 },
	{ "rtc", OPT_RTC, "HZ", 0,
	  "tick rate in Hz (1024): a power of two from 2 to 8192; with --source timer any from "
	  "1 to 50000, with alsa-timer any from 1 to 1000 (1000)", 1 },
	{ "wakeups", OPT_WAKEUPS, "N", 0,
	  "ticks per cycle (2), with sound sources 1; the period is N / HZ seconds, with --source "
	  "pcm N sound periods", 1 },
	{ "deadline", OPT_DEADLINE, "N", 0,
	  "overrun limit in periods (2), with --source pcm the buffer", 1 },
	{ "source", OPT_SOURCE, "S", 0,
	  "what wakes the thread: auto, rtc, timer, pcm or alsa-timer (auto: the RTC, else the "
	  "timer)", 1 },
	{ "rtc-device", OPT_RTC_DEVICE, "FILE", 0, "the RTC (/dev/rtc0, else /dev/rtc)", 1 },

	{ NULL, 0, NULL, 0, "Under which load:", 3 },
	{ "stress", OPT_STRESS, "LIST", 0,
	  "stressors in order (x11,proc,diskwrite,diskcopy,diskread); none is a quiet baseline",
	  3 },
	{ "duration", OPT_DURATION, "S", 0, "seconds per phase (30)", 3 },
	{ "warmup", OPT_WARMUP, "S", 0, "seconds of each phase that are not recorded (1)", 3 },
	{ "file-size", OPT_FILE_SIZE, "N", 0,
	  "size of the disk stressors' file in bytes, or with K, M, G for powers of 1024 "
	  "(1000000000)", 3 },
	{ "dir", OPT_DIR, "DIR", 0, "where the disk stressors work (.)", 3 },

	{ NULL, 0, NULL, 0, "The measuring thread:", 4 },
	{ "cpu", OPT_CPU, "N", 0, "pin it to CPU N (not pinned)", 4 },
	{ "policy", OPT_POLICY, "P", 0, "scheduling policy: fifo, rr or other (fifo)", 4 },
	{ "priority", OPT_PRIORITY, "N", 0, "real-time priority, 1 to 99 (80)", 4 },
	{ "dma-latency", OPT_DMA_LATENCY, "US", 0,
	  "hold /dev/cpu_dma_latency at that many microseconds; 0 keeps CPUs out of idle states "
	  "(left alone)", 4 },

	{ NULL, 0, NULL, 0, "Limits, for CI (a phase beyond one gives exit status 2):", 5 },
	{ "max-overruns", OPT_MAX_OVERRUNS, "N", 0, "overruns per phase", 5 },
	{ "max-missed", OPT_MAX_MISSED, "N", 0, "missed cycles per phase", 5 },
	{ "max-late-finish", OPT_MAX_LATE_FINISH, "N", 0, "late finishes per phase", 5 },
	{ "max-diff", OPT_MAX_DIFF, "MS", 0, "largest time between two wake-ups, in ms", 5 },

	{ NULL, 0, NULL, 0, "Output:", 6 },
	{ "output", OPT_OUTPUT, "DIR", 0,
	  "result directory, a new one (latencytest-KERNEL-YYYYMMDD-HHMMSS)", 6 },
	{ "json", OPT_JSON, NULL, 0, "print run.json on stdout at the end, and nothing else", 6 },
	{ "tap", OPT_TAP, NULL, 0,
	  "print each phase as a test result against the limits, and nothing else", 6 },
	{ "quiet", OPT_QUIET, NULL, 0, "print warnings and errors only", 6 },
	{ "verbose", OPT_VERBOSE, NULL, 0, "print the calibration and the environment too", 6 },
	{ NULL, 0, NULL, 0, "Help:", -1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static void parse_policy(struct run_options *options, const char *text)
{
	static const struct {
		const char *name;
		int policy;
	} policies[] = { { "fifo", SCHED_FIFO }, { "rr", SCHED_RR }, { "other", SCHED_OTHER } };

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		if (!strcmp(text, policies[i].name)) {
			options->attributes.policy = policies[i].policy;
			return;
		}
	}
	usage_error("--policy %s: valid are fifo, rr, other", text);
}

static _Noreturn void refuse_stressor(const char *name, const char *why)
{
	char names[256] = "";

	for (size_t i = 0; stressors[i]; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 stressors[i]->name);
	}
	usage_error("--stress %s: %s; valid are %s", name, why, names);
}

static void add_stressor(struct run_options *options, const char *name)
{
	const struct stressor *stressor = stressor_find(name);

	if (!stressor)
		refuse_stressor(name[0] ? name : "\"\"", "no such stressor");
	for (unsigned int i = 0; i < options->n_stress; i++)
		if (options->stress[i] == stressor)
			refuse_stressor(name, "named twice");
	options->stress[options->n_stress++] = stressor;
}

static void parse_stress(struct run_options *options, const char *text)
{
	char *copy = strdup(text), *rest = copy, *name;

	options->n_stress = 0;
	while ((name = strsep(&rest, ",")))
		add_stressor(options, name);
	free(copy);
}

static void parse_source(struct run_options *options, const char *text)
{
	char names[128] = "auto";

	for (size_t i = 0; sources[i]; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof(names) - used, ", %s", sources[i]->name);
	}
	if (sound_source(text) && !source_find(text))
		usage_error("--source %s: this latencytest was built without ALSA "
			    "(--without-alsa); valid are %s", text, names);
	if (strcmp(text, "auto") && !source_find(text))
		usage_error("--source %s: valid are %s", text, names);
	options->source = text;
}

static void set_print(struct run_options *options, enum run_print print)
{
	if (options->print != RUN_PRINT_SUMMARY && options->print != print)
		usage_error("--json, --tap: valid is one of them");
	options->print = print;
}

static error_t parse_limit(int key, const char *arg, struct run_limits *limits)
{
	switch (key) {
	case OPT_MAX_OVERRUNS:
		limits->overruns = option_i64("--max-overruns", arg, 0, INT64_MAX);
		break;
	case OPT_MAX_MISSED:
		limits->missed = option_i64("--max-missed", arg, 0, INT64_MAX);
		break;
	case OPT_MAX_LATE_FINISH:
		limits->late_finish = option_i64("--max-late-finish", arg, 0, INT64_MAX);
		break;
	case OPT_MAX_DIFF:
		limits->max_diff_ms = option_double("--max-diff", arg, 0, 1e9);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* The input of run's options: those of the sound devices have a parser of their own. */
struct input {
	struct run_options run;
	struct sound_options sound;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct input *input = state->input;
	struct run_options *options = &input->run;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &input->sound;
		break;
	case OPT_LOAD:
		options->load = option_double("--load", arg, 0, RUN_MAX_LOAD);
		break;
	case OPT_RTC:
		options->rate_hz = (unsigned int)option_i64("--rtc", arg, 1, TIMER_MAX_HZ);
		break;
	case OPT_WAKEUPS:
		options->wakeups = (unsigned int)option_i64("--wakeups", arg, 1, MAX_WAKEUPS);
		break;
	case OPT_DEADLINE:
		options->deadline = option_double("--deadline", arg, 1, 1000);
		break;
	case OPT_SOURCE:
		parse_source(options, arg);
		break;
	case OPT_RTC_DEVICE:
		options->rtc_device = arg;
		break;
	case OPT_STRESS:
		parse_stress(options, arg);
		break;
	case OPT_DURATION:
		options->duration_s = option_double("--duration", arg, 0.1, MAX_SECONDS);
		break;
	case OPT_WARMUP:
		options->warmup_s = option_double("--warmup", arg, 0, 3600);
		break;
	case OPT_FILE_SIZE:
		options->file_bytes = option_size("--file-size", arg, MIN_FILE_BYTES,
						  MAX_FILE_BYTES);
		break;
	case OPT_DIR:
		if (!arg[0])
			usage_error("--dir \"\": valid is the name of a directory");
		options->dir = arg;
		break;
	case OPT_CPU:
		options->attributes.cpu = (int)option_i64("--cpu", arg, 0, CPU_SETSIZE - 1);
		break;
	case OPT_POLICY:
		parse_policy(options, arg);
		break;
	case OPT_PRIORITY:
		options->attributes.priority = (int)option_i64("--priority", arg, 1, 99);
		break;
	case OPT_DMA_LATENCY:
		options->dma_latency_us = (int)option_i64("--dma-latency", arg, 0, 2000000000);
		break;
	case OPT_OUTPUT:
		options->output = arg;
		break;
	case OPT_JSON:
		set_print(options, RUN_PRINT_JSON);
		break;
	case OPT_TAP:
		set_print(options, RUN_PRINT_TAP);
		break;
	case OPT_QUIET:
		options->verbosity = RUN_QUIET;
		break;
	case OPT_VERBOSE:
		options->verbosity = RUN_VERBOSE;
		break;
	case ARGP_KEY_ARG:
		usage_error("%s: run takes options only", arg);
	default:
		return parse_limit(key, arg, &options->limits);
	}
	return 0;
}

/* auto takes the rates that the RTC takes too, so that a command works alike on every machine. */
static void check_rate(const struct run_options *options)
{
	const struct source_ops *ops = source_find(options->source);
	unsigned int rate = options->rate_hz;

	if (!ops)
		ops = &source_rtc;
	if (rate < ops->min_hz || rate > ops->max_hz || (!ops->any_rate && (rate & (rate - 1))))
		usage_error("--rtc %u: with --source %s valid is a %s from %u to %u%s", rate,
			    options->source, ops->any_rate ? "rate" : "power of two", ops->min_hz,
			    ops->max_hz,
			    ops->any_rate ? "" : " (--source timer takes any to 50000)");
}

/* What was not said depends on the source. */
static void set_defaults(struct run_options *options)
{
	bool pcm = !strcmp(options->source, "pcm");

	if (pcm && options->rate_hz)
		usage_error("--rtc %u: goes not with --source pcm, where --rate and "
			    "--period-frames make the period", options->rate_hz);
	if (options->rtc_device && strcmp(options->source, "auto") &&
	    strcmp(options->source, "rtc"))
		usage_error("--rtc-device %s: goes not with --source %s", options->rtc_device,
			    options->source);
	if (options->attributes.policy == SCHED_OTHER && options->attributes.priority)
		usage_error("--priority %d: goes not with --policy other, which has none",
			    options->attributes.priority);
	if (options->attributes.policy != SCHED_OTHER && !options->attributes.priority)
		options->attributes.priority = 80;
	if (!options->rate_hz)
		options->rate_hz = sound_source(options->source) ? 1000 : 1024;
	if (!options->wakeups)
		options->wakeups = sound_source(options->source) ? 1 : 2;
	if (!(options->deadline > 0) && !pcm)
		options->deadline = 2;
}

static void check_load(const struct run_options *options, double period_ns)
{
	double max_load = run_max_load(period_ns);
	char rate[64];

	if (options->load <= max_load + 1e-9)
		return;
	if (!strcmp(options->source, "pcm"))
		snprintf(rate, sizeof(rate), "--period-frames %u / --rate %u",
			 options->sound.period_frames, options->sound.rate_hz);
	else
		snprintf(rate, sizeof(rate), "--rtc %u", options->rate_hz);
	usage_error("--load %g: leaves %.3g us of each period of %.4g us (--wakeups %u / %s) and "
		    "%.0f us are needed; valid at this rate is 0 to %.3f", options->load,
		    (1 - options->load) * period_ns / 1e3, period_ns / 1e3, options->wakeups, rate,
		    RUN_MIN_IDLE_NS / 1e3, max_load);
}

static void check_together(const struct run_options *options)
{
	double period_ns = metrics_period_ns(options->rate_hz, options->wakeups);

	if (!strcmp(options->source, "pcm"))
		period_ns = metrics_period_ns(options->sound.rate_hz,
					      options->wakeups * options->sound.period_frames);
	else
		check_rate(options);
	check_load(options, period_ns);
	if (options->duration_s * 1e9 < period_ns)
		usage_error("--duration %g: is shorter than one period; valid is %g or more",
			    options->duration_s, period_ns / 1e9);
	if (options->output && !options->output[0])
		usage_error("--output \"\": valid is the name of a new directory");
}

static char *help_filter(int key, const char *text, void *input)
{
	char *commands_text = NULL;
	size_t size;
	FILE *out;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC || !(out = open_memstream(&commands_text, &size)))
		return (char *)text;
	fputs("Commands (latencytest COMMAND --help tells more):\n", out);
	for (const struct command *command = commands; command->name; command++)
		fprintf(out, "  %-10s %s\n", command->name, command->summary);
	fputs("\nExit status: 0 done and within limits; 1 error, or a phase that is invalid "
	      "or was interrupted; 2 a limit was breached or could not be checked; 64 wrong "
	      "usage.", out);
	fclose(out);
	return commands_text;
}

static const struct argp_child children[] = {
	{ &sound_argp, 0, "Sound devices (--source pcm, alsa-timer):", 2 },
	{ NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "",
	.doc = "Measure whether this machine can run audio on time: a real-time thread wakes "
	       "periodically, burns a share of the CPU as a synthesizer would and records when it "
	       "really woke, while stressors load the machine.\v",
	.children = children,
	.help_filter = help_filter,
};

void run_options_parse(int argc, char **argv, struct run_options *options)
{
	struct input input = {
		.run = {
			.load = 0.8,
			.source = "auto",
			.duration_s = 30,
			.warmup_s = 1,
			.file_bytes = DEFAULT_FILE_BYTES,
			.dir = ".",
			.attributes = { .policy = SCHED_FIFO, .cpu = -1 },
			.dma_latency_us = -1,
			.limits = { .overruns = -1, .missed = -1, .late_finish = -1,
				    .max_diff_ms = NAN },
			.argc = argc,
			.argv = argv,
		},
		.sound = sound_defaults,
	};

	for (size_t i = 0; stressors[i]; i++)
		if (stressors[i]->in_default)
			input.run.stress[input.run.n_stress++] = stressors[i];
	argp_parse(&argp, argc, argv, 0, NULL, &input);
	*options = input.run;
	options->sound = input.sound.params;
	set_defaults(options);
	sound_options_check(&input.sound, options->source, options->wakeups);
	check_together(options);
}
