# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# What the code looks like, and what it may not call.
# Sourced by scripts/check, whose $src, $work and $jobs it uses.

# Licence, columns, and calls that are not made here.
step_style() {
	local files file bad=0

	cd "$src" || return
	mapfile -t files < <(find src tests bench scripts doc .ci -type f \
		\( -name '*.[ch]' -o -name '*.am' -o -name '*.sh' -o -name '*.test' -o -name '*.dict' \
		-o -path 'scripts/*' -o -path '.ci/*' \))
	[ ${#files[@]} -gt 200 ] || return
	for file in configure.ac Makefile.am .clang-tidy "${files[@]}"; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
			{ echo "$file: no SPDX line"; bad=1; }
	done
	mapfile -t files < <(find src tests bench -name '*.[ch]')
	for file in "${files[@]}"; do
		! expand -t 8 "$file" | LC_ALL=C.UTF-8 grep -nE '^.{101,}' ||
			{ echo "$file: more than 100 columns"; bad=1; }
	done
	# No shell with a string from outside: no shell at all.
	! grep -rnE '\b(system|popen|wordexp)\(|"(/[a-z/]*/)?(ba|da|z|k)?sh"' src ||
		{ echo "a shell"; bad=1; }
	! grep -rnE '\b(atoi|atol|atof|gets|strcpy|strcat|sprintf|vsprintf|strtok|tmpnam|tempnam|mktemp)\(' src ||
		{ echo "a function without bounds or errors"; bad=1; }
	# A file that is made is new (a lock need not be), and no link is followed to it.
	! grep -rn 'O_CREAT' src | grep -vE 'O_EXCL.*O_NOFOLLOW|lock = open.*O_NOFOLLOW' || { echo "O_CREAT alone"; bad=1; }
	! grep -rnE '\b(fopen|freopen|gzopen)\([^;]*"[wa]|\bcreat\(' src ||
		{ echo "a file made without O_EXCL"; bad=1; }
	[ $bad = 0 ]
}
