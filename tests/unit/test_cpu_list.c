/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system/cpu_list.h"
#include "unit.h"

/* The CPUs of the list one after the other, as text. */
static void expect(const char *list, const char *cpus)
{
	char got[200] = "";

	for (int cpu = -1; (cpu = cpu_list_next(list, cpu)) >= 0 && strlen(got) < 180;) {
		size_t used = strlen(got);

		snprintf(got + used, sizeof(got) - used, "%s%d", used ? " " : "", cpu);
		assert_case(cpu_list_has(list, cpu), "%s has %d", list, cpu);
	}
	assert_case(!strcmp(got, cpus), "%s: %s", list, got);
}

static void lists_as_the_kernel_writes_them(void **state)
{
	(void)state;
	expect("0", "0");
	expect("0-3", "0 1 2 3");
	expect("0-1,8,10-11", "0 1 8 10 11");
	expect("4-5,1", "1 4 5");
	expect("", "");
	assert_false(cpu_list_has("0-3,8", 4));
	assert_false(cpu_list_has("0-3,8", 7));
	assert_false(cpu_list_has("0-3,8", -1));
	assert_false(cpu_list_has("10", 1));
}

static void damaged_lists_end(void **state)
{
	(void)state;
	expect("x", "");
	expect("-5", "");
	expect("3-1", "");
	expect("0,x,7", "0");
	expect("0-999999999", "");
	expect("99999999999999999999", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_as_the_kernel_writes_them),
		cmocka_unit_test(damaged_lists_end),
	};

	return unit_run(tests);
}
