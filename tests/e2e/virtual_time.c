/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linked into latencytest-test only: a source `test` in virtual time, so that a day passes in
 * seconds, with wake-ups whose lateness is known. While it ticks, CLOCK_MONOTONIC stands still but
 * for the source's wait(), which sets it to the next wake-up; the recorder and the main thread
 * sleep in virtual time as well, and are run, and waited for, whenever their time has come: so the
 * ring is emptied every quarter of a virtual second, as in real time, and results are the same
 * each time. The other clocks go along. Best with --policy other, which disturbs nobody.
 *
 * Cycles of one tick j >= 1 are due at floor(j * 10^9 / rate) and wake
 *   5 1/4 periods late where j is a multiple of 100003: 5 cycles are missed,
 *   else 500 us late where it is one of 500, 50 us late where it is one of 50, else 5 us late.
 *
 * $LATENCYTEST_SUSPEND="AT S": AT seconds after the start CLOCK_BOOTTIME jumps by S seconds.
 * $LATENCYTEST_STEP="AT S": the same with CLOCK_REALTIME.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/grid.h"
#include "measure/source.h"
#include "rtc/kernel_sources.h"
#include "system/clock.h"

/* The main thread wakes also when nothing happens in virtual time: the source may have ended. */
#define REAL_PATIENCE_NS (20 * 1000000LL)
#define STALL_TICKS 100003

int __real_clock_gettime(clockid_t clock, struct timespec *ts);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ts);
int __real_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until);
int __real_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);

/* Somebody who sleeps until a virtual time, and how he is woken. */
struct sleeper {
	bool asleep;
	int64_t until_ns;
	pthread_cond_t *cond;
	pthread_mutex_t *mutex;
};

static _Atomic bool ticking;      /* time is virtual now */
static _Atomic int64_t now_ns;    /* CLOCK_MONOTONIC while it is */
static _Atomic int64_t offset_ns; /* virtual - real CLOCK_MONOTONIC while it is not */
static int64_t next_ns;           /* nobody has to be woken before; the measuring thread's */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for the sleepers */
static pthread_cond_t fell_asleep = PTHREAD_COND_INITIALIZER;
static struct sleeper recorder, watcher;
static pthread_cond_t watcher_cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t watcher_mutex = PTHREAD_MUTEX_INITIALIZER;

static int64_t start_ns, suspend_at_s, suspend_s, step_at_s, step_s;

static int64_t to_ns(const struct timespec *ts)
{
	return ts->tv_sec * NS_PER_SEC + ts->tv_nsec;
}

static struct timespec to_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_PER_SEC, .tv_nsec = ns % NS_PER_SEC };
}

static int64_t real_now_ns(void)
{
	struct timespec ts;

	__real_clock_gettime(CLOCK_MONOTONIC, &ts);
	return to_ns(&ts);
}

/* ---- clocks ---- */

/* What a clock has jumped by so far. */
static int64_t jumped_ns(clockid_t clock, int64_t monotonic_ns)
{
	int64_t after_ns = monotonic_ns - start_ns, jump = 0;

	/* Real time goes on in a suspend. */
	if (suspend_s && after_ns >= suspend_at_s * NS_PER_SEC)
		jump += suspend_s * NS_PER_SEC;
	if (clock == CLOCK_REALTIME && step_s && after_ns >= step_at_s * NS_PER_SEC)
		jump += step_s * NS_PER_SEC;
	return jump;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *ts)
{
	int64_t real, virtual;
	int ret;

	if (clock == CLOCK_MONOTONIC && atomic_load_explicit(&ticking, memory_order_acquire)) {
		*ts = to_timespec(atomic_load_explicit(&now_ns, memory_order_relaxed));
		return 0;
	}
	ret = __real_clock_gettime(clock, ts);
	if (ret || (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME))
		return ret;
	real = real_now_ns();
	virtual = atomic_load(&ticking) ? atomic_load(&now_ns) : real + atomic_load(&offset_ns);
	*ts = to_timespec(to_ns(ts) + virtual - real +
			  (clock == CLOCK_MONOTONIC ? 0 : jumped_ns(clock, virtual)));
	return 0;
}

/* ---- sleeping ---- */

static void fall_asleep(struct sleeper *sleeper, int64_t until_ns, pthread_cond_t *cond,
			pthread_mutex_t *mutex)
{
	pthread_mutex_lock(&lock);
	*sleeper = (struct sleeper){ true, until_ns, cond, mutex };
	pthread_cond_signal(&fell_asleep);
	pthread_mutex_unlock(&lock);
}

static void wake_up(struct sleeper *sleeper)
{
	pthread_mutex_lock(&lock);
	sleeper->asleep = false;
	pthread_mutex_unlock(&lock);
}

/* The recorder's: the only one in the program. The caller holds the mutex. */
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *until)
{
	if (!atomic_load(&ticking)) {
		struct timespec real = to_timespec(to_ns(until) - atomic_load(&offset_ns));

		return __real_pthread_cond_timedwait(cond, mutex, &real);
	}
	fall_asleep(&recorder, to_ns(until), cond, mutex);
	pthread_cond_wait(cond, mutex);
	wake_up(&recorder);
	return atomic_load(&now_ns) >= to_ns(until) ? ETIMEDOUT : 0;
}

