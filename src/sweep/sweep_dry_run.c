/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a sweep would do. */
#include "sweep/sweep_parts.h"

#include <stdio.h>
#include <string.h>

#include "sweep/sweep_words.h"

/* Whether an earlier label wants the same of this setting. */
static bool seen_before(const struct plan *plan, const struct sweep_setting *item, size_t label)
{
	for (size_t i = 0; i < label; i++)
		if (!strcmp(settings_wanted(item, &plan->labels[i]),
			    settings_wanted(item, &plan->labels[label])))
			return true;
	return false;
}

static void show_setting(const struct plan *plan, const struct sweep_setting *item)
{
	printf("  %s (%s): %s ->", item->setting.name, item->setting.path, item->original);
	for (size_t i = 0; i < plan->n_labels; i++)
		if (!seen_before(plan, item, i))
			printf("%s %s", i ? "," : "", settings_wanted(item, &plan->labels[i]));
	putchar('\n');
	for (size_t i = 0; i < plan->n_labels; i++)
		if (!seen_before(plan, item, i) &&
		    !settings_offers(item, settings_wanted(item, &plan->labels[i])))
			printf("    %s is not offered yet: module %s-iosched would be asked for\n",
			       settings_wanted(item, &plan->labels[i]),
			       settings_wanted(item, &plan->labels[i]));
}

void sweep_show_plan(const struct sweep_state *state)
{
	const struct sweep_record *record = &state->record;
	const struct plan *plan = &record->plan;
	size_t width = 1;

	for (size_t n = plan->n; n >= 10; n /= 10)
		width++;
	for (size_t i = 0; i < plan->n; i++)
		printf("%*zu  block %zu  %s%s\n", (int)width, i + 1, plan_block(plan, i) + 1,
		       plan->labels[plan->positions[i]].name,
		       record->positions[i].status == POSITION_COMPLETE ? "  (has a result)" : "");
	if (state->settings.n)
		puts("would be changed, and put back at the end:");
	else
		puts("no setting of the machine would be changed");
	for (size_t i = 0; i < state->settings.n; i++)
		show_setting(plan, &state->settings.items[i]);
	if (state->settings.preemption.mounted)
		puts("  debugfs: would be mounted, where the sweep alone sees it");
	puts("dry run: nothing was changed or written");
}
