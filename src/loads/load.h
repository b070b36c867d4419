/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stressors: background loads, each in a process of its own that reports its progress through
 * shared memory. A stressor is one file that ends in one struct stressor; table.c lists them.
 * Nothing here knows of sources, cycles or reports.
 */
#ifndef LT_LOADS_LOAD_H
#define LT_LOADS_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/fault.h"

struct load_params {
	const char *dir;      /* where the disk stressors work */
	uint64_t file_bytes;  /* size of their file */
};

/* What prepare() returns where the stressor cannot run here but nothing is broken (no display). */
#define LOAD_SKIP (-10000)

struct stressor {
	const char *name;     /* as in --stress and in NAME.log */
	const char *summary;  /* one line for `latencytest list` */
	const char *unit;     /* what step() counts ("operations", "files", "bytes"); NULL: none */
	bool in_default;      /* part of the default --stress list */
	unsigned int files;   /* how many files of file_bytes it keeps under dir at once */

	/*
	 * All three run in the stressor's own process. prepare() makes what the work needs before
	 * the warm-up and hands its state on; 0, LOAD_SKIP or a negative errno, with the reason in
	 * fault and nothing left to be undone. step() does one short piece of work and returns the
	 * units done, or a negative errno with the reason in fault; only units above 0 count as
	 * progress. finish() undoes prepare(). Each may be NULL where there is nothing to do.
	 */
	int (*prepare)(const struct load_params *params, void **state, struct fault *fault);
	int64_t (*step)(void *state, struct fault *fault);
	void (*finish)(void *state);
};

/* The table: every stressor there is, in the classic order, ended by NULL. */
extern const struct stressor *const stressors[];

/* The stressor of that name or NULL. */
const struct stressor *stressor_find(const char *name);

/*
 * Checks, before anything is started, that dir is a directory that can be written and that
 * `files` files of file_bytes fit there with 5 % to spare. 0 or a negative errno with the reason
 * in fault. files == 0 needs nothing.
 */
int load_check_space(const struct load_params *params, unsigned int files, struct fault *fault);

/* A gap between two reports of progress is a stall when it is longer than this. */
#define LOAD_STALL_NS 100000000LL

enum load_state {
	LOAD_PREPARING,
	LOAD_RUNNING,
	LOAD_SKIPPED,  /* prepare() returned LOAD_SKIP */
	LOAD_FAILED,   /* prepare() or step() failed, or the process died; reason tells */
};

struct load_progress {
	enum load_state state;
	char reason[480];          /* for LOAD_SKIPPED and LOAD_FAILED */
	uint64_t units;            /* done since the window was opened */
	int64_t window_ns;         /* how long the window has been open */
	int64_t longest_stall_ns;  /* longest gap without progress within the window */
	int64_t stalled_ns;        /* sum of the gaps longer than LOAD_STALL_NS */
};

struct load;

/*
 * Forks the stressor from the calling thread (which has to be one that lives as long as the
 * program: the stressor is killed by the kernel when that thread ends) into its own process group,
 * with none of the caller's file descriptors, default signals, SCHED_OTHER at nice 0 and the CPU
 * affinity given (NULL: the caller's). Makes the program a subreaper, so that orphans of a
 * stressor can be waited for. fork() makes private memory copy-on-write again even where it is
 * locked: what the measuring thread writes to has to be touched after this. Returns at once;
 * load_read() tells when the stressor has prepared itself. 0 or a negative errno; *load is to be
 * ended with load_stop().
 */
int load_start(struct load **load, const struct stressor *stressor,
	       const struct load_params *params, const void *cpuset, size_t cpuset_size,
	       struct fault *fault);

/* Opens the window over which progress is counted: now, from zero. */
void load_window_open(struct load *load);

/*
 * Progress so far; never blocks. Notices a process that died. Any thread may call it, also several
 * at once, until load_stop().
 */
void load_read(struct load *load, struct load_progress *progress);

/* Process id of the stressor, for messages. */
pid_t load_pid(const struct load *load);

/*
 * Ends the stressor and everything it started, waits until they are gone, frees load. A stressor
 * that does not end when asked is killed after two seconds, or as soon as hurry(argument), asked
 * all the while, is true; one that the kernel holds in an uninterruptible write is waited for. 0,
 * or -ETIMEDOUT with the reason in fault where it was not gone after a minute. load and hurry may
 * be NULL.
 */
int load_stop(struct load *load, bool (*hurry)(void *argument), void *argument,
	      struct fault *fault);

#endif
