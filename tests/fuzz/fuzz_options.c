/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: any bytes as a command line, the words separated by NUL. Whatever the parser
 * lets through is what the rest of the program may count on; nothing is measured, read or written:
 * the linker puts the functions below in the place of those that would (see fuzz.am).
 *
 * A wrong word ends the program. Here it is a longjmp, which leaves behind what getopt and argp had
 * allocated: that is freed by the list that the hooks keep. Leaks are not looked for, because argp
 * would be all that is found.
 */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sanitizer/allocator_interface.h>
#include <sys/stat.h>

#include "alsa/devices.h"
#include "commands.h"
#include "options.h"
#include "report/compare.h"
#include "report/import.h"
#include "report/run_file.h"
#include "run/run.h"
#include "sweep/sweep.h"
#include "system/environment.h"

#define MAX_WORDS 64
#define MAX_BLOCKS 4096

const char *argp_program_version = "fuzz";

/* What may be named first. */
const struct command commands[] = {
	{ "run", "", cmd_run },
	{ "report", "", cmd_report },
	{ "import", "", cmd_import },
	{ "compare", "", cmd_compare },
	{ "sweep", "", cmd_sweep },
	{ "doctor", "", cmd_doctor },
	{ "list", "", cmd_list },
	{ NULL, NULL, NULL },
};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static jmp_buf end;
static bool parsing; /* the program runs, not the fuzzer */

/* ---- what is allocated ---- */

static const volatile void *blocks[MAX_BLOCKS];
static size_t n_blocks;

static void on_malloc(const volatile void *block, size_t size)
{
	(void)size;
	if (!parsing)
		return;
	if (n_blocks == MAX_BLOCKS)
		abort();
	blocks[n_blocks++] = block;
}

static void on_free(const volatile void *block)
{
	for (size_t i = n_blocks; parsing && i-- > 0;) {
		if (blocks[i] == block) {
			blocks[i] = blocks[--n_blocks];
			return;
		}
	}
}

static void free_blocks(void)
{
	for (size_t i = 0; i < n_blocks; i++)
		free((void *)(uintptr_t)blocks[i]);
	n_blocks = 0;
}

/* ---- in the place of what would end the program, or do something ---- */

#define WRAP(type, name, ...) \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

_Noreturn WRAP(void, exit, int status)
{
	if (!parsing)
		__real_exit(status);
	if (status != EXIT_USAGE)
		abort();
	longjmp(end, 1);
}

/* argp lies in the C library, out of the linker's reach, and would end the program itself. */
WRAP(error_t, argp_parse, const struct argp *argp, int argc, char **argv, unsigned int flags,
     int *index, void *input)
{
	error_t err = __real_argp_parse(argp, argc, argv, flags | ARGP_NO_EXIT, index, input);

	if (err)
		longjmp(end, 1);
	return err;
}

static void demand(bool condition)
{
	if (!condition)
		abort();
}

static void check_sound(const struct run_options *options)
{
	const struct sound_params *sound = &options->sound;

	demand(sound->device && sound->device[0] && sound->format && sound->format[0]);
	demand(sound->rate_hz && sound->period_frames && sound->periods >= 2 && sound->channels);
	demand(!(sound->capture && sound->duplex));
	demand(sound->tone_hz >= 0 && sound->tone_hz * 2 <= sound->rate_hz);
	if (!strcmp(options->source, "pcm"))
		demand(options->wakeups < sound->periods);
}

static void check_run(const struct run_options *options)
{
	const struct run_limits *limits = &options->limits;
	const struct source_ops *source = source_find(options->source);

	demand(options->load >= 0 && options->load <= RUN_MAX_LOAD);
	demand(source || !strcmp(options->source, "auto"));
	if (source && strcmp(source->name, "pcm"))
		demand(options->rate_hz >= source->min_hz && options->rate_hz <= source->max_hz);
	demand(options->wakeups >= 1);
	demand(options->deadline == 0 || options->deadline >= 1);
	demand(options->n_stress >= 1 && options->n_stress <= RUN_MAX_PHASES);
	for (unsigned int i = 0; i < options->n_stress; i++) {
		demand(options->stress[i]);
		for (unsigned int j = 0; j < i; j++)
			demand(options->stress[i] != options->stress[j]);
	}
	demand(options->duration_s > 0 && options->duration_s < 1e9);
	demand(options->warmup_s >= 0 && options->warmup_s < 1e9);
	demand(options->file_bytes > 0 && options->file_bytes < INT64_MAX);
	demand(options->dir && (!options->output || options->output[0]));
	demand(options->attributes.cpu >= -1 && options->attributes.cpu < CPU_SETSIZE);
	if (options->attributes.policy == SCHED_OTHER)
		demand(options->attributes.priority == 0);
	else
		demand(options->attributes.priority >= 1 && options->attributes.priority <= 99);
	demand(limits->overruns >= -1 && limits->missed >= -1 && limits->late_finish >= -1);
	demand(isnan(limits->max_diff_ms) || limits->max_diff_ms >= 0);
	check_sound(options);
}

