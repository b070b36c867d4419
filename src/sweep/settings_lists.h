/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What settings.c and settings_lists.c share. */
#ifndef LT_SWEEP_SETTINGS_LISTS_H
#define LT_SWEEP_SETTINGS_LISTS_H

#include "sweep/settings.h"

/* The words that all of the n settings (at least one) offer, in the order of the first. */
int settings_fill_all(const struct sweep_setting *items, size_t n, struct plan_words *words,
		      struct fault *fault);

/* 0, or -ENOENT with what is missing and what is offered in fault. */
int settings_check_offered(const struct sweep_setting *setting, const struct plan_words *words,
			   struct fault *fault);

#endif
