/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "alsa/devices.h"

#include <errno.h>

#ifdef HAVE_ALSA

#include <alsa/asoundlib.h>
#include <stdio.h>

#include "alsa/quiet.h"
#include "system/facts.h"

static int at_least_0(int value)
{
	return value < 0 ? 0 : value;
}

/* Adds one timer; those of streams come and go with them and are left out. */
static int add_timer(json_t *timers, snd_timer_query_t *query, snd_timer_id_t *id)
{
	snd_timer_ginfo_t *info;
	json_t *object;
	char name[96];
	int class = snd_timer_id_get_class(id);
	int err;

	if (class != SND_TIMER_CLASS_GLOBAL && class != SND_TIMER_CLASS_CARD)
		return 0;
	snprintf(name, sizeof(name), "hw:CLASS=%d,SCLASS=%d,CARD=%d,DEV=%d,SUBDEV=%d", class,
		 snd_timer_id_get_sclass(id), at_least_0(snd_timer_id_get_card(id)),
		 snd_timer_id_get_device(id), at_least_0(snd_timer_id_get_subdevice(id)));
	err = snd_timer_ginfo_malloc(&info);
	if (err)
		return err;
	snd_timer_ginfo_set_tid(info, id);
	/* One that went away meanwhile is not listed. */
	if (snd_timer_query_info(query, info)) {
		snd_timer_ginfo_free(info);
		return 0;
	}
	object = json_pack("{s:s, s:I, s:i}", "timer", name, "resolution_ns",
			   (json_int_t)snd_timer_ginfo_get_resolution(info), "clients",
			   (int)snd_timer_ginfo_get_clients(info));
	err = object && !facts_text(object, "name", snd_timer_ginfo_get_name(info)) ? 0 : -ENOMEM;
	snd_timer_ginfo_free(info);
	return err ? err : json_array_append_new(timers, object);
}

int alsa_timers(json_t **timers, struct fault *fault)
{
	snd_timer_query_t *query;
	snd_timer_id_t *id;
	int err;

	*timers = NULL;
	alsa_quiet();
	err = snd_timer_query_open(&query, "hw", 0);
	if (err)
		return fault_set(fault, err, "cannot list the timers: %s", snd_strerror(err));
	*timers = json_array();
	err = snd_timer_id_malloc(&id);
	if (!err) {
		snd_timer_id_set_class(id, SND_TIMER_CLASS_NONE);
		while (!err) {
			err = snd_timer_query_next_device(query, id);
			if (err || snd_timer_id_get_class(id) < 0)
				break;
			err = add_timer(*timers, query, id);
		}
		snd_timer_id_free(id);
	}
	snd_timer_query_close(query);
	return err ? fault_set(fault, err, "cannot list the timers: %s", snd_strerror(err)) : 0;
}

#else

int alsa_timers(json_t **timers, struct fault *fault)
{
	*timers = NULL;
	return fault_set(fault, -ENOTSUP, "built without ALSA (--without-alsa)");
}

#endif
