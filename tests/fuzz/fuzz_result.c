/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: any bytes as a result directory that somebody else made. Up to the first NUL
 * they are its run.json, what follows is the sample file of its phases. It is loaded and printed in
 * every form that `report` and `compare` have; nothing of it may come out unescaped.
 */
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/compare.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/plot.h"
#include "report/result.h"
#include "report/run_file.h"
#include "report/summary.h"
#include "report/tap.h"

#define MARK "<x&\"'>\x1b]]>"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

const char *__lsan_default_suppressions(void);

/* What fontconfig keeps of the fonts it found, once. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig";
}

static char dir[] = "/dev/shm/latencytest-fuzz-XXXXXX";
static const char *const phases[] = { "none", "proc" };
static FILE *nothing;

/* ---- the directory ---- */

static void path_of(char path[PATH_MAX], const char *name, const char *suffix)
{
	snprintf(path, PATH_MAX, "%s/%s%s", dir, name, suffix);
}

static void put_file(const char *name, const char *suffix, const uint8_t *data, size_t size)
{
	char path[PATH_MAX];
	FILE *file;

	path_of(path, name, suffix);
	file = fopen(path, "wb");
	if (!file || fwrite(data, 1, size, file) != size || fclose(file))
		abort();
}

static void remove_all(void)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
		path_of(path, phases[i], ".samples");
		unlink(path);
	}
	path_of(path, "run.json", "");
	unlink(path);
	rmdir(dir);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	nothing = fopen("/dev/null", "w");
	if (!nothing || !mkdtemp(dir) || atexit(remove_all))
		abort();
	return 0;
}

/* ---- what comes out ---- */

static void demand(int condition)
{
	if (!condition)
		abort();
}

static void check_page(const char *page, size_t length)
{
	demand(!memmem(page, length, "<x", 2));
	demand(!memmem(page, length, "&\"", 2));
	demand(!memchr(page, 0x1b, length));
	demand(!memmem(page, length, "<script", 7));
}

static void report(const struct run_view *view)
{
	struct fault fault = { "" };
	size_t number = 0, length;
	unsigned char *svg;
	char *page;
	FILE *out = open_memstream(&page, &length);

	demand(out != NULL);
	demand(!html_write(out, view, &fault));
	fclose(out);
	check_page(page, length);
	free(page);
	demand(!plot_render(view, NULL, PLOT_OVERVIEW, PLOT_SVG, PLOT_LIGHT, &svg, &length,
			    &fault));
	check_page((const char *)svg, length);
	free(svg);
	demand(!summary_write(nothing, view->run));
	demand(!tap_plan(nothing, view->n) && !tap_run(nothing, view->run, "", &number));
	demand(!csv_phases(nothing, view));
	csv_samples(nothing, view, &fault);
}

static void compare_it(void)
{
	struct fault fault = { "" };
	struct compare compare;
	char argument[PATH_MAX], *page;
	size_t length;
	FILE *out;
	int err;

	compare_init(&compare);
	compare.force = true;
	snprintf(argument, sizeof(argument), "a=%s", dir);
	err = compare_load(&compare, argument, true, nothing, &fault);
	argument[0] = 'b';
	if (!err)
		err = compare_load(&compare, argument, true, nothing, &fault);
	if (!err)
		err = compare_evaluate(&compare, &fault);
	demand(!err || fault.text[0]);
	if (!err) {
		demand(!compare_write_text(nothing, &compare));
		demand(!compare_write_markdown(nothing, &compare));
		demand(!compare_write_csv(nothing, &compare));
		demand(!compare_write_json(nothing, &compare));
		out = open_memstream(&page, &length);
		demand(out && !compare_write_html(out, &compare, &fault));
		fclose(out);
		check_page(page, length);
		free(page);
	}
	compare_free(&compare);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t json = nul ? (size_t)(nul - data) : size;
	struct run_view view;
	struct fault fault = { "" };

	put_file("run.json", "", data, json);
	for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++)
		put_file(phases[i], ".samples", nul ? nul + 1 : data, nul ? size - json - 1 : 0);
	if (run_file_open(&view, dir, &fault)) {
		demand(fault.text[0]);
		return 0;
	}
	report(&view);
	run_file_close(&view);
	compare_it();
	return 0;
}

