/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest [run]: options to a run. */
#include <errno.h>
#include <sys/prctl.h>

#include "commands.h"
#include "run/run.h"
#include "run_options.h"

int cmd_run(int argc, char **argv)
{
	struct run_options options;

	/* A sweep starts us as /proc/self/exe, which is no name to be found by. */
	prctl(PR_SET_NAME, program_invocation_short_name);
	run_options_parse(argc, argv, &options);
	return run(&options);
}
