/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/cpu_list.h"
#include "system/facts.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define CPUS "/sys/devices/system/cpu/"

/* The block of /proc/cpuinfo for that CPU (-1: the first), cut off from the rest. NULL: none. */
static char *cpuinfo_block(char *text, int cpu)
{
	char *block = text, *end, value[32];
	int64_t number;

	while (*block) {
		end = strstr(block, "\n\n");
		if (end)
			end[1] = '\0';
		if (!procfile_field(block, "processor", value, sizeof(value)) &&
		    !number_i64(value, 0, INT32_MAX, &number) && (cpu < 0 || number == cpu))
			return block;
		if (!end)
			break;
		block = end + 2;
	}
	return NULL;
}

static double mhz_to_hz(char *cpuinfo, int cpu)
{
	char *block = cpuinfo_block(cpuinfo, cpu), value[32];
	double mhz;

	if (!block || procfile_field(block, "cpu MHz", value, sizeof(value)) ||
	    number_double(value, 1, 1e6, &mhz))
		return NAN;
	return mhz * 1e6;
}

double environment_cpu_hz(int cpu)
{
	char *cpuinfo = text_read_all("/proc/cpuinfo");
	char path[96];
	double hz = NAN;
	int64_t khz;

	if (cpuinfo)
		hz = mhz_to_hz(cpuinfo, cpu);
	free(cpuinfo);
	if (!isnan(hz))
		return hz;
	snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/scaling_cur_freq", cpu < 0 ? 0 : cpu);
	if (!text_read_i64(path, &khz) && khz > 0)
		hz = (double)khz * 1e3;
	return hz;
}

static int model_fact(json_t *facts, int cpu)
{
	static const char *const keys[] = { "model name", "cpu model", "uarch", "cpu", "Model" };
	char *cpuinfo = text_read_all("/proc/cpuinfo");
	char *block = cpuinfo ? cpuinfo_block(cpuinfo, cpu) : NULL;
	char value[256] = "", implementer[32], part[32];
	int err;

	for (size_t i = 0; block && !value[0] && i < sizeof(keys) / sizeof(keys[0]); i++)
		procfile_field(block, keys[i], value, sizeof(value));
	/* 64-bit ARM gives numbers alone. */
	if (block && !value[0] &&
	    !procfile_field(block, "CPU implementer", implementer, sizeof(implementer)) &&
	    !procfile_field(block, "CPU part", part, sizeof(part)))
		snprintf(value, sizeof(value), "implementer %s, part %s", implementer, part);
	err = facts_text(facts, "cpu_model", value[0] ? value : NULL);
	free(cpuinfo);
	return err;
}

int environment_governor(int cpu, char *governor, size_t size)
{
	char path[96];
	int bytes;

	snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/scaling_governor", cpu);
	bytes = text_read(path, governor, size);
	return bytes > 0 ? 0 : bytes < 0 ? bytes : -ENOENT;
}

int environment_online(char *list, size_t size)
{
	int bytes = text_read(CPUS "online", list, size);

	if (bytes < 0)
		return bytes;
	return cpu_list_next(list, -1) < 0 ? -EINVAL : 0;
}

/* The governor of the measuring CPU; where it is not pinned, all that are in use: "a, b". */
static int governor_fact(json_t *facts, int cpu)
{
	char all[256] = "", online[1024], governor[32];

	if (cpu >= 0)
		return facts_text(facts, "governor",
				  environment_governor(cpu, governor, sizeof(governor)) ? NULL
											: governor);
	if (environment_online(online, sizeof(online)))
		return facts_unknown(facts, "governor");
	for (cpu = -1; (cpu = cpu_list_next(online, cpu)) >= 0;) {
		size_t used = strlen(all);

		if (!environment_governor(cpu, governor, sizeof(governor)) &&
		    !strstr(all, governor))
			snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "",
				 governor);
	}
	return facts_text(facts, "governor", all[0] ? all : NULL);
}

static int online_fact(json_t *facts)
{
	char online[1024];
	int count = 0;

	if (!environment_online(online, sizeof(online)))
		for (int cpu = -1; (cpu = cpu_list_next(online, cpu)) >= 0;)
			count++;
	else if (root_is_real())
		count = (int)sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? facts_int(facts, "cpu_count_online", count)
			 : facts_unknown(facts, "cpu_count_online");
}

static int boost_fact(json_t *facts, int cpu)
{
	char path[96];
	int64_t value;

	snprintf(path, sizeof(path), CPUS "cpu%d/cpufreq/boost", cpu < 0 ? 0 : cpu);
	if (!text_read_i64(CPUS "intel_pstate/no_turbo", &value))
		return value == 0 || value == 1 ? facts_bool(facts, "boost", !value)
						: facts_unknown(facts, "boost");
	if ((!text_read_i64(path, &value) || !text_read_i64(CPUS "cpufreq/boost", &value)) &&
	    (value == 0 || value == 1))
		return facts_bool(facts, "boost", value == 1);
	return facts_unknown(facts, "boost");
}

