/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands: each takes its own argv (argv[0] is its name for messages), returns an exit
 * status.
 */
#ifndef LT_COMMANDS_H
#define LT_COMMANDS_H

struct command {
	const char *name;
	const char *summary;
	int (*main)(int argc, char **argv);
};

/* The table, ended by a NULL name. */
extern const struct command commands[];

int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_list(int argc, char **argv);

#endif
