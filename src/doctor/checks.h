/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every check there is, for the table. */
#ifndef LT_DOCTOR_CHECKS_H
#define LT_DOCTOR_CHECKS_H

#include "doctor/doctor.h"

extern const struct check check_fifo, check_rtprio, check_rttime;         /* rights.c */
extern const struct check check_group, check_limits, check_rtkit;         /* groups.c */
extern const struct check check_memlock, check_mlockall, check_swap;      /* memory.c */
extern const struct check check_huge_pages;
extern const struct check check_throttling, check_cgroup, check_fair_server; /* throttling.c */
extern const struct check check_preemption, check_threadirqs;             /* kernel.c */
extern const struct check check_timers, check_tick;
extern const struct check check_governor, check_boost, check_smt;         /* cpu.c */
extern const struct check check_isolation, check_mitigations;
extern const struct check check_idle;                                     /* idle.c */
extern const struct check check_clock, check_time_namespace;              /* clock.c */
extern const struct check check_rtc;                                      /* rtc.c */
extern const struct check check_sound_access, check_sound_irq;            /* sound.c */
extern const struct check check_sound_irq_thread;
extern const struct check check_elevator, check_file_system;              /* storage.c */
extern const struct check check_hypervisor, check_steal, check_smi;       /* virtual.c */
extern const struct check check_noise, check_throttled;                   /* noise.c */

#endif
