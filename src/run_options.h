/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of run, which sweep takes as well. */
#ifndef LT_RUN_OPTIONS_H
#define LT_RUN_OPTIONS_H

#include "run/run.h"

/*
 * Reads and checks the options in argv (argv[0] is the name for messages), or ends the program:
 * with exit 64 and one line for what is wrong, with exit 0 after --help. Keeps pointers into argv.
 */
void run_options_parse(int argc, char **argv, struct run_options *options);

#endif
