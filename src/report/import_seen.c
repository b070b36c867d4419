/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/import_seen.h"

#include <stdint.h>
#include <stdlib.h>

#define SETS 16384
#define WAYS 4

struct import_seen {
	uint64_t hash[SETS][WAYS]; /* 0: free */
	uint8_t next[SETS];        /* the way to be used next: the oldest */
};

struct import_seen *import_seen_new(void)
{
	return calloc(1, sizeof(struct import_seen));
}

/* FNV-1a. */
static int add_bytes(const char *bytes, size_t n, void *argument)
{
	uint64_t *hash = argument;

	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ (unsigned char)bytes[i]) * 1099511628211u;
	return 0;
}

static void add_member(uint64_t *hash, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	add_bytes("|", 1, hash);
	if (value)
		json_dump_callback(value, add_bytes, hash,
				   JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
}

bool import_seen_phase(struct import_seen *seen, const json_t *phase)
{
	uint64_t hash = 14695981039346656037u;
	size_t set;

	/* Neither the name nor the line: a quotation may have lost the one and moved the other. */
	add_member(&hash, phase, "threads");
	add_member(&hash, phase, "cpu_hz");
	add_member(&hash, phase, "loops_per_run");
	add_member(&hash, json_object_get(phase, "imported"), "start_time");
	hash += !hash;
	/* The low bits of FNV are the weak ones. */
	set = (hash ^ hash >> 32) % SETS;
	for (unsigned int way = 0; way < WAYS; way++)
		if (seen->hash[set][way] == hash)
			return true;
	seen->hash[set][seen->next[set]] = hash;
	seen->next[set] = (uint8_t)((seen->next[set] + 1) % WAYS);
	return false;
}
