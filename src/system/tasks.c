/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that can get in the way: those of interrupts, and all with a real-time policy. */
#include "system/environment_parts.h"

#include <dirent.h>
#include <limits.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/facts.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define LISTED_MAX 64
#define KERNEL_THREAD 0x00200000 /* PF_KTHREAD */

struct task {
	char comm[64];
	int64_t pid, flags, priority, policy;
};

struct task_list {
	json_t *irq;    /* interrupt threads go first, so that the cap does not hide them */
	json_t *others;
	int64_t count;
};

/* Fields of /proc/PID/stat, as proc(5) numbers them. */
static int parse_stat(char *text, struct task *task)
{
	/* comm may hold blanks and parentheses: the last one ends it. */
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	char *cursor, *word;
	int err = 0;

	if (!open || !close)
		return -1;
	*close = '\0';
	snprintf(task->comm, sizeof(task->comm), "%s", open + 1);
	cursor = close + 1;
	for (int field = 3; field <= 41; field++) {
		word = procfile_next_word(&cursor);
		if (!word)
			return -1;
		if (field == 9)
			err |= number_i64(word, 0, INT64_MAX, &task->flags);
		else if (field == 40)
			err |= number_i64(word, 0, 99, &task->priority);
		else if (field == 41)
			err |= number_i64(word, 0, INT32_MAX, &task->policy);
	}
	return err ? -1 : 0;
}

static const char *policy_name(int64_t policy)
{
	switch (policy) {
	case SCHED_FIFO:
		return "fifo";
	case SCHED_RR:
		return "rr";
	case SCHED_DEADLINE:
		return "deadline";
	default:
		return NULL;
	}
}

static int add_task(struct task_list *list, const struct task *task)
{
	bool irq = (task->flags & KERNEL_THREAD) && !strncmp(task->comm, "irq/", 4);
	const char *policy = policy_name(task->policy);
	json_t *array = irq ? list->irq : list->others;
	json_t *object;

	if (!irq && !policy)
		return 0;
	list->count++;
	if (json_array_size(array) >= LISTED_MAX)
		return 0;
	object = json_object();
	if (facts_text(object, "comm", task->comm) || facts_int(object, "pid", task->pid) ||
	    facts_text(object, "policy", policy ? policy : "other") ||
	    facts_int(object, "priority", task->priority)) {
		json_decref(object);
		return -1;
	}
	return json_array_append_new(array, object);
}

static int add_threads(struct task_list *list, const char *process)
{
	char path[64], text[1024], name[PATH_MAX];
	struct dirent *entry;
	struct task task;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.10s/task", process);
	dir = opendir(root_path(name, sizeof(name), path));
	if (!dir)
		return 0; /* it has ended meanwhile */
	while (!err && (entry = readdir(dir))) {
		if (number_i64(entry->d_name, 1, INT32_MAX, &task.pid))
			continue;
		snprintf(path, sizeof(path), "/proc/%.10s/task/%.10s/stat", process,
			 entry->d_name);
		if (text_read(path, text, sizeof(text)) > 0 && !parse_stat(text, &task))
			err = add_task(list, &task);
	}
	closedir(dir);
	return err;
}

/* -1 also where /proc cannot be read; *readable tells the two apart. */
static int add_processes(struct task_list *list, bool *readable)
{
	char name[PATH_MAX];
	struct dirent *entry;
	int64_t pid;
	int err = 0;
	DIR *dir = opendir(root_path(name, sizeof(name), "/proc"));

	*readable = dir;
	if (!dir)
		return -1;
	while (!err && (entry = readdir(dir)))
		if (!number_i64(entry->d_name, 1, INT32_MAX, &pid) &&
		    (pid != getpid() || !root_is_real()))
			err = add_threads(list, entry->d_name);
	closedir(dir);
	return err;
}

int task_facts(json_t *facts)
{
	struct task_list list = { .irq = json_array(), .others = json_array() };
	bool readable = true;
	int err = !list.irq || !list.others ? -1 : add_processes(&list, &readable);

	if (!readable) {
		err = facts_unknown(facts, "rt_threads") ||
		      facts_unknown(facts, "rt_thread_count");
	} else if (!err) {
		for (size_t i = 0; !err && json_array_size(list.irq) < LISTED_MAX &&
		     i < json_array_size(list.others); i++)
			err = json_array_append(list.irq, json_array_get(list.others, i));
		err = err || json_object_set(facts, "rt_threads", list.irq) ||
		      facts_int(facts, "rt_thread_count", list.count);
	}
	json_decref(list.irq);
	json_decref(list.others);
	return err ? -1 : 0;
}