/* ---- changes that leave it JSON ---- */

static json_t *odd_value(unsigned int n)
{
	static const double numbers[] = { 0, -1, 1e-300, 1e300, 0.5, 1e18, -1e18, 3, 1e9 };
	static const json_int_t whole[] = { 0, -1, 1, 2, 1000, INT64_MAX, INT64_MIN, 1LL << 53 };
	static const char *const texts[] = {
		"", MARK, "valid", "invalid", "suspect", "skipped", "imported", "unknown", "none",
		"proc", "fifo", "complete", "../x", "\xc2\x9b",
	};
	const size_t n_numbers = sizeof(numbers) / sizeof(numbers[0]);
	const size_t n_whole = sizeof(whole) / sizeof(whole[0]);
	const size_t n_texts = sizeof(texts) / sizeof(texts[0]);

	switch (n % 8) {
	case 0:
		return json_null();
	case 1:
		return json_boolean(n / 8 % 2);
	case 2:
		return json_real(numbers[n / 8 % n_numbers]);
	case 3:
		return json_integer(whole[n / 8 % n_whole]);
	case 4:
		return json_integer((json_int_t)(n / 8) - 4);
	case 5:
		return json_pack("{s:[s, i]}", MARK, MARK, 1);
	default:
		return json_string(texts[n / 8 % n_texts]);
	}
}

static unsigned int draw(unsigned int *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void change_object(json_t *object, unsigned int *seed);

static void change_array(json_t *array, unsigned int *seed)
{
	size_t n = json_array_size(array), at = n ? draw(seed) % n : 0;
	json_t *part = json_array_get(array, at);
	unsigned int what = draw(seed) % 8;

	if (!n || what == 0)
		json_array_append_new(array, odd_value(draw(seed)));
	else if (what == 1)
		json_array_append_new(array, json_deep_copy(part));
	else if (what == 2)
		json_array_remove(array, at);
	else if (json_is_object(part))
		change_object(part, seed);
	else if (json_is_array(part))
		change_array(part, seed);
	else
		json_array_set_new(array, at, odd_value(draw(seed)));
}

static void change_object(json_t *object, unsigned int *seed)
{
	size_t n = json_object_size(object), at = n ? draw(seed) % n : 0;
	void *iter = json_object_iter(object);
	unsigned int what = draw(seed) % 16;
	const char *key;
	json_t *value;

	while (at--)
		iter = json_object_iter_next(object, iter);
	key = json_object_iter_key(iter);
	value = json_object_iter_value(iter);
	if (!n || what == 0)
		json_object_set_new(object, MARK, odd_value(draw(seed)));
	else if (what == 1)
		json_object_del(object, key);
	else if (json_is_object(value) && what > 2)
		change_object(value, seed);
	else if (json_is_array(value) && what > 2)
		change_array(value, seed);
	else
		json_object_set_new(object, key, odd_value(draw(seed)));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t json = nul ? (size_t)(nul - data) : size, rest = size - json, length;
	json_t *run;
	char *text;

	if (seed % 4 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	run = json_loadb((const char *)data, json, 0, NULL);
	if (!json_is_object(run)) {
		json_decref(run);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	do
		change_object(run, &seed);
	while (draw(&seed) % 3);
	text = json_dumps(run, JSON_COMPACT);
	json_decref(run);
	length = text ? strlen(text) : 0;
	if (text && length + rest <= max_size) {
		memmove(data + length, data + json, rest);
		memcpy(data, text, length);
		size = length + rest;
	}
	free(text);
	return size;
}
