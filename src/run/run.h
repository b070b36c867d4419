/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run: all phases once, from checked options to a result directory. */
#ifndef LT_RUN_RUN_H
#define LT_RUN_RUN_H

#include <stdint.h>

#include "loads/load.h"
#include "measure/rt_thread.h"
#include "measure/source.h"

#define RUN_MAX_PHASES 16
#define RUN_MAX_LOAD 0.95
/* What a period has to leave after the burn, or the next wake-up cannot be on time. */
#define RUN_MIN_IDLE_NS 10000.0

enum run_verbosity { RUN_QUIET = -1, RUN_NORMAL, RUN_VERBOSE };

/* What is printed on stdout at the end; JSON and TAP are then all that is. */
enum run_print { RUN_PRINT_SUMMARY, RUN_PRINT_JSON, RUN_PRINT_TAP };

struct run_limits {
	int64_t overruns, missed, late_finish; /* -1: no limit */
	double max_diff_ms;                    /* NaN: no limit */
};

struct run_options {
	double load;
	unsigned int rate_hz;
	unsigned int wakeups;
	double deadline;          /* in periods; 0: the buffer of the sound device */
	const char *source;       /* "auto" or a name of the table */
	const char *rtc_device;   /* NULL: the first there is */
	struct sound_params sound;
	const struct stressor *stress[RUN_MAX_PHASES];
	unsigned int n_stress;
	double duration_s, warmup_s;
	uint64_t file_bytes;
	const char *dir;
	const char *output;       /* NULL: a name made of kernel and time */
	struct rt_attributes attributes;
	int dma_latency_us;       /* -1: not held */
	struct run_limits limits;
	enum run_verbosity verbosity;
	enum run_print print;
	int argc;                 /* the command line, for the record */
	char **argv;
};

/* What a run goes by, once the source has said what it grants. */
struct run_timing {
	uint32_t rate_hz;   /* ticks per second */
	uint32_t ticks;     /* in a cycle */
	double period_ns;   /* P = ticks / rate */
	double deadline;    /* in periods */
};

/* The largest load that leaves RUN_MIN_IDLE_NS of a period; below 0 for one that is too short. */
double run_max_load(double period_ns);

/*
 * Runs it and prints. Returns the exit status of the program: EXIT_DONE, EXIT_ERROR (an error, or
 * a phase that is invalid), EXIT_LIMIT.
 */
int run(const struct run_options *options);

#endif
