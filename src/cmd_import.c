/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest import: result directories from what old and other tools printed. */
#include "config.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "options.h"
#include "report/import.h"
#include "report/import_seen.h"
#include "report/result.h"
#include "util/jx.h"
#include "util/printable.h"

#define NAME_BYTES 160 /* of a result directory */

struct import_options {
	const char *output; /* NULL: the current directory */
	const char *kernel; /* of runs that do not say theirs, or NULL */
	char **files;
	int n_files;
};

struct command_state {
	const struct import_options *options;
	struct import_seen *seen;   /* over all files */
	unsigned int written, duplicates, numbered;
	bool failed;                /* writing a result did, and it was told */
};

enum { OPT_OUTPUT = 256, OPT_KERNEL };

static const struct argp_option option_table[] = {
	{ "output", OPT_OUTPUT, "DIR", 0,
	  "make the result directories in DIR, made if need be (default: the current directory)",
	  1 },
	{ "kernel", OPT_KERNEL, "NAME", 0, "the kernel of runs that do not say theirs", 1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct import_options *options = state->input;

	switch (key) {
	case OPT_OUTPUT:
		if (!arg[0])
			usage_error("--output \"\": valid is the name of a directory");
		options->output = arg;
		break;
	case OPT_KERNEL:
		if (!arg[0])
			usage_error("--kernel: valid is a name");
		options->kernel = arg;
		break;
	case ARGP_KEY_ARGS:
		options->files = state->argv + state->next;
		options->n_files = state->argc - state->next;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* ---- result directories ---- */

/* Adds a part to a name; what a file name had better not have becomes a dash. */
static void add_part(char *name, const char *part)
{
	size_t at = strlen(name);

	if (at && at + 1 < NAME_BYTES)
		name[at++] = '-';
	for (; *part && at + 1 < NAME_BYTES; part++) {
		bool plain = isalnum((unsigned char)*part) || (*part && strchr("._+~", *part));

		if (plain || (at && name[at - 1] != '-'))
			name[at++] = (char)(plain ? *part : '-');
	}
	while (at && name[at - 1] == '-')
		at--;
	name[at] = '\0';
}

/* The file's own name without what tells its kind. */
static void add_file(char *name, const char *file)
{
	static const char *const kinds[] = { ".txt", ".log", ".json", ".mbox", ".eml" };
	const char *slash = strrchr(file, '/');
	char base[NAME_BYTES];

	snprintf(base, sizeof(base), "%s", slash ? slash + 1 : file);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t length = strlen(base), kind = strlen(kinds[i]);

		if (length > kind && !strcmp(base + length - kind, kinds[i])) {
			base[length - kind] = '\0';
			break;
		}
	}
	/* A name that begins with a dot would be hidden. */
	add_part(name, base + strspn(base, "."));
}

/* Makes a directory that was not there before. 0 or a negative errno. */
static int make_directory(struct command_state *state, const json_t *run, char path[PATH_MAX])
{
	const json_t *environment = json_object_get(run, "environment");
	const char *words = json_string_value(json_object_get(environment, "scheduler"));
	const char *parent = state->options->output ? state->options->output : "";
	const char *slash = state->options->output ? "/" : "";
	char name[NAME_BYTES] = "";

	add_file(name, jx_text(json_object_get(run, "imported"), "file"));
	if (strcmp(jx_text(environment, "kernel_release"), "unknown"))
		add_part(name, jx_text(environment, "kernel_release"));
	if (words)
		add_part(name, words);
	if (!name[0])
		add_part(name, "imported");
	if (snprintf(path, PATH_MAX, "%s%s%s", parent, slash, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	while (mkdir(path, 0777)) {
		if (errno != EEXIST)
			return -errno;
		/* One counter for all names, so that many of one name do not take for ever. */
		state->numbered = state->numbered ? state->numbered + 1 : 2;
		if (snprintf(path, PATH_MAX, "%s%s%s-%u", parent, slash, name, state->numbered) >=
		    PATH_MAX)
			return -ENAMETOOLONG;
	}
	return 0;
}

static int save(const char *dir, const json_t *run, struct fault *fault)
{
	const json_t *phase;
	size_t i;
	int err = result_save_run(dir, run, fault);

	json_array_foreach(json_object_get(run, "phases"), i, phase)
		if (!err)
			err = result_save_log(dir, run, phase, fault);
	return err ? err : result_save_summary(dir, run, fault);
}

/* Takes away the phases that another file has had. */
static void drop_seen(struct command_state *state, json_t *run)
{
	json_t *phases = json_object_get(run, "phases");
	size_t i = 0;

	while (i < json_array_size(phases)) {
		if (import_seen_phase(state->seen, json_array_get(phases, i))) {
			json_array_remove(phases, i);
			state->duplicates++;
		} else {
			i++;
		}
	}
}

static int take_run(void *argument, json_t *run)
{
	struct command_state *state = argument;
	json_t *environment = json_object_get(run, "environment");
	const json_t *origin = json_object_get(run, "imported");
	struct fault fault = { "" };
	char path[PATH_MAX];
	size_t phases;
	int err;

	drop_seen(state, run);
	phases = json_array_size(json_object_get(run, "phases"));
	if (!phases)
		return 0;
	if (state->options->kernel && !strcmp(jx_text(environment, "kernel_release"), "unknown"))
		jx_put_text(environment, "kernel_release", state->options->kernel);
	err = make_directory(state, run, path);
	if (err)
		fault_set(&fault, err, "%s: %s", path, strerror(-err));
	else
		err = save(path, run, &fault);
	if (err) {
		print_line(stderr, "latencytest: %s", fault.text);
		state->failed = true;
		return err;
	}
	state->written++;
	print_line(stdout, "%s: %s, kernel %s, %zu phase%s (%s, line %lld)", path,
		   jx_text(run, "program"), jx_text(environment, "kernel_release"), phases,
		   phases == 1 ? "" : "s", jx_text(origin, "file"), jx_count(origin, "line"));
	return 0;
}

/* ---- files ---- */

static void complain(void *argument, const char *file, unsigned long line, const char *reason)
{
	(void)argument;
	print_line(stderr, "latencytest: %s: line %lu: %s", file, line, reason);
}

/* False where not all of it could be read, or there was nothing to be read. */
static bool import_file(struct command_state *state, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	const char *called = is_stdin ? "stdin" : name;
	FILE *in = is_stdin ? stdin : fopen(name, "r");
	unsigned int before = state->duplicates;
	struct import_stats stats;
	struct fault fault = { "" };
	int err;

	if (!in) {
		print_line(stderr, "latencytest: %s: %s", name, strerror(errno));
		return false;
	}
	err = import_stream(in, called, take_run, complain, state, &stats, &fault);
	if (!is_stdin)
		fclose(in);
	if (err && !state->failed)
		print_line(stderr, "latencytest: %s", fault.text);
	else if (!err && !stats.runs && !stats.damaged)
		print_line(stderr, "latencytest: %s: no figures of latencytest or cyclictest in it",
			called);
	stats.duplicates += state->duplicates - before;
	if (stats.duplicates)
		print_line(stdout, "%s: %u phase%s quoted again, imported once", called,
			   stats.duplicates, stats.duplicates == 1 ? "" : "s");
	return !err && stats.runs && !stats.damaged;
}

static int import_all(struct command_state *state)
{
	const struct import_options *options = state->options;
	int status = EXIT_DONE;

	if (options->output && mkdir(options->output, 0777) && errno != EEXIST) {
		print_line(stderr, "latencytest: --output %s: %s", options->output,
			   strerror(errno));
		return EXIT_ERROR;
	}
	/* The other files are still worth reading, but not where no result can be written. */
	for (int i = 0; i < options->n_files && !state->failed; i++)
		if (!import_file(state, options->files[i]))
			status = EXIT_ERROR;
	return status;
}

int cmd_import(int argc, char **argv)
{
	static const struct argp argp = {
		.options = option_table,
		.parser = parse_option,
		.args_doc = "FILE...",
		.doc = "Read logs of latencytest 0.5, output of latencytest 0.42-png and of "
		       "cyclictest (lines, histograms, JSON), also out of mails with quotations, "
		       "and write one result directory for each run. FILE - is the standard input.",
	};
	struct import_options options = { .output = NULL };
	struct command_state state = { .options = &options };
	int status;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (!options.n_files)
		usage_error("import: no file given; valid is import [OPTION...] FILE...");
	state.seen = import_seen_new();
	if (!state.seen) {
		print_line(stderr, "latencytest: no memory");
		return EXIT_ERROR;
	}
	status = import_all(&state);
	free(state.seen);
	if (fflush(stdout) || ferror(stdout)) {
		print_line(stderr, "latencytest: output: write error");
		status = EXIT_ERROR;
	}
	return status;
}
