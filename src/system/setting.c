/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/setting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES 1024

/* The file as text, with nothing but system calls. 0 or a negative errno. */
static int read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n = 0;
	int err = 0;

	if (fd < 0)
		return -errno;
	while (used < size - 1) {
		n = read(fd, text + used, size - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	if (n < 0)
		err = -errno;
	close(fd);
	text[used] = '\0';
	return err;
}

static bool is_marked(const char *word, size_t bytes)
{
	return bytes > 2 && ((word[0] == '[' && word[bytes - 1] == ']') ||
			     (word[0] == '(' && word[bytes - 1] == ')'));
}

/* 0, -EINVAL where nothing is marked, or -E2BIG. */
static int parse(const char *text, struct setting_choices *choices)
{
	const char *word = text + strspn(text, " \t\n");

	memset(choices, 0, sizeof(*choices));
	while (*word) {
		size_t bytes = strcspn(word, " \t\n");
		const char *next = word + bytes + strspn(word + bytes, " \t\n");
		bool marked = is_marked(word, bytes);

		if (marked) {
			word++;
			bytes -= 2;
		}
		if (bytes >= SETTING_WORD || choices->n == SETTING_MAX_CHOICES)
			return -E2BIG;
		memcpy(choices->words[choices->n], word, bytes);
		if (marked)
			memcpy(choices->current, word, bytes);
		choices->n++;
		word = next;
	}
	/* What offers no choice marks none: devices without a scheduler tell "none". */
	if (choices->n == 1 && !choices->current[0])
		memcpy(choices->current, choices->words[0], SETTING_WORD);
	return choices->current[0] ? 0 : -EINVAL;
}

static int read_choices(const char *path, struct setting_choices *choices)
{
	char text[TEXT_BYTES];
	int err = read_text(path, text, sizeof(text));

	choices->n = 0;
	return err ? err : parse(text, choices);
}

int setting_read(const struct setting *setting, struct setting_choices *choices,
		 struct fault *fault)
{
	int err = read_choices(setting->path, choices);

	if (err == -EINVAL)
		return fault_set(fault, err, "%s: %s marks no choice as the one in force",
				 setting->name, setting->path);
	if (err == -E2BIG)
		return fault_set(fault, err, "%s: %s holds more or longer words than any kernel "
				 "offers", setting->name, setting->path);
	return err ? fault_set(fault, err, "%s: %s cannot be read: %s", setting->name,
			       setting->path, strerror(-err)) : 0;
}

void setting_list(const struct setting_choices *choices, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < choices->n && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
					 choices->words[i]);
}

static int write_word(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	while (write(fd, value, strlen(value)) < 0) {
		if (errno == EINTR)
			continue;
		err = -errno;
		break;
	}
	close(fd);
	return err;
}

/* Why the kernel refused, with what it offers. */
static int refused(const struct setting *setting, const char *value, int err,
		   struct fault *fault)
{
	struct setting_choices choices;
	char offered[128] = "unknown";
	const char *cure = "";

	if (!fault)
		return err;
	if (!read_choices(setting->path, &choices))
		setting_list(&choices, offered, sizeof(offered));
	if ((err == -EACCES || err == -EPERM) && geteuid())
		cure = "; it needs root";
	return fault_set(fault, err, "%s: cannot be set to \"%s\": %s%s (offered: %s)",
			 setting->name, value, strerror(-err), cure, offered);
}

int setting_write(const struct setting *setting, const char *value, struct fault *fault)
{
	struct setting_choices choices;
	int err = write_word(setting->path, value);

	if (err)
		return refused(setting, value, err, fault);
	err = read_choices(setting->path, &choices);
	if (err && err != -EINVAL)
		return fault_set(fault, err, "%s: was set to \"%s\", but cannot be read back",
				 setting->name, value);
	if (err || strcmp(choices.current, value))
		return fault_set(fault, -EIO, "%s: the kernel took \"%s\" but %s%s is in force",
				 setting->name, value, err ? "nothing" : "still ",
				 err ? "" : choices.current);
	return 0;
}
