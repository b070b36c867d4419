/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/rights.h"

#include <errno.h>
#include <link.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "system/privileges.h"
#include "system/procfile.h"
#include "util/number.h"

#define SEGMENTS_MAX 64

struct segments {
	struct {
		void *start;
		size_t bytes;
		const char *object;
	} segment[SEGMENTS_MAX];
	size_t count;
	size_t bytes;  /* of all */
	bool too_many; /* they do not fit in the array */
	bool others;   /* the first object, the program, has been seen */
	const char *library; /* to be taken too, or NULL */
};

/* Bytes under VmLck; 0 where it is not told. */
static size_t locked_now(void)
{
	char text[64];
	int64_t kib;

	if (procfile_read_field("/proc/self/status", "VmLck", text, sizeof(text)) < 0)
		return 0;
	text[strcspn(text, " ")] = '\0';
	return number_i64(text, 0, INT64_MAX / 1024, &kib) ? 0 : (size_t)kib * 1024;
}

size_t rights_lockable(void)
{
	struct rlimit limit;
	size_t locked;

	if (privilege_held(CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > SIZE_MAX)
		return SIZE_MAX;
	locked = locked_now();
	return limit.rlim_cur > locked ? (size_t)limit.rlim_cur - locked : 0;
}

/* needed: what a cure has to allow for, at least the range that was refused. */
static int explain(int err, const char *what, size_t bytes, size_t needed, struct fault *fault)
{
	struct rlimit limit = { .rlim_cur = 0 };

	getrlimit(RLIMIT_MEMLOCK, &limit);
	/* ENOMEM may also be a range that is not mapped: only a limit that was hit is the cause. */
	if ((err != -ENOMEM && err != -EPERM) || rights_lockable() >= bytes)
		return fault_set(fault, err, "mlock(%.100s, %zu bytes): %s", what, bytes,
				 strerror(-err));
	return fault_set(fault, err, "mlock(%.100s, %zu bytes): %s: RLIMIT_MEMLOCK is %llu bytes, "
			 "%zu of them in use, %zu more needed, and %s; cure: put \"@audio - "
			 "memlock unlimited\" into a file in /etc/security/limits.d/, join that "
			 "group and log in again, or run as root", what, bytes, strerror(-err),
			 (unsigned long long)limit.rlim_cur, locked_now(), needed,
			 privilege_user_namespace()
			 ? "CAP_IPC_LOCK does not count inside a user namespace"
			 : "CAP_IPC_LOCK is missing");
}

/* Widens a range to whole pages, which is what gets locked. */
static void round_to_pages(void **start, size_t *bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = (uintptr_t)*start & ~(page - 1);
	uintptr_t end = ((uintptr_t)*start + *bytes + page - 1) & ~(page - 1);

	*start = (void *)first;
	*bytes = end - first;
}

static int lock_range(void *start, size_t bytes, const char *what, size_t needed,
		      size_t *locked_bytes, struct fault *fault)
{
	round_to_pages(&start, &bytes);
	if (mlock(start, bytes) < 0)
		return explain(-errno, what, bytes, needed > bytes ? needed : bytes, fault);
	*locked_bytes += bytes;
	return 0;
}

int rights_lock(void *start, size_t bytes, const char *what, size_t *locked_bytes,
		struct fault *fault)
{
	return lock_range(start, bytes, what, 0, locked_bytes, fault);
}

/*
 * The C library in the names and parts that glibc and musl have or had, and the dynamic loader:
 * calls not yet bound and thread-local variables lead through it.
 */
static bool is_wanted(const char *path, const char *library)
{
	static const char *const names[] = {
		"libc.so", "libc-2", "libc.musl", "libpthread", "librt", "ld-",  "ld.so", "ld64.so",
	};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return library && !strncmp(name, library, strlen(library));
}

static int add_segments(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct segments *segments = arg;
	bool program = !segments->others;

	(void)size;
	segments->others = true;
	if (!program && !is_wanted(info->dlpi_name, segments->library))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		size_t n = segments->count;

		if (header->p_type != PT_LOAD || !header->p_memsz ||
		    !(header->p_flags & (PF_R | PF_W | PF_X)))
			continue;
		if (n == SEGMENTS_MAX) {
			segments->too_many = true;
			return 1;
		}
		segments->segment[n].start = (void *)(info->dlpi_addr + header->p_vaddr);
		segments->segment[n].bytes = header->p_memsz;
		segments->segment[n].object = program ? "the program" : info->dlpi_name;
		round_to_pages(&segments->segment[n].start, &segments->segment[n].bytes);
		segments->bytes += segments->segment[n].bytes;
		segments->count++;
	}
	return 0;
}

int rights_lock_program(const char *library, size_t *locked_bytes, struct fault *fault)
{
	struct segments segments = { .library = library };
	size_t needed;
	int err;

	/* Not locked from within: the loader holds a lock of its own meanwhile. */
	dl_iterate_phdr(add_segments, &segments);
	if (segments.too_many || !segments.count)
		return fault_set(fault, -E2BIG, "cannot lock the program: its loaded segments "
				 "are more than %d, or not told", SEGMENTS_MAX);
	needed = segments.bytes;
	for (size_t i = 0; i < segments.count; i++) {
		err = lock_range(segments.segment[i].start, segments.segment[i].bytes,
				 segments.segment[i].object, needed, locked_bytes, fault);
		if (err)
			return err;
		needed -= segments.segment[i].bytes;
	}
	return 0;
}
