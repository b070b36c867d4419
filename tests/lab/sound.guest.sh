#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of the sound tests in the guest: load MODULE [PARAMETER...], and
# measure NAME OPTION..., which leaves NAME's result directory, .out, .err and .rc.
export ALSA_CONFIG_PATH=/bin/alsa.conf

load() {
	module=$1
	shift
	while read -r file parameters; do
		[ ! -e "/lab/loaded/$file" ] || continue
		[ "$file" != "$module.ko" ] || parameters="$parameters $*"
		# shellcheck disable=SC2086
		insmod "/bin/$file" $parameters || return 1
		: > "/lab/loaded/$file"
	done < "/bin/$module.list"
}

measure() {
	name=$1
	shift
	latencytest --output "/results/$name" --stress none --warmup 0.2 "$@" > "$name.out" 2> "$name.err"
	echo $? > "$name.rc"
}
