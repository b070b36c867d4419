/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of subcommands and nothing else. */
#include "config.h"

#include <argp.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "options.h"

const char *argp_program_version = PACKAGE_STRING;
const char *argp_program_bug_address = NULL;

const struct command commands[] = {
	{ "run", "measure under stressors (the default command)", cmd_run },
	{ "report", "summary, plots and HTML from result directories", cmd_report },
	{ "import", "result directories from logs and mails of old and other tools", cmd_import },
	{ "compare", "which result is better, and is it significant", cmd_compare },
	{ "sweep", "runs over elevators, preemption models and repeats, interleaved", cmd_sweep },
	{ "doctor", "is this machine set up for low latency", cmd_doctor },
	{ "list", "sources, stressors and sound devices", cmd_list },
	{ NULL, NULL, NULL },
};

/*
 * Where the shell closed one of the three, the next file to be opened would become it, and messages
 * would go into what is measured. What stands in can only do what is not asked of it: reading or
 * writing fails as before.
 */
static void fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	static char name[64];
	char names[128] = "";

	fill_standard_files();
	setlocale(LC_CTYPE, "");
	if (argc < 2 || argv[1][0] == '-')
		return cmd_run(argc, argv);
	for (const struct command *command = commands; command->name; command++) {
		size_t used = strlen(names);

		if (!strcmp(argv[1], command->name)) {
			snprintf(name, sizeof(name), "latencytest %s", command->name);
			argv[1] = name;
			return command->main(argc - 1, argv + 1);
		}
		snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			 command->name);
	}
	usage_error("unknown command %s: valid are %s", argv[1], names);
}
