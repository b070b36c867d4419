/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latencytest [run]: options to a run. */
#include "commands.h"
#include "run/run.h"
#include "run_options.h"

int cmd_run(int argc, char **argv)
{
	struct run_options options;

	run_options_parse(argc, argv, &options);
	return run(&options);
}