/* One state as an object; -ENOENT after the last one. */
static int add_idle_state(json_t *states, int cpu, int index)
{
	char path[128], name[64];
	json_t *state;
	int base;

	base = snprintf(path, sizeof(path), CPUS "cpu%d/cpuidle/state%d/", cpu, index);
	snprintf(path + base, sizeof(path) - (size_t)base, "name");
	if (text_read(path, name, sizeof(name)) < 0)
		return -ENOENT;
	state = json_object();
	if (facts_text(state, "name", name))
		goto failed;
	snprintf(path + base, sizeof(path) - (size_t)base, "latency");
	if (facts_file_int(state, "latency_us", path))
		goto failed;
	snprintf(path + base, sizeof(path) - (size_t)base, "disable");
	if (facts_file_bool(state, "disabled", path))
		goto failed;
	return json_array_append_new(states, state) ? -ENOMEM : 0;
failed:
	json_decref(state);
	return -ENOMEM;
}

json_t *environment_idle_states(int cpu)
{
	json_t *states = json_array();
	int err = states ? 0 : -ENOMEM;

	for (int i = 0; !err; i++)
		err = add_idle_state(states, cpu, i);
	if (err == -ENOENT)
		return states;
	json_decref(states);
	return NULL;
}

static int idle_facts(json_t *facts, int cpu)
{
	json_t *states;

	if (facts_file_text(facts, "idle_driver", CPUS "cpuidle/current_driver"))
		return -1;
	states = environment_idle_states(cpu < 0 ? 0 : cpu);
	if (!states)
		return -1;
	if (json_array_size(states))
		return json_object_set_new(facts, "idle_states", states);
	json_decref(states);
	return facts_unknown(facts, "idle_states");
}

/* What all requests together ask for now, a hold of this program included. */
static int dma_latency_fact(json_t *facts)
{
	char name[PATH_MAX];
	int fd = open(root_path(name, sizeof(name), "/dev/cpu_dma_latency"), O_RDONLY | O_CLOEXEC);
	int32_t us;
	bool whole;

	if (fd < 0)
		return facts_unknown(facts, "cpu_dma_latency_us");
	whole = read(fd, &us, sizeof(us)) == sizeof(us);
	close(fd);
	return whole ? facts_int(facts, "cpu_dma_latency_us", us)
		     : facts_unknown(facts, "cpu_dma_latency_us");
}

/* Some kernels print "(null)" where no CPU was given. */
static int nohz_full_fact(json_t *facts)
{
	char text[1024];

	if (text_read(CPUS "nohz_full", text, sizeof(text)) < 0)
		return facts_unknown(facts, "cpus_nohz_full");
	return facts_text(facts, "cpus_nohz_full", strstr(text, "(null)") ? "" : text);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* They cost time in every system call and interrupt. */
static int mitigation_facts(json_t *facts)
{
	struct dirent **names;
	char directory[PATH_MAX];
	int count = scandir(root_path(directory, sizeof(directory), CPUS "vulnerabilities"), &names,
			    is_visible, alphasort);
	json_t *object;
	int err = 0;

	if (count < 0)
		return facts_unknown(facts, "mitigations");
	object = json_object();
	for (int i = 0; i < count; i++) {
		char path[sizeof(CPUS "vulnerabilities/") + sizeof(names[i]->d_name)];

		snprintf(path, sizeof(path), CPUS "vulnerabilities/%s", names[i]->d_name);
		err = err || facts_file_text(object, names[i]->d_name, path);
		free(names[i]);
	}
	free(names);
	if (err) {
		json_decref(object);
		return -1;
	}
	return json_object_set_new(facts, "mitigations", object);
}

int cpu_facts(json_t *facts, int cpu)
{
	char allowed[1024];
	int err = procfile_read_field("/proc/thread-self/status", "Cpus_allowed_list", allowed,
				      sizeof(allowed));

	return model_fact(facts, cpu) ||
	       online_fact(facts) ||
	       facts_text(facts, "cpus_allowed", err < 0 ? NULL : allowed) ||
	       facts_real(facts, "cpu_hz", environment_cpu_hz(cpu)) ||
	       governor_fact(facts, cpu) || boost_fact(facts, cpu) || idle_facts(facts, cpu) ||
	       dma_latency_fact(facts) ||
	       facts_file_bool(facts, "smt_active", CPUS "smt/active") ||
	       facts_file_text(facts, "cpus_isolated", CPUS "isolated") ||
	       nohz_full_fact(facts) || mitigation_facts(facts) ? -1 : 0;
}
