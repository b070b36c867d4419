/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps of CLOCK_REALTIME and suspends of the machine, on clocks that the test sets. */
#include "unit.h"

#include "system/clock.h"
#include "system/clock_watch.h"

#define SEC NS_PER_SEC
#define MS 1000000LL

static int64_t monotonic_ns, real_ns, boot_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *ts);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ts)
{
	int64_t ns = boot_ns;

	if (clock == CLOCK_MONOTONIC)
		ns = monotonic_ns;
	else if (clock == CLOCK_REALTIME)
		ns = real_ns;
	*ts = (struct timespec){ .tv_sec = ns / SEC, .tv_nsec = ns % SEC };
	return 0;
}

static void set_clocks(struct clock_watch *watch)
{
	monotonic_ns = 1000 * SEC;
	boot_ns = 1500 * SEC;
	real_ns = 1700000000 * SEC;
	clock_watch_start(watch);
}

/* Time goes by; CLOCK_REALTIME and CLOCK_BOOTTIME by so much more. */
static void pass(struct clock_watch *watch, int64_t ns, int64_t real_more_ns, int64_t boot_more_ns)
{
	monotonic_ns += ns;
	real_ns += ns + real_more_ns;
	boot_ns += ns + boot_more_ns;
	clock_watch_look(watch);
}

static void time_alone_is_nothing(void **state)
{
	struct clock_watch watch;

	(void)state;
	set_clocks(&watch);
	for (int i = 0; i < 1000; i++)
		pass(&watch, 250 * MS, 0, 0);
	assert_int_equal(watch.steps, 0);
	assert_int_equal(watch.suspended_ns, 0);
	assert_int_equal(watch.looked_ns - watch.start_ns, 250 * SEC);
}

static void slewing_is_no_step(void **state)
{
	struct clock_watch watch;

	(void)state;
	set_clocks(&watch);
	/* A day of 500 ppm, which is 43 s. */
	for (int i = 0; i < 4 * 86400; i++)
		pass(&watch, 250 * MS, 125000, 0);
	/* Also where nobody looked for an hour. */
	pass(&watch, 3600 * SEC, 1800 * MS, 0);
	assert_int_equal(watch.steps, 0);
	assert_int_equal(watch.stepped_ns, 0);
}

static void steps_are_counted_and_added_up(void **state)
{
	struct clock_watch watch;

	(void)state;
	set_clocks(&watch);
	pass(&watch, 250 * MS, -86400 * SEC, 0);
	pass(&watch, 250 * MS, 0, 0);
	assert_int_equal(watch.steps, 1);
	assert_int_equal(watch.stepped_ns, -86400 * SEC);
	pass(&watch, 250 * MS, 150 * MS, 0);
	assert_int_equal(watch.steps, 2);
	assert_int_equal(watch.stepped_ns, -86400 * SEC + 150 * MS);
}

static void a_suspend_is_no_step(void **state)
{
	struct clock_watch watch;

	(void)state;
	set_clocks(&watch);
	pass(&watch, 250 * MS, 3600 * SEC, 3600 * SEC);
	assert_int_equal(watch.suspended_ns, 3600 * SEC);
	assert_int_equal(watch.steps, 0);
	/* Again, where CLOCK_REALTIME was set anew from a clock of whole seconds. */
	pass(&watch, 250 * MS, 61 * SEC, 60 * SEC);
	assert_int_equal(watch.suspended_ns, 3660 * SEC);
	assert_int_equal(watch.steps, 0);
	/* But a day beside it is a step. */
	pass(&watch, 250 * MS, 60 * SEC + 86400 * SEC, 60 * SEC);
	assert_int_equal(watch.suspended_ns, 3720 * SEC);
	assert_int_equal(watch.steps, 1);
	assert_int_equal(watch.stepped_ns, 86400 * SEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_alone_is_nothing),
		cmocka_unit_test(slewing_is_no_step),
		cmocka_unit_test(steps_are_counted_and_added_up),
		cmocka_unit_test(a_suspend_is_no_step),
	};

	return unit_run(tests);
}