/* The main thread's. */
int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	const struct timespec at_once = { 0 };
	struct timespec patience;
	int sig;

	if (!atomic_load(&ticking) || !to_ns(timeout))
		return __real_sigtimedwait(set, info, timeout);
	sig = __real_sigtimedwait(set, info, &at_once);
	if (sig > 0)
		return sig;
	__real_clock_gettime(CLOCK_REALTIME, &patience);
	patience = to_timespec(to_ns(&patience) + REAL_PATIENCE_NS);
	pthread_mutex_lock(&watcher_mutex);
	fall_asleep(&watcher, atomic_load(&now_ns) + to_ns(timeout), &watcher_cond, &watcher_mutex);
	__real_pthread_cond_timedwait(&watcher_cond, &watcher_mutex, &patience);
	wake_up(&watcher);
	pthread_mutex_unlock(&watcher_mutex);
	return __real_sigtimedwait(set, info, &at_once);
}

/* Waits until both sleep; returns the one to be woken first. The lock is held. */
static struct sleeper *first_sleeper(void)
{
	while (!recorder.asleep || !watcher.asleep)
		pthread_cond_wait(&fell_asleep, &lock);
	return recorder.until_ns <= watcher.until_ns ? &recorder : &watcher;
}

/* Lets the time pass, on the measuring thread. */
static void pass_until(int64_t then_ns)
{
	while (then_ns >= next_ns) {
		struct sleeper *first;
		struct sleeper found;

		pthread_mutex_lock(&lock);
		first = first_sleeper();
		next_ns = first->until_ns;
		if (next_ns > then_ns) {
			pthread_mutex_unlock(&lock);
			break;
		}
		first->asleep = false;
		found = *first;
		if (next_ns > atomic_load(&now_ns))
			atomic_store(&now_ns, next_ns);
		pthread_mutex_unlock(&lock);
		/* Whoever fell asleep holds his mutex until he really waits. */
		pthread_mutex_lock(found.mutex);
		pthread_cond_signal(found.cond);
		pthread_mutex_unlock(found.mutex);
	}
	atomic_store_explicit(&now_ns, then_ns, memory_order_relaxed);
}

/* ---- the source ---- */

struct test_state {
	int64_t t0_ns;
	uint64_t tick;
	uint32_t rate_hz;
};

static int test_open(void *state, const struct source_params *params, struct fault *fault)
{
	struct test_state *test = state;

	(void)fault;
	test->rate_hz = params->rate_hz;
	return 0;
}

static void test_granted(const void *state, struct source_grant *grant)
{
	const struct test_state *test = state;

	*grant = (struct source_grant){ .rate_hz = test->rate_hz, .ticks_per_wait = 1 };
	snprintf(grant->note, sizeof(grant->note),
		 "VIRTUAL TIME of the test program: made-up wake-ups, nothing was measured");
}

static int test_start(void *state, int64_t *t0_ns, struct fault *fault)
{
	struct test_state *test = state;

	(void)fault;
	test->tick = 0;
	recorder.asleep = watcher.asleep = false;
	next_ns = 0;
	*t0_ns = test->t0_ns = clock_now_ns();
	atomic_store(&now_ns, test->t0_ns);
	atomic_store(&ticking, true);
	return 0;
}

/* Real time goes on from where virtual time has come to. */
static void test_stop(void *state)
{
	(void)state;
	atomic_store(&offset_ns, atomic_load(&now_ns) - real_now_ns());
	atomic_store(&ticking, false);
	/* The recorder may still sleep by virtual time: to be stopped, it is signalled. */
}

static void test_close(void *state)
{
	(void)state;
}

static int64_t lateness_ns(uint64_t tick, uint32_t rate_hz)
{
	if (tick % STALL_TICKS == 0)
		return 21 * NS_PER_SEC / rate_hz / 4;
	if (tick % 50)
		return 5000;
	return tick % 500 ? 50000 : 500000;
}

static int test_wait(void *state, struct wake *wake)
{
	struct test_state *test = state;
	uint64_t next = test->tick + 1;

	wake->now_ns = test->t0_ns + grid_due_ns(next, test->rate_hz) +
		       lateness_ns(next, test->rate_hz);
	pass_until(wake->now_ns);
	wake->ticks = grid_ticks_at(wake->now_ns - test->t0_ns, test->rate_hz) - test->tick;
	wake->lateness_ns = LATENESS_UNKNOWN;
	wake->xruns = 0;
	test->tick += wake->ticks;
	return 0;
}

static const struct source_ops source_test = {
	.name = "test",
	.summary = "virtual time: made-up wake-ups (this test program only)",
	.state_bytes = sizeof(struct test_state),
	.lateness = LATENESS_EXACT,
	.any_rate = true,
	.min_hz = 1,
	.max_hz = TIMER_MAX_HZ,
	.open = test_open,
	.start = test_start,
	.stop = test_stop,
	.close = test_close,
	.wait = test_wait,
	.granted = test_granted,
};

/* In place of the program's own table. */
const struct source_ops *const sources[] = { &source_rtc, &source_timer, &source_test, NULL };

const struct source_ops *source_find(const char *name)
{
	for (size_t i = 0; sources[i]; i++)
		if (!strcmp(sources[i]->name, name))
			return sources[i];
	return NULL;
}

static void read_jump(const char *variable, int64_t *at_s, int64_t *jump_s)
{
	const char *text = getenv(variable);
	long long at, jump;

	if (!text)
		return;
	if (sscanf(text, "%lld %lld", &at, &jump) != 2) {
		fprintf(stderr, "$%s: valid is \"AT SECONDS\"\n", variable);
		exit(EXIT_FAILURE);
	}
	*at_s = at;
	*jump_s = jump;
}

__attribute__((constructor)) static void set_up(void)
{
	start_ns = real_now_ns();
	read_jump("LATENCYTEST_SUSPEND", &suspend_at_s, &suspend_s);
	read_jump("LATENCYTEST_STEP", &step_at_s, &step_s);
}
