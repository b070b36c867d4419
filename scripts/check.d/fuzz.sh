# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# The fuzz targets.
# Sourced by scripts/check, whose $src, $work and $jobs it uses.

# The seeds are the beginnings of real files, and a few command lines.
fuzz_seeds() {
	local file name

	mkdir -p samples mails options results || return
	for file in "$src"/tests/data/lab-*/*.samples; do
		name=$(basename "$(dirname "$file")")-$(basename "$file")
		head -c 3000 "$file" > "samples/$name" || return
	done
	for file in "$src"/tests/data/postings/*.txt; do
		tail -n +20 "$file" | head -c 3000 > "mails/$(basename "$file")" || return
	done
	for file in "$src"/tests/data/lab-*; do
		{
			jq -c '.phases |= (.[:2] | .[0].name = "none" | .[1].name = "proc")' "$file/run.json" &&
				printf '\0' && head -c 3000 "$file/proc.samples"
		} > "results/$(basename "$file")" || return
	done
	jq -c . "$src/tests/data/compare/run-01.json" > results/small &&
		printf 'run\0--load\0000.5\0--source\0timer\0--rtc\00050000\0--wakeups=64\0--stress\0none,proc' > options/run &&
		printf -- '--source=pcm\0--device=hw:0\0--period-frames=64\0--periods=3\0--duplex\0--tone=440' > options/pcm &&
		printf 'compare\0--format=json\0--force\0a=b,c\0d' > options/compare &&
		printf 'import\0--output=x\0--kernel\0002.6\0-\0f' > options/import &&
		printf 'sweep\0--elevator=cfq,none\0--runs\0004\0--device=vda\0--\0--load=0.5' > options/sweep &&
		printf 'doctor\0--load\0000.9\0--priority=85\0--cpu=1\0--no-spin\0--json' > options/doctor &&
		printf 'report\0--csv\0--output\0x\0d' > options/report
}

# Any bytes, 20 s each, as sample files, mails, command lines, result directories.
step_fuzz() {
	local dir=$work/fuzz dictionaries=$src/tests/fuzz

	mkdir -p "$dir" && cd "$dir" && fuzz_seeds && "$src/configure" -q CC=clang && make -j "$jobs" \
		CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" fuzz-targets &&
		tests/fuzz/fuzz_samples -max_total_time=20 -max_len=4096 samples &&
		tests/fuzz/fuzz_import -max_total_time=20 -max_len=4096 -dict="$dictionaries/import.dict" mails &&
		tests/fuzz/fuzz_options -max_total_time=20 -max_len=512 -close_fd_mask=3 \
			-dict="$dictionaries/options.dict" options &&
		tests/fuzz/fuzz_result -max_total_time=20 -max_len=16384 -close_fd_mask=1 \
			-dict="$dictionaries/result.dict" results
}
