/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/spin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "doctor/budget.h"
#include "doctor/finding.h"
#include "measure/rt_thread.h"
#include "system/clock.h"
#include "system/cpu_time.h"
#include "system/interrupts.h"
#include "system/procfile.h"
#include "util/number.h"
#include "util/root.h"
#include "util/textfile.h"

#define GAPS_MAX 16384
#define SMI_COUNT 0x34
#define TICK_NS 12000000 /* the kernel notices at a tick, 10 ms apart at most */
#define PAUSE_NS 50000   /* long enough to count as blocking, mostly */
#define PAUSES_MAX 6

/* What the thread works on; all of it is locked. */
struct work {
	int64_t duration_ns;
	int64_t slice_ns;  /* of burning without a pause: RLIMIT_RTTIME */
	int64_t elapsed_ns;
	int64_t waited_ns;
	size_t n;
	struct spin_gap gap[GAPS_MAX];
};

/* The second number: how long the thread was ready and did not run. */
static int64_t run_delay_ns(void)
{
	char text[96], *cursor = text, *word;
	int64_t ns;

	text_read("/proc/thread-self/schedstat", text, sizeof(text));
	word = procfile_next_word(&cursor);
	word = word ? procfile_next_word(&cursor) : NULL;
	return !word || number_i64(word, 0, INT64_MAX, &ns) ? -1 : ns;
}

static long sleeps_so_far(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? -1 : usage.ru_nvcsw;
}

/*
 * Until the thread has really slept, which is what starts the count of RLIMIT_RTTIME anew: where
 * the host takes the CPU, a pause may be over before the thread is off it.
 */
static void rest(void)
{
	struct timespec pause = { .tv_nsec = PAUSE_NS };
	long before = sleeps_so_far();

	for (int i = 0; i < PAUSES_MAX; i++, pause.tv_nsec *= 2) {
		nanosleep(&pause, NULL);
		if (sleeps_so_far() != before)
			return;
	}
}

static void burn(void *argument)
{
	struct work *work = argument;
	int64_t before = run_delay_ns(), start = clock_now_ns();
	int64_t last = start, now = start, slice_end = start + work->slice_ns, after;

	while (now - start < work->duration_ns) {
		now = clock_now_ns();
		if (now - last > SPIN_GAP_NS && work->n < GAPS_MAX)
			work->gap[work->n++] = (struct spin_gap){ last - start, now - last };
		if (now >= slice_end) {
			rest();
			now = clock_now_ns();
			slice_end = now + work->slice_ns;
		}
		last = now;
	}
	work->elapsed_ns = now - start;
	after = run_delay_ns();
	work->waited_ns = before < 0 || after < 0 ? -1 : after - before;
}

/* ---- what is counted beside ---- */

struct counters {
	struct interrupts *interrupts;
	struct cpu_time time;
	bool has_time;
};

static int64_t read_smi(int cpu)
{
	char path[48], name[PATH_MAX];
	uint64_t count;
	ssize_t bytes;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(root_path(name, sizeof(name), path), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	bytes = pread(fd, &count, sizeof(count), SMI_COUNT);
	close(fd);
	return bytes == sizeof(count) ? (int64_t)(count & UINT32_MAX) : -1;
}

static void take(int cpu, struct counters *counters)
{
	counters->interrupts = interrupts_take();
	counters->has_time = !cpu_time_read(cpu, &counters->time);
}

/* The sum of all, and the name of the most frequent. */
static void count_interrupts(const struct counters *before, const struct counters *after,
			     struct spin *spin)
{
	json_t *delta = interrupts_delta(before->interrupts, after->interrupts, spin->cpu), *value;
	json_t *irq = json_object_get(delta, "irq");
	json_int_t most = 0;
	const char *name;

	spin->interrupts = json_is_object(irq) ? 0 : -1;
	json_object_foreach(irq, name, value) {
		spin->interrupts += json_integer_value(value);
		if (json_integer_value(value) <= most)
			continue;
		most = json_integer_value(value);
		snprintf(spin->most, sizeof(spin->most), "%lld %.80s", (long long)most, name);
	}
	json_decref(delta);
}

static void compare(const struct counters *before, const struct counters *after, struct spin *spin)
{
	long ticks = sysconf(_SC_CLK_TCK);

	spin->steal_ns = -1;
	if (before->has_time && after->has_time && ticks > 0)
		spin->steal_ns = (int64_t)(after->time.steal - before->time.steal) *
				 (NS_PER_SEC / ticks);
	count_interrupts(before, after, spin);
}

/* ---- running it ---- */

/* A little more than one period of throttling; on a single CPU nothing else runs meanwhile. */
static int64_t wanted_ns(const struct doctor_params *params)
{
	struct budget budget;
	int64_t ns = 1200000000;

	if (sysconf(_SC_NPROCESSORS_ONLN) == 1)
		return NS_PER_SEC;
	if (budget_global(params, &budget) && budget.period_us > 1000000)
		ns = budget.period_us * 1200;
	return ns < 2 * NS_PER_SEC ? ns : 2 * NS_PER_SEC;
}

static int64_t slice_ns(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur > INT32_MAX)
		return INT64_MAX / 4;
	return (int64_t)limit.rlim_cur * 1000 / 4;
}

