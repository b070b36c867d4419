/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest list: sources, stressors and sound devices. */
#include "config.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "alsa/devices.h"
#include "commands.h"
#include "loads/load.h"
#include "measure/source.h"
#include "options.h"
#include "rtc/kernel_sources.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	(void)state;
	if (key == ARGP_KEY_ARG)
		usage_error("%s: list takes no argument", arg);
	return ARGP_ERR_UNKNOWN;
}

static void list_sources(void)
{
	const char *device = rtc_default_device();

	puts("Sources (--source; auto takes the first that works):");
	for (size_t i = 0; sources[i]; i++)
		printf("  %-10s %s; %s%u to %u Hz%s%s\n", sources[i]->name, sources[i]->summary,
		       sources[i]->any_rate ? "" : "powers of two, ", sources[i]->min_hz,
		       sources[i]->max_hz,
		       sources[i] == &source_rtc ? "; here: " : "",
		       sources[i] == &source_rtc ? (device ? device : "no device") : "");
}

static void list_stressors(void)
{
	puts("\nStressors (--stress; * in the default list):");
	for (size_t i = 0; stressors[i]; i++)
		printf("%c %-10s %s\n", stressors[i]->in_default ? '*' : ' ', stressors[i]->name,
		       stressors[i]->summary);
}

static void print_device(const json_t *device)
{
	bool playback = json_is_true(json_object_get(device, "playback"));
	bool capture = json_is_true(json_object_get(device, "capture"));

	printf("  %-10s %s: %s%s%s\n", json_string_value(json_object_get(device, "hw")),
	       json_string_value(json_object_get(device, "name")), playback ? "playback" : "",
	       playback && capture ? ", " : "", capture ? "capture" : "");
}

static void print_card(const json_t *card)
{
	const char *error = json_string_value(json_object_get(card, "error"));
	const json_t *devices = json_object_get(card, "devices"), *device;
	size_t i;

	printf("  card %lld: %s\n", (long long)json_integer_value(json_object_get(card, "card")),
	       json_string_value(json_object_get(card, "name")));
	if (error)
		printf("    %s\n", error);
	json_array_foreach(devices, i, device)
		print_device(device);
}

static int list_sound(void)
{
	struct fault fault = { "" };
	json_t *cards = NULL;
	const json_t *card;
	size_t i;
	int err = alsa_devices(&cards, &fault);

	puts("\nSound devices:");
	if (err) {
		printf("  %s\n", fault.text);
		return err == -ENOTSUP ? EXIT_DONE : EXIT_ERROR;
	}
	if (!json_array_size(cards))
		puts("  none (no sound card, or no driver for it)");
	json_array_foreach(cards, i, card)
		print_card(card);
	json_decref(cards);
	return EXIT_DONE;
}

int cmd_list(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse_option,
		.doc = "List what a run can be made of: sources, stressors, sound devices.",
	};

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	list_sources();
	list_stressors();
	return list_sound();
}
