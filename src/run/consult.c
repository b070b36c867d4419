/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/consult.h"

#include <sched.h>
#include <stdlib.h>

#include "doctor/doctor.h"
#include "doctor/sound_card.h"
#include "doctor/text.h"
#include "util/jx.h"

#define USUAL_PRIORITY 80 /* under --policy other: whether real time could have been had */

static bool uses_disk(const struct run_options *options)
{
	for (unsigned int i = 0; i < options->n_stress; i++)
		if (options->stress[i]->files)
			return true;
	return false;
}

void consult_doctor(json_t *run, const struct run_options *options, struct progress *progress)
{
	const struct doctor_params params = {
		.load = options->load,
		.priority = options->attributes.priority ? options->attributes.priority
							 : USUAL_PRIORITY,
		.cpu = options->attributes.cpu,
		.card = options->sound.device ? sound_card_number(options->sound.device) : -1,
		.realtime = options->attributes.policy != SCHED_OTHER,
		.disk = uses_disk(options),
		.environment = json_object_get(run, "environment"),
	};
	json_t *findings = doctor_examine(&params, false);
	const json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding) {
		char *line;

		if (!json_is_true(json_object_get(finding, "spoils_results")))
			continue;
		line = doctor_line(finding);
		if (line)
			progress_warn(progress, "doctor: %s", line);
		free(line);
	}
	jx_put(run, "doctor", findings);
}
