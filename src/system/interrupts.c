/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/interrupts.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/textfile.h"

struct interrupts {
	char *irq;     /* text of /proc/interrupts, NULL where it cannot be read */
	char *softirq; /* text of /proc/softirqs, likewise */
};

/* Columns of a file: how many CPUs it lists, and which one is ours. */
struct columns {
	size_t count;
	size_t wanted;
	bool found;
};

struct interrupts *interrupts_take(void)
{
	struct interrupts *snapshot = calloc(1, sizeof(*snapshot));
	int err;

	if (!snapshot)
		return NULL;
	snapshot->irq = text_read_all("/proc/interrupts");
	snapshot->softirq = text_read_all("/proc/softirqs");
	if (snapshot->irq || snapshot->softirq)
		return snapshot;
	err = errno;
	free(snapshot);
	errno = err;
	return NULL;
}

void interrupts_free(struct interrupts *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->irq);
	free(snapshot->softirq);
	free(snapshot);
}

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* The head line "CPU0 CPU2 ..." lists the CPUs online: a column's place is not its number. */
static struct columns read_columns(const char *text, int cpu)
{
	const char *end = text + strcspn(text, "\n"), *p = skip_blanks(text);
	struct columns columns = { .count = 0 };
	char name[16];

	snprintf(name, sizeof(name), "CPU%d", cpu);
	while (p < end) {
		size_t bytes = strcspn(p, " \t\n");

		if (bytes == strlen(name) && !strncmp(p, name, bytes)) {
			columns.wanted = columns.count;
			columns.found = true;
		}
		columns.count++;
		p = skip_blanks(p + bytes);
	}
	return columns;
}

/*
 * Reads the column of one line. Sets *rest to what follows the columns; false for a line that has
 * not one number for each CPU (such as "ERR: 0", which counts for the whole machine).
 */
static bool read_count(const char *line, const struct columns *columns, uint64_t *value,
		       const char **rest)
{
	const char *p = line + strcspn(line, ":\n");
	char *end;

	if (*p++ != ':')
		return false;
	for (size_t i = 0; i < columns->count; i++) {
		unsigned long long number;

		p = skip_blanks(p);
		if (!isdigit((unsigned char)*p))
			return false;
		number = strtoull(p, &end, 10);
		if (i == columns->wanted)
			*value = number;
		p = end;
	}
	*rest = p;
	return true;
}

/* The count under the same label in the earlier text; 0 where the line is new. */
static uint64_t earlier_count(const char *text, const struct columns *columns, const char *label,
			      size_t label_bytes)
{
	const char *line, *rest;
	uint64_t value = 0;

	for (line = next_line(text); *line; line = next_line(line)) {
		const char *p = skip_blanks(line);

		if (!strncmp(p, label, label_bytes) && p[label_bytes] == ':')
			return read_count(line, columns, &value, &rest) ? value : 0;
	}
	return 0;
}

/* "LOC Local timer interrupts": label and description, each run of blanks as one. */
static void make_name(char *name, size_t size, const char *label, size_t label_bytes,
		      const char *rest)
{
	size_t used = 0;

	for (; label_bytes && used < size - 1; label_bytes--)
		name[used++] = *label++;
	for (; *rest && *rest != '\n' && used < size - 1; rest++) {
		if (*rest != ' ' && *rest != '\t')
			name[used++] = isprint((unsigned char)*rest) ? *rest : '?';
		else if (used && name[used - 1] != ' ')
			name[used++] = ' ';
	}
	while (used && name[used - 1] == ' ')
		used--;
	name[used] = '\0';
}

static int add_line(json_t *object, const char *line, const struct columns *columns,
		    const char *before, const struct columns *before_columns)
{
	const char *label = skip_blanks(line), *rest;
	size_t label_bytes = strcspn(label, ":\n");
	uint64_t value = 0, earlier;
	char name[256];

	if (!read_count(line, columns, &value, &rest))
		return 0;
	earlier = earlier_count(before, before_columns, label, label_bytes);
	if (value == earlier)
		return 0;
	make_name(name, sizeof(name), label, label_bytes, rest);
	/* The kernel's counters are 32 bits wide and may wrap. */
	value = value > earlier ? value - earlier : (uint32_t)(value - earlier);
	return json_object_set_new(object, name, json_integer((json_int_t)value));
}

/* One file as an object, "unknown" where it could not be read, null where it lacks the CPU. */
static json_t *delta_of(const char *before, const char *after, int cpu)
{
	struct columns columns, before_columns;
	const char *line;
	json_t *object;

	if (!before || !after)
		return json_string("unknown");
	columns = read_columns(after, cpu);
	before_columns = read_columns(before, cpu);
	if (!columns.found || !before_columns.found)
		return json_null();
	object = json_object();
	for (line = next_line(after); object && *line; line = next_line(line)) {
		if (add_line(object, line, &columns, before, &before_columns)) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}

json_t *interrupts_delta(const struct interrupts *before, const struct interrupts *after, int cpu)
{
	json_t *irq, *softirq, *object;

	if (!before || !after) /* interrupts_take() may have given none */
		return json_null();
	irq = delta_of(before->irq, after->irq, cpu);
	softirq = delta_of(before->softirq, after->softirq, cpu);
	/* /proc/softirqs lists possible CPUs as well: one that is offline has no interrupts. */
	if (json_is_null(irq) || (json_is_null(softirq) && !json_is_object(irq))) {
		json_decref(irq);
		json_decref(softirq);
		return json_null();
	}
	object = json_object();
	if (json_object_set_new(object, "irq", irq) |
	    json_object_set_new(object, "softirq", softirq)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int interrupts_name(int64_t irq, char *name, size_t size)
{
	char *text = text_read_all("/proc/interrupts"), label[24];
	struct columns columns;
	const char *line, *rest;
	uint64_t value;
	int err = -ENOENT;

	name[0] = '\0';
	if (!text)
		return -ENOENT;
	columns = read_columns(text, 0);
	snprintf(label, sizeof(label), "%lld:", (long long)irq);
	for (line = next_line(text); *line; line = next_line(line)) {
		if (strncmp(skip_blanks(line), label, strlen(label)) ||
		    !read_count(line, &columns, &value, &rest))
			continue;
		make_name(name, size, "", 0, skip_blanks(rest));
		err = 0;
		break;
	}
	free(text);
	return err;
}
