/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of the command line: checked as words, then against what the machine offers. */
#include "sweep/settings_lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/elevator.h"

static bool has(const struct plan_words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (!strcmp(words->words[i], word))
			return true;
	return false;
}

static int add_word(struct plan_words *words, const char *option, const char *asked,
		    const char *word, struct fault *fault)
{
	const char *old = strcmp(asked, word) ? " under another name" : "";

	if (!word[0] || strlen(word) >= SETTING_WORD)
		return fault_set(fault, -EINVAL, "%s: \"%.40s\" is no name; valid is a list with "
						 "commas between, or all", option, asked);
	if (has(words, word))
		return fault_set(fault, -EINVAL, "%s %s: named twice%s; valid is each once", option,
				 asked, old);
	if (words->n == PLAN_MAX_LABELS)
		return fault_set(fault, -EINVAL, "%s: more than %d names", option, PLAN_MAX_LABELS);
	snprintf(words->words[words->n++], sizeof(words->words[0]), "%s", word);
	return 0;
}

static int parse(const char *option, const char *list, bool elevators, struct plan_words *words,
		 struct fault *fault)
{
	char *copy = strdup(list), *rest = copy, *asked;
	int err = copy ? 0 : fault_set(fault, -ENOMEM, "no memory");

	words->n = 0;
	while (!err && strcmp(list, "all") && (asked = strsep(&rest, ","))) {
		const char *word = elevators ? elevator_name(asked, fault) : asked;

		err = word ? add_word(words, option, asked, word, fault) : -EINVAL;
	}
	free(copy);
	return err;
}

int settings_parse_elevators(const char *list, struct plan_words *words, struct fault *fault)
{
	return parse("--elevator", list, true, words, fault);
}

int settings_parse_preempts(const char *list, struct plan_words *words, struct fault *fault)
{
	return parse("--preempt", list, false, words, fault);
}

bool settings_offers(const struct sweep_setting *setting, const char *word)
{
	struct setting_choices choices;

	if (setting_read(&setting->setting, &choices, NULL))
		return false;
	for (size_t i = 0; i < choices.n; i++)
		if (!strcmp(choices.words[i], word))
			return true;
	return false;
}

int settings_fill_all(const struct sweep_setting *items, size_t n, struct plan_words *words,
		      struct fault *fault)
{
	struct setting_choices choices;
	int err = setting_read(&items[0].setting, &choices, fault);

	for (size_t i = 0; !err && i < choices.n; i++) {
		bool everywhere = true;

		for (size_t j = 1; j < n; j++)
			everywhere &= settings_offers(&items[j], choices.words[i]);
		if (everywhere)
			err = add_word(words, "all", choices.words[i], choices.words[i], fault);
	}
	return err;
}

int settings_check_offered(const struct sweep_setting *setting, const struct plan_words *words,
			   struct fault *fault)
{
	struct setting_choices choices;
	char offered[128];
	int err = setting_read(&setting->setting, &choices, fault);

	for (size_t i = 0; !err && i < words->n; i++) {
		if (settings_offers(setting, words->words[i]))
			continue;
		setting_list(&choices, offered, sizeof(offered));
		err = fault_set(fault, -ENOENT, "%s: \"%s\" is not offered; valid are %s",
				setting->setting.name, words->words[i], offered);
	}
	return err;
}
