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

static long long number(const json_t *object, const char *prefix, const char *what)
{
	char key[64];

	snprintf(key, sizeof(key), "%s_%s", prefix, what);
	return (long long)json_integer_value(json_object_get(object, key));
}

static void print_direction(const json_t *device, const char *prefix)
{
	char key[64];
	const char *holders;

	if (!json_is_true(json_object_get(device, prefix)))
		return;
	snprintf(key, sizeof(key), "%s_holders", prefix);
	holders = json_string_value(json_object_get(device, key));
	printf("    %-9s", prefix);
	if (number(device, prefix, "rate_max_hz"))
		printf(" %lld to %lld Hz, up to %lld channels, periods of %lld frames or more, up "
		       "to %lld of them;",
		       number(device, prefix, "rate_min_hz"), number(device, prefix, "rate_max_hz"),
		       number(device, prefix, "channels_max"),
		       number(device, prefix, "period_min_frames"),
		       number(device, prefix, "periods_max"));
	if (!number(device, prefix, "free"))
		printf(" busy");
	else
		printf(" %lld of %lld free", number(device, prefix, "free"),
		       number(device, prefix, "subdevices"));
	printf("%s%s\n", holders && holders[0] ? ", held by " : "", holders ? holders : "");
}

static void print_device(const json_t *device)
{
	printf("  %-10s %s\n", json_string_value(json_object_get(device, "hw")),
	       json_string_value(json_object_get(device, "name")));
	print_direction(device, "playback");
	print_direction(device, "capture");
}

static void list_timers(void)
{
	struct fault fault = { "" };
	json_t *timers = NULL;
	const json_t *timer;
	size_t i;

	puts("\nALSA timers (--timer):");
	if (alsa_timers(&timers, &fault))
		printf("  %s\n", fault.text);
	json_array_foreach(timers, i, timer)
		printf("  %-45s %s, resolution %lld ns, %lld user(s)\n",
		       json_string_value(json_object_get(timer, "timer")),
		       json_string_value(json_object_get(timer, "name")),
		       (long long)json_integer_value(json_object_get(timer, "resolution_ns")),
		       (long long)json_integer_value(json_object_get(timer, "clients")));
	json_decref(timers);
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

	puts("\nSound devices (--device):");
	if (err) {
		printf("  %s\n", fault.text);
		return err == -ENOTSUP ? EXIT_DONE : EXIT_ERROR;
	}
	if (!json_array_size(cards))
		puts("  none (no sound card, or no driver for it)");
	json_array_foreach(cards, i, card)
		print_card(card);
	json_decref(cards);
	list_timers();
	return EXIT_DONE;
}

int cmd_list(int argc, char **argv)
{
	int status;

	static const struct argp argp = {
		.parser = parse_option,
		.doc = "List what a run can be made of: sources, stressors, sound devices.",
	};

	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	list_sources();
	list_stressors();
	status = list_sound();
	if (fflush(stdout) || ferror(stdout)) {
		fputs("latencytest: output: write error\n", stderr);
		status = EXIT_ERROR;
	}
	return status;
}