WRAP(int, run, const struct run_options *options)
{
	check_run(options);
	return EXIT_DONE;
}

static void check_words(const char *list, const struct plan_words *words)
{
	demand(words->n <= PLAN_MAX_LABELS);
	demand(list || !words->n);
	for (size_t i = 0; i < words->n; i++) {
		demand(words->words[i][0] != '\0');
		for (size_t j = 0; j < i; j++)
			demand(strcmp(words->words[i], words->words[j]) != 0);
	}
}

WRAP(int, sweep, const struct sweep_options *options)
{
	demand(options->runs <= PLAN_MAX_RUNS);
	demand(options->seed >= -1 && options->seed <= PLAN_MAX_SEED);
	demand(options->order == PLAN_INTERLEAVED || options->order == PLAN_BLOCKS);
	demand(!options->devices || options->elevators);
	check_words(options->elevators, &options->elevator_words);
	check_words(options->preempts, &options->preempt_words);
	if (options->resume)
		return EXIT_DONE;
	check_run(&options->run);
	demand(!options->run.output && options->run.print == RUN_PRINT_SUMMARY);
	return EXIT_DONE;
}

/* What the doctor would look at first: it goes no further than this. */
WRAP(json_t *, environment_collect, const struct environment_params *params)
{
	demand(params && params->dir && params->cpu >= -1 && params->cpu < CPU_SETSIZE);
	return NULL;
}

WRAP(int, alsa_devices, json_t **cards, struct fault *fault)
{
	demand(cards != NULL);
	return fault_set(fault, -ENOENT, "not looked for here");
}

WRAP(int, alsa_timers, json_t **timers, struct fault *fault)
{
	demand(timers != NULL);
	return fault_set(fault, -ENOENT, "not looked for here");
}

WRAP(int, run_file_open, struct run_view *view, const char *dir, struct fault *fault)
{
	demand(view && dir);
	return fault_set(fault, -ENOENT, "%s: not read here", dir);
}

WRAP(int, compare_load, struct compare *compare, const char *argument, bool with_samples,
     FILE *complaints, struct fault *fault)
{
	(void)with_samples;
	demand(compare && argument && complaints);
	return fault_set(fault, -ENOENT, "%s: not read here", argument);
}

WRAP(int, import_stream, FILE *in, const char *name, import_sink sink, import_complaint complain,
     void *argument, struct import_stats *stats, struct fault *fault)
{
	demand(in && name && sink && complain && argument && fault);
	memset(stats, 0, sizeof(*stats));
	return 0;
}

WRAP(FILE *, fopen64, const char *path, const char *mode)
{
	if (!parsing)
		return __real_fopen64(path, mode);
	demand(path && mode[0] == 'r');
	errno = ENOENT;
	return NULL;
}

WRAP(int, mkdir, const char *path, mode_t mode)
{
	if (!parsing)
		return __real_mkdir(path, mode);
	demand(path);
	errno = EACCES;
	return -1;
}

/* ---- the command line ---- */

static void parse(int argc, char **argv)
{
	static char name[] = "latencytest";
	char *program = program_invocation_name, *short_name = program_invocation_short_name;

	argv[0] = name;
	parsing = true;
	if (!setjmp(end)) {
		int (*volatile command)(int, char **) = cmd_run;
		volatile int skip = 0;

		for (const struct command *c = commands; argc > 1 && c->name; c++) {
			if (!strcmp(argv[1], c->name)) {
				command = c->main;
				skip = 1;
				argv[1] = name;
			}
		}
		command(argc - skip, argv + skip);
		/* The streams' own buffers are given beforehand, so that nothing may be left. */
		demand(n_blocks == 0);
	}
	parsing = false;
	free_blocks();
	/* An option of argp that nobody sees sets them. */
	program_invocation_name = program;
	program_invocation_short_name = short_name;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char out[BUFSIZ], err[BUFSIZ];
	static char help[] = "--help", wrong[] = "--wrong";
	char *words[] = { NULL, help, wrong, NULL };

	(void)argc;
	(void)argv;
	setvbuf(stdout, out, _IOFBF, sizeof(out));
	setvbuf(stderr, err, _IOLBF, sizeof(err));
	/* What the C library allocates once and keeps is not counted. */
	parse(3, words);
	if (!__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free))
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *words[MAX_WORDS + 2] = { NULL };
	int n = 1;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *word = text; word <= text + size && n <= MAX_WORDS; word += strlen(word) + 1) {
		/* argp's own --HANG, which nobody sees either, sleeps for an hour. */
		if (!strncmp(word, "--H", 3) || !strncmp(word, "-H", 2))
			break;
		words[n++] = word;
	}
	parse(n, words);
	free(text);
	return 0;
}
