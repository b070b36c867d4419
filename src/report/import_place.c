/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Headings that name a kernel, and the "Test condition:" block: they hold for what follows. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "report/import_parts.h"

#define DASHES 3 /* at least so many at either end of a heading */

static void clear_kernel(struct import_place *place)
{
	place->kernel[0] = place->words[0] = '\0';
	place->kernel_line = 0;
	place->dashed = false;
}

static void clear_conditions(struct import_place *place)
{
	place->in_conditions = false;
	place->load = place->deadline = NAN;
	place->rate_hz = place->wakeups = place->file_bytes = NAN;
}

void import_place_clear(struct import_place *place)
{
	clear_kernel(place);
	clear_conditions(place);
}

/* A word as "2.6.5-mm3": how long, 0 where it is none. With three numbers where `strict`. */
static size_t kernel_word(const char *text, bool strict)
{
	size_t length = strcspn(text, " \t"), at = strspn(text, "0123456789"), numbers = 0;
	const char *dot = text;

	if (!at || at > 2 || text[at] != '.' || !isdigit((unsigned char)text[at + 1]))
		return 0;
	for (; numbers < 3 && isdigit((unsigned char)*dot); numbers++) {
		dot += strspn(dot, "0123456789");
		if (*dot == '.')
			dot++;
	}
	if (strict && (numbers < 3 || text[0] == '0'))
		return 0;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr(".+-_~", text[i]))
			return 0;
	return length;
}

static void set_words(struct import_place *place, const char *text, size_t length)
{
	while (length && strchr(" \t", text[length - 1]))
		length--;
	if (length >= sizeof(place->words))
		length = sizeof(place->words) - 1;
	memcpy(place->words, text, length);
	place->words[length] = '\0';
}

static void set_kernel(struct import_place *place, const char *text, size_t length,
		       unsigned long line)
{
	if (length >= sizeof(place->kernel))
		return;
	memcpy(place->kernel, text, length);
	place->kernel[length] = '\0';
	place->kernel_line = line;
}

/* "---------- 2.6.5-mm3 CFQ scheduler ----------"; dashes alone, or other words, name no kernel. */
static enum import_taken heading(struct import *im, const struct import_line *line,
				 enum import_try how)
{
	const char *text = line->text + strspn(line->text, "-"), *word;
	size_t left = line->length - (size_t)(text - line->text), length = left;

	while (length && text[length - 1] == '-')
		length--;
	/* A heading that goes on in the next line, but not what merely begins with dashes. */
	if (length && left - length < DASHES) {
		word = text + strspn(text, " \t");
		if (how == IMPORT_FINAL || !kernel_word(word, false))
			return IMPORT_OTHER;
		return IMPORT_PART;
	}
	import_flush(im);
	clear_kernel(&im->place);
	im->place.in_conditions = false;
	for (word = text + strspn(text, " \t"); word < text + length;
	     word += strcspn(word, " \t"), word += strspn(word, " \t")) {
		size_t n = kernel_word(word, false);

		if (!n)
			continue;
		im->place.dashed = true;
		set_kernel(&im->place, word, n, line->number);
		word += n;
		word += strspn(word, " \t");
		if (word < text + length)
			set_words(&im->place, word, (size_t)(text + length - word));
		break;
	}
	return IMPORT_TAKEN;
}

/* The lines under "Test condition:"; false where it is none of them. */
static bool condition(struct import *im, const struct import_line *line)
{
	struct import_place *place = &im->place;
	const struct {
		const char *pattern;
		double *value;
	} known[] = {
		{ "CPU load = %f", &place->load },
		{ "RTC freq = %u", &place->rate_hz },
		{ "RTC wakeup count = %u", &place->wakeups },
		{ "Deadline = %f", &place->deadline },
		{ "Filesize = %u", &place->file_bytes },
	};
	static const char *const others[] = { "X-test =", "Proc-test =", "Disk-test =" };
	struct import_field field[IMPORT_FIELDS];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		switch (import_match(known[i].pattern, line->text, field)) {
		case IMPORT_MATCH_NOT:
			continue;
		case IMPORT_MATCH_WHOLE:
			*known[i].value = field[0].real;
			return true;
		default:
			import_damage(im, line->number, "Test condition: `%.40s` cannot be read",
				      line->text);
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strncmp(line->text, others[i], strlen(others[i])))
			return true;
	return false;
}

/* "From somebody Thu Apr  1 12:00:00 2004": another mail of a mailbox. */
static bool mail(const char *text)
{
	const char *colon;

	if (strncmp(text, "From ", 5))
		return false;
	colon = strchr(text, ':');
	while (colon && !(colon - text > 7 && isdigit((unsigned char)colon[-1]) &&
			  isdigit((unsigned char)colon[1]) && colon[2] && colon[3] == ':'))
		colon = strchr(colon + 1, ':');
	return colon;
}

static enum import_taken place_line(struct import *im, const struct import_line *line,
				    enum import_try how)
{
	struct import_place *place = &im->place;

	if (!line->length)
		return IMPORT_OTHER;
	if (!strncmp(line->text, "---", DASHES))
		return heading(im, line, how);
	if (!strcmp(line->text, "Test condition:") || !strcmp(line->text, "Test conditions:")) {
		import_flush(im);
		clear_conditions(place);
		place->in_conditions = true;
		return IMPORT_TAKEN;
	}
	if (place->in_conditions && condition(im, line))
		return IMPORT_TAKEN;
	place->in_conditions = false;
	if (mail(line->text)) {
		import_flush(im);
		import_place_clear(place);
		return IMPORT_TAKEN;
	}
	/* A kernel alone on its line, as some put above their figures. */
	if (!place->dashed && line->length < sizeof(place->kernel) &&
	    kernel_word(line->text, true) == line->length) {
		import_flush(im);
		clear_kernel(place);
		set_kernel(place, line->text, line->length, line->number);
		return IMPORT_TAKEN;
	}
	return IMPORT_OTHER;
}

const struct import_format import_place_format = { .line = place_line };
