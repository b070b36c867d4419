/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One of the machine's settings that can be chosen at run time: a file of the kernel that lists the
 * choices and marks the one in force, "none [mq-deadline] kyber" or "none (full)". Knows how to
 * read and write it and nothing of what it means.
 */
#ifndef LT_SYSTEM_SETTING_H
#define LT_SYSTEM_SETTING_H

#include <limits.h>
#include <stddef.h>

#include "util/fault.h"

#define SETTING_WORD 32
#define SETTING_MAX_CHOICES 16

struct setting {
	char name[80];       /* for messages and records: "elevator of loop0" */
	char path[PATH_MAX]; /* of the file, as it is opened (root_path() is behind it) */
};

struct setting_choices {
	char current[SETTING_WORD];
	char words[SETTING_MAX_CHOICES][SETTING_WORD];
	size_t n;
};

/*
 * What is offered and what is in force. 0, or a negative errno with the reason in fault (-EINVAL:
 * the file marks nothing).
 */
int setting_read(const struct setting *setting, struct setting_choices *choices,
		 struct fault *fault);

/* The words as "none, mq-deadline, bfq". What has no room is left out. */
void setting_list(const struct setting_choices *choices, char *text, size_t size);

/*
 * Chooses value and reads it back: the kernel may take a word and do nothing. 0 when value is in
 * force, else a negative errno (-EIO: another value is in force) with the reason in fault. With
 * fault NULL it calls nothing but open, read, write and close, so that it serves where little else
 * does.
 */
int setting_write(const struct setting *setting, const char *value, struct fault *fault);

#endif
