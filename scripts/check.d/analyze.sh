# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Static analysis.
# Sourced by scripts/check, whose $src, $work and $jobs it uses.

# What clang-tidy gives the compiler: as make would have it, a word a line.
tidy_flags() {
	printf '%s\n' -std=gnu11 -DHAVE_CONFIG_H -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 "-I$dir" "-I$src/src"
	pkg-config --cflags jansson zlib cairo x11 xext alsa | tr ' ' '\n'
}

run_cppcheck() {
	cppcheck -j "$jobs" --quiet --std=c11 --enable=warning,performance,portability \
		--error-exitcode=1 --inline-suppr --include="$(pkg-config --variable=includedir jansson)/jansson.h" \
		-DHAVE_CONFIG_H -D_GNU_SOURCE "-D_Noreturn=__attribute__((noreturn))" "-I$dir" "-I$src/src" "$@"
}

# Some files a call, or reading the headers takes longer than all the rest.
run_clang_tidy() {
	printf '%s\0' "$@" | xargs -0 -P "$jobs" -n 6 clang-tidy --quiet -p "$dir"
}

# Three programs that read the code. Each has to find a mistake that is put before it first.
step_analyze() {
	local dir=$work/analyze sources

	mkdir -p "$dir" && cd "$dir" && "$src/configure" -q || return
	tidy_flags > compile_flags.txt && cp "$src/.clang-tidy" . &&
		printf 'int f(int n);\nint f(int n) { int a[2] = { n, n }; int *p = 0; return n ? a[2] : *p; }\n' > wrong.c &&
		! run_cppcheck wrong.c && ! run_clang_tidy "$dir/wrong.c" &&
		! gcc -fanalyzer -Werror -c -o wrong.o wrong.c || return
	mapfile -t sources < <(find "$src/src" -name '*.c')
	[ ${#sources[@]} -gt 100 ] || return
	echo "---- cppcheck at $SECONDS s" && run_cppcheck "${sources[@]}" || return
	# Where a pointer goes into an array that grew by realloc, gcc 12 takes it for lost.
	echo "---- gcc -fanalyzer at $SECONDS s" && make -j "$jobs" \
		CFLAGS="-g -O2 -fanalyzer -Wno-analyzer-malloc-leak -Werror" liblatencytest.a latencytest || return
	echo "---- clang-tidy at $SECONDS s" && run_clang_tidy "${sources[@]}" && echo "---- done at $SECONDS s"
}
