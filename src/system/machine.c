/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/environment_parts.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "system/facts.h"
#include "system/kernel_config.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"
#define DMI "/sys/class/dmi/id/"

/* Takes the quotes and backslashes of the shell off. */
static void unquote(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '"' || *text == '\'')
			continue;
		if (*text == '\\' && text[1])
			text++;
		*to++ = *text;
	}
	*to = '\0';
}

static int distribution_fact(json_t *facts)
{
	char name[256];

	if (procfile_read_field("/etc/os-release", "PRETTY_NAME", name, sizeof(name)) < 0 &&
	    (!root_is_real() ||
	     procfile_read_field("/usr/lib/os-release", "PRETTY_NAME", name, sizeof(name)) < 0))
		return facts_unknown(facts, "distribution");
	unquote(name);
	return facts_text(facts, "distribution", name);
}

/* A line "key:  n kB" of /proc/meminfo. */
static int memory_fact(json_t *facts, const char *key, const char *line)
{
	char value[64];
	int64_t kib;

	if (procfile_read_field("/proc/meminfo", line, value, sizeof(value)) < 0)
		return facts_unknown(facts, key);
	value[strcspn(value, " ")] = '\0';
	if (number_i64(value, 0, INT64_MAX / 1024, &kib))
		return facts_unknown(facts, key);
	return facts_int(facts, key, kib * 1024);
}

#if defined(__x86_64__) || defined(__i386__)
/* Twelve letters by which a hypervisor names itself: "KVMKVMKVM". */
static void read_signature(char *name, size_t size)
{
	unsigned int eax, ebx, ecx, edx;
	char letters[13] = "";

	__cpuid(0x40000000, eax, ebx, ecx, edx);
	(void)eax;
	memcpy(letters, &ebx, 4);
	memcpy(letters + 4, &ecx, 4);
	memcpy(letters + 8, &edx, 4);
	for (char *p = letters; *p; p++)
		if (!isprint((unsigned char)*p))
			*p = '\0';
	snprintf(name, size, "%s", strlen(letters) > 3 ? letters : "unnamed");
}

/* 1: the CPU says it is virtual, and name is set; 0: it says it is not; -1: it cannot be read. */
static int cpu_is_virtual(char *name, size_t size)
{
	char flags[4096];

	if (procfile_read_field("/proc/cpuinfo", "flags", flags, sizeof(flags)) < 0)
		return -1;
	if (!procfile_has_word(flags, ' ', "hypervisor"))
		return 0;
	if (root_is_real())
		read_signature(name, size);
	else
		snprintf(name, size, "unnamed");
	return 1;
}
#else
static int cpu_is_virtual(char *name, size_t size)
{
	(void)name;
	(void)size;
	return -1;
}
#endif

/*
 * Whether the clock follows the instructions that a guest executes: no guest can tell, but the
 * kernel lab (scripts/kernel-lab), which makes it so, says so on the command line.
 */
static int virtual_time_fact(json_t *facts, int is_virtual)
{
	char line[4096];

	if (text_read("/proc/cmdline", line, sizeof(line)) < 0)
		line[0] = '\0';
	if (procfile_has_word(line, ' ', "latencytest.lab=deterministic"))
		return facts_text(facts, "virtual_time", "deterministic (qemu icount)");
	if (procfile_has_word(line, ' ', "latencytest.lab=realtime") || is_virtual == 0)
		return facts_text(facts, "virtual_time", "none");
	return facts_unknown(facts, "virtual_time");
}

static int hypervisor_facts(json_t *facts)
{
	char name[128] = "";
	int is_virtual = cpu_is_virtual(name, sizeof(name));

	if (virtual_time_fact(facts, is_virtual))
		return -1;

	if (is_virtual <= 0 &&
	    text_read("/sys/hypervisor/type", name, sizeof(name)) <= 0 &&
	    text_read("/proc/device-tree/hypervisor/compatible", name, sizeof(name)) <= 0)
		/* Only x86 has evidence for there being none. */
		return facts_text(facts, "hypervisor", is_virtual == 0 ? "none" : NULL);
	return facts_text(facts, "hypervisor", name);
}

static int vendor_facts(json_t *facts)
{
	char model[256];

	if (facts_file_text(facts, "system_vendor", DMI "sys_vendor"))
		return -1;
	if (text_read(DMI "product_name", model, sizeof(model)) <= 0 &&
	    text_read("/proc/device-tree/model", model, sizeof(model)) <= 0)
		return facts_unknown(facts, "system_product");
	return facts_text(facts, "system_product", model);
}

static int rtc_facts(json_t *facts)
{
	static const char *const devices[] = { "/dev/rtc", "/dev/rtc0" };
	const char *device = "none";
	char name[96], frequency[96], file[PATH_MAX];
	json_t *rtc = json_object();
	struct stat st;
	int err;

	/* By device number: /dev/rtc need not be the first of several. */
	name[0] = '\0';
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (stat(root_path(file, sizeof(file), devices[i]), &st) || !S_ISCHR(st.st_mode))
			continue;
		device = devices[i];
		snprintf(name, sizeof(name), "/sys/dev/char/%u:%u/name", major(st.st_rdev),
			 minor(st.st_rdev));
		snprintf(frequency, sizeof(frequency), "/sys/dev/char/%u:%u/max_user_freq",
			 major(st.st_rdev), minor(st.st_rdev));
		break;
	}
	/* Without a /dev nothing is known of what is in it. */
	if (!strcmp(device, "none") && access(root_path(file, sizeof(file), "/dev"), F_OK))
		device = NULL;
	err = facts_text(rtc, "device", device) ||
	      (name[0] ? facts_file_text(rtc, "driver", name) : facts_unknown(rtc, "driver")) ||
	      (name[0] ? facts_file_int(rtc, "max_user_freq_hz", frequency)
		       : facts_unknown(rtc, "max_user_freq_hz"));
	if (err) {
		json_decref(rtc);
		return -1;
	}
	return json_object_set_new(facts, "rtc", rtc);
}

int machine_facts(json_t *facts)
{
	struct utsname kernel;

	kernel_names(&kernel);
	return facts_text(facts, "hostname", kernel.nodename[0] ? kernel.nodename : NULL) ||
	       distribution_fact(facts) ||
	       facts_file_text(facts, "clocksource", CLOCKSOURCE "current_clocksource") ||
	       facts_file_text(facts, "clocksource_available",
			       CLOCKSOURCE "available_clocksource") ||
	       memory_fact(facts, "memory_total_bytes", "MemTotal") ||
	       memory_fact(facts, "swap_total_bytes", "SwapTotal") ||
	       facts_file_int(facts, "swappiness", "/proc/sys/vm/swappiness") ||
	       facts_file_marked(facts, "transparent_hugepage",
				 "/sys/kernel/mm/transparent_hugepage/enabled") ||
	       hypervisor_facts(facts) || vendor_facts(facts) || rtc_facts(facts) ||
	       facts_file_text(facts, "alsa_version", "/proc/asound/version") ? -1 : 0;
}
