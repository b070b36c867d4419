/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment.h"

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