/* Under FIFO, else under an ordinary policy, which spin then says. */
static int start(struct rt_thread *thread, struct spin *spin, struct work *work,
		 struct fault *fault)
{
	struct rt_attributes attributes = { SCHED_FIFO, spin->priority, spin->cpu };

	if (!rt_thread_start(thread, &attributes, burn, work, fault))
		return 0;
	spin->priority = 0;
	attributes.policy = SCHED_OTHER;
	attributes.priority = 0;
	return rt_thread_start(thread, &attributes, burn, work, fault);
}

int spin_run(const struct doctor_params *params, struct spin *spin, struct fault *fault)
{
	struct spin_budget budget[SPIN_BUDGETS];
	struct counters before, after;
	struct rt_thread *thread;
	struct work *work;
	void *memory;
	int err;

	memset(spin, 0, sizeof(*spin));
	spin->priority = params->priority;
	spin->cpu = params->cpu >= 0 ? params->cpu : sched_getcpu();
	err = rt_thread_create(&thread, sizeof(*work), NULL, &memory, fault);
	if (err)
		return err;
	work = memory;
	work->duration_ns = wanted_ns(params);
	work->slice_ns = slice_ns();
	spin->smi_before = read_smi(spin->cpu);
	take(spin->cpu, &before);
	err = start(thread, spin, work, fault);
	if (!err) {
		rt_thread_join(thread);
		take(spin->cpu, &after);
		spin->smi_after = read_smi(spin->cpu);
		spin->elapsed_ns = work->elapsed_ns;
		spin->waited_ns = work->waited_ns;
		compare(&before, &after, spin);
		spin_sort(spin, work->gap, work->n, budget, spin_budgets(params, budget));
		interrupts_free(after.interrupts);
	}
	interrupts_free(before.interrupts);
	rt_thread_free(thread);
	return err;
}

/* ---- what the gaps are ---- */

static bool explains(const struct spin_budget *budget, bool first, int64_t burnt_ns,
		     int64_t gap_ns)
{
	int64_t expected_ns = budget->period_ns - budget->runtime_ns;

	if (gap_ns > expected_ns + expected_ns / 10 + TICK_NS)
		return false;
	/* The kernel's period had begun before the burn: the runtime is used up ... */
	if (first && gap_ns >= expected_ns / 10 && llabs(burnt_ns - budget->runtime_ns) <= TICK_NS)
		return true;
	/* ... or nearly, and other real-time tasks had had the rest. */
	if (first && gap_ns >= expected_ns / 2 && burnt_ns <= budget->runtime_ns &&
	    burnt_ns >= budget->runtime_ns / 5 * 4)
		return true;
	return gap_ns >= expected_ns - expected_ns / 10 &&
	       burnt_ns >= budget->runtime_ns / 2 && burnt_ns <= 2 * budget->period_ns;
}

void spin_sort(struct spin *spin, const struct spin_gap *gap, size_t n,
	       const struct spin_budget *budget, size_t n_budgets)
{
	int64_t since_ns = 0;

	for (size_t i = 0; i < n; i++) {
		const struct spin_budget *rule = NULL;

		for (size_t k = 0; spin->priority && !rule && k < n_budgets; k++)
			if (explains(&budget[k], !spin->throttlings, gap[i].at_ns - since_ns,
				     gap[i].ns))
				rule = &budget[k];
		if (!rule) {
			spin->gaps++;
			spin->lost_ns += gap[i].ns;
			if (gap[i].ns > spin->longest_ns)
				spin->longest_ns = gap[i].ns;
			continue;
		}
		if (!spin->throttlings++) {
			spin->throttling = gap[i];
			spin->rule = *rule;
		}
		spin->throttled_ns += gap[i].ns;
		since_ns = gap[i].at_ns + gap[i].ns;
	}
}

static size_t add_budget(struct spin_budget *list, size_t n, const char *name, int64_t runtime_ns,
			 int64_t period_ns)
{
	if (runtime_ns <= 0 || period_ns <= 0 || runtime_ns >= period_ns)
		return n;
	list[n] = (struct spin_budget){ name, runtime_ns, period_ns };
	return n + 1;
}

size_t spin_budgets(const struct doctor_params *params, struct spin_budget budget[SPIN_BUDGETS])
{
	const json_t *server = json_object_get(params->environment, "fair_server");
	struct budget rule, global = { .runtime_us = 0 };
	int64_t runtime_ns, period_ns;
	size_t n = 0;

	if (budget_throttles(params) && budget_global(params, &global))
		n = add_budget(budget, n, "sched_rt_runtime_us", global.runtime_us * 1000,
			       global.period_us * 1000);
	/* The root group has the same; -1 for all ends those of groups too. */
	if (budget_throttles(params) && global.runtime_us >= 0 && budget_group(params, &rule))
		n = add_budget(budget, n, "the control group's cpu.rt_runtime_us",
			       rule.runtime_us * 1000, rule.period_us * 1000);
	if (budget_fair_server(params) <= 0)
		return n;
	/* Where it cannot be read: what it is unless someone changed it. */
	if (!fact_int(server, "runtime_ns", &runtime_ns) || !fact_int(server, "period_ns",
								      &period_ns)) {
		runtime_ns = 50000000;
		period_ns = NS_PER_SEC;
	}
	return add_budget(budget, n, "the fair server", period_ns - runtime_ns, period_ns);
}
