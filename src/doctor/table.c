/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of checks. A new one is a function in its group's file, a line here and in checks.h. */
#include "doctor/doctor.h"

#include <string.h>

#include "doctor/checks.h"

const struct check *const checks[] = {
	&check_fifo,
	&check_rtprio,
	&check_rttime,
	&check_group,
	&check_limits,
	&check_rtkit,
	&check_memlock,
	&check_mlockall,
	&check_swap,
	&check_huge_pages,
	&check_throttling,
	&check_cgroup,
	&check_fair_server,
	&check_preemption,
	&check_threadirqs,
	&check_timers,
	&check_tick,
	&check_governor,
	&check_boost,
	&check_idle,
	&check_smt,
	&check_isolation,
	&check_mitigations,
	&check_clock,
	&check_time_namespace,
	&check_rtc,
	&check_sound_access,
	&check_sound_irq,
	&check_sound_irq_thread,
	&check_elevator,
	&check_file_system,
	&check_hypervisor,
	&check_steal,
	&check_smi,
	&check_noise,
	&check_throttled,
	NULL,
};

const struct check *check_find(const char *id)
{
	for (const struct check *const *check = checks; *check; check++)
		if (!strcmp((*check)->id, id))
			return *check;
	return NULL;
}
