/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that puts the machine's settings back, whatever becomes of the sweep: it holds the old
 * values and waits for the other end of a pipe to be closed, which the kernel does for a process
 * that was killed, too. It is a session of its own and ignores the signals that end programs. That
 * the sweep ends as planned is no other case: it closes the pipe and waits for the guardian.
 *
 * It writes DIR/restored.json ({"restored": bool, "time_utc", "settings": [...]}), and what it
 * could not put back into DIR/NOT-RESTORED.txt for people; that file goes when all is put back.
 */
#ifndef LT_SWEEP_GUARDIAN_H
#define LT_SWEEP_GUARDIAN_H

#include <stdbool.h>
#include <sys/types.h>

#include "sweep/settings.h"
#include "util/fault.h"

#define GUARDIAN_RESULT "restored.json"
#define GUARDIAN_COMPLAINT "NOT-RESTORED.txt"

struct guardian {
	pid_t pid;
	int fd;      /* the pipe's write end, which nothing else has */
	struct sweep_settings *settings;
	const char *dir;
	int dir_lock;
};

/*
 * Forks it. settings (with the values to be put back) and dir (an absolute path) have to stay; its
 * locks and dir_lock stay held until it has ended. Call before anything is changed. 0 or a negative
 * errno with the reason in fault.
 */
int guardian_start(struct guardian *guardian, struct sweep_settings *settings,
		   const char *dir, int dir_lock, struct fault *fault);

/*
 * To be called in the process that becomes a run, before it becomes one: settings are not put back
 * until it has ended. Nothing but write(). 0 or a negative errno.
 */
int guardian_tell_run(const struct guardian *guardian);

/* The run has ended and was waited for. 0, or -EPIPE where the guardian is gone. */
int guardian_tell_end(const struct guardian *guardian);

/*
 * Has the settings put back and waits until they are; where the guardian itself was killed, does
 * its work. Returns whether all was put back.
 */
bool guardian_finish(struct guardian *guardian);

#endif
