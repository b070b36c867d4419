/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system/clock.h"
#include "util/paragraph.h"
#include "util/units.h"

#define REFRESH_NS 250000000LL

void progress_init(struct progress *progress, enum run_verbosity verbosity)
{
	memset(progress, 0, sizeof(*progress));
	progress->verbosity = verbosity;
	progress->tty = isatty(STDOUT_FILENO);
	/* Lines reach a pipe or a file when they are said, not when a buffer is full. */
	setvbuf(stdout, NULL, _IOLBF, 0);
}

void progress_phase(struct progress *progress, const struct stressor *stressor, double period_ns,
		    uint64_t cycles)
{
	progress->phase = stressor->name;
	progress->unit = stressor->unit;
	progress->period_ns = period_ns;
	progress->cycles = cycles;
	progress->seconds = (double)cycles * period_ns / 1e9;
	progress->shown_ns = 0;
	if (!progress->tty)
		progress_say(progress, "%s: %.4g s ...", progress->phase, progress->seconds);
}

static void format_live(const struct progress *progress, const struct phase_live *live, char *buf,
			size_t size)
{
	char rate[64] = "";
	double done = (double)(live->cycles + live->missed) * progress->period_ns / 1e9;
	double left = progress->seconds - done;

	if (live->preparing) {
		snprintf(buf, size, "%-9s %s", progress->phase,
			 live->load.state == LOAD_RUNNING ? "warming up" : "preparing");
		return;
	}
	if (progress->unit && live->load.window_ns > 0)
		units_rate(rate, sizeof(rate),
			   (double)live->load.units * 1e9 / (double)live->load.window_ns,
			   progress->unit);
	snprintf(buf, size,
		 "%-9s %3.0f s left %8llu cycles, max %.3f ms, over %llu, load %.3f %s%s",
		 progress->phase, left > 0 ? left : 0, (unsigned long long)live->cycles,
		 (double)live->max_diff_ns / 1e6, (unsigned long long)live->overruns,
		 (double)live->burn_mean_ns / progress->period_ns, rate,
		 live->write_blocked_ns > NS_PER_SEC ? "  (samples: write blocked)" : "");
}

void progress_live(struct progress *progress, const struct phase_live *live)
{
	int64_t now = clock_now_ns();
	char line[256];
	int columns;

	if (!progress->tty || progress->verbosity == RUN_QUIET ||
	    now - progress->shown_ns < REFRESH_NS)
		return;
	format_live(progress, live, line, sizeof(line));
	/* A line that wraps cannot be drawn over. */
	line[paragraph_terminal_columns(sizeof(line)) - 1] = '\0';
	columns = (int)strlen(line);
	printf("\r%s%*s", line,
	       progress->shown_columns > columns ? progress->shown_columns - columns : 0, "");
	fflush(stdout);
	progress->shown_columns = columns;
	progress->shown_ns = now;
}

void progress_clear(struct progress *progress)
{
	if (progress->shown_columns)
		printf("\r%*s\r", progress->shown_columns, "");
	fflush(stdout);
	progress->shown_columns = 0;
}

void progress_say(struct progress *progress, const char *fmt, ...)
{
	va_list args;

	if (progress->verbosity == RUN_QUIET)
		return;
	progress_clear(progress);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
}

void progress_warn(struct progress *progress, const char *fmt, ...)
{
	va_list args;

	progress_clear(progress);
	fputs("latencytest: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}
