/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "system/cpu_list.h"
#include "system/environment_parts.h"

json_t *environment_collect(const struct environment_params *params)
{
	json_t *facts = json_object();

	if (!facts)
		return NULL;
	if (kernel_facts(facts) || cpu_facts(facts, params->cpu) || machine_facts(facts) ||
	    scheduling_facts(facts) || task_facts(facts) || storage_facts(facts, params)) {
		json_decref(facts);
		return NULL;
	}
	return facts;
}

int environment_check_there(const char *dir, int cpu, struct fault *fault)
{
	char online[256];
	struct stat st;
	int err = stat(dir, &st) ? -errno : S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;

	if (err)
		return fault_set(fault, err, "--dir %s: %s; valid is a directory",
				 dir[0] ? dir : "\"\"", strerror(-err));
	if (cpu >= 0 && !environment_online(online, sizeof(online)) && !cpu_list_has(online, cpu))
		return fault_set(fault, -EINVAL, "--cpu %d: it is offline or does not exist; "
				 "valid are %s", cpu, online);
	return 0;
}
