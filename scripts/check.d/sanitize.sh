# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Tests under the sanitizers of addresses, of undefined behaviour, of threads. Sourced by scripts/check, whose $src, $work and $jobs it uses.

# No report of a sanitizer, whatever became of the process that made it.
no_reports() {
	local reports

	reports=$(find . -maxdepth 1 -name 'report.*')
	[ -z "$reports" ] || { cat report.*; return 1; }
}

# All unit tests, hostile input, and a run with all that is made of it, where a wrong access or a
# leak is an error. That the measuring thread has page faults is the sanitizer's doing: exit 1.
step_sanitize() {
	local dir=$work/sanitize cflags="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	local units=()

	mkdir -p "$dir" && cd "$dir" && "$src/configure" -q CC=clang &&
		make -j "$jobs" CFLAGS="$cflags" && make -j "$jobs" CFLAGS="$cflags" check TESTS= || return
	export ASAN_OPTIONS=log_path=$dir/report:exitcode=99 UBSAN_OPTIONS=log_path=$dir/report:print_stacktrace=1
	export LSAN_OPTIONS=suppressions=$src/tests/leaks.supp:print_suppressions=0
	mapfile -t units < <(find tests/unit -maxdepth 1 -type f -name 'test_*' ! -name '*.*')
	[ ${#units[@]} -gt 20 ] &&
		make -j "$jobs" CFLAGS="$cflags" check TESTS="${units[*]} tests/e2e/hostile.test" && no_reports || return
	./latencytest --policy other --load 0.2 --stress none,proc,diskcopy --file-size 1M --duration 1 --warmup 0 --output run
	[ $? -le 1 ] && jq -e '.status == "complete" and all(.phases[]; .threads[0].cycles > 100)' run/run.json &&
		./latencytest report run && ./latencytest report --samples-csv run > /dev/null &&
		./latencytest compare --force --format html run "$src/tests/data/lab-preempt-full" > /dev/null &&
		./latencytest import --output imported "$src"/tests/data/postings/latencytest-0.5.2-*.txt &&
		./latencytest list && no_reports
}

# Ring, loop, recorder and sample file with real threads, and a whole run, where two threads that
# come at the same memory without order are an error.
step_threads() {
	local dir=$work/threads cflags="-g -O1 -fno-omit-frame-pointer -fsanitize=thread" test
	local units=(tests/unit/test_ring tests/unit/test_recorder tests/unit/test_loop tests/unit/test_sample
		tests/unit/test_evaluate)

	mkdir -p "$dir" && cd "$dir" && "$src/configure" -q CC=clang &&
		make -j "$jobs" CFLAGS="$cflags" latencytest "${units[@]}" || return
	export TSAN_OPTIONS=log_path=$dir/report:exitcode=99
	for test in "${units[@]}"; do
		srcdir=$src "$test" && no_reports || return
	done
	./latencytest --policy other --load 0.2 --stress none,proc --duration 2 --warmup 0 --output run
	[ $? -le 1 ] && jq -e '.status == "complete" and all(.phases[]; .threads[0].cycles > 100)' run/run.json &&
		./latencytest report run && no_reports
}
