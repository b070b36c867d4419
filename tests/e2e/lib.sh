# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Shared by the end-to-end tests: source it first. It runs in the top build directory, takes the
# program from there ($LATENCYTEST names another), and prints TAP.
#
#   needs_fifo, needs_xvfb, needs_root, needs TOOL   skip the whole test where that is missing
#   run ARGS...          runs the program to its end: $rc, $tmp/out, $tmp/err
#   start ARGS...        starts it in the background: $pid; finish waits for its end: $rc
#   check NAME COMMAND.. one test; is NAME GOT WANTED; json NAME FILTER [FILE] (of $result/run.json)
#   fits NAME SCHEMA FILE...   one test: JSON is as a schema of doc/ says
#   skip NAME REASON     one test that cannot be made here
#   done_testing         the last line

set -u
export LC_ALL=C
LATENCYTEST=${LATENCYTEST:-$PWD/latencytest}
here=$(cd "$(dirname "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
tools=$PWD/tests/e2e

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -z "${LATENCYTEST_QUICK:-}" ] || skip_all "LATENCYTEST_QUICK is set"

# Two of these at once would disturb each other's measuring: one at a time, also under make -j.
if [ -z "${E2E_LOCKED:-}" ]; then
	command -v flock > /dev/null || skip_all "flock (util-linux) is missing"
	E2E_LOCKED=1 exec flock -o -w 1200 "$PWD" bash "$0" "$@"
fi

tests=0
pid=
rc=
E2E_TMP=${E2E_TMP:-$PWD}
tmp=$(mktemp -d "$E2E_TMP/e2e.XXXXXX") || exit 99
result=$tmp/result

clean_up() {
	[ -z "$pid" ] || kill -CONT "$pid" 2> /dev/null
	[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null
	# What a test sets up besides.
	! declare -F clean_up_more > /dev/null || clean_up_more
	chmod -R u+rwX "$tmp" 2> /dev/null
	rm -rf "$tmp"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

needs() {
	command -v "$1" > /dev/null || skip_all "$1 is missing"
}

needs_fifo() {
	local why

	needs chrt
	why=$(chrt -f 99 true 2>&1) || skip_all "SCHED_FIFO cannot be had here ($why)"
}

needs_xvfb() {
	needs Xvfb
	"$LATENCYTEST" list | grep -q 'x11' || skip_all "no x11 stressor"
}

needs_root() {
	[ "$(id -u)" = 0 ] || skip_all "needs root"
}

needs jq
needs timeout

diagnose() {
	printf '%s\n' "$*" | sed 's/^/#   /'
	for file in out err; do
		[ ! -s "$tmp/$file" ] || { echo "#   std$file:"; tail -n 6 "$tmp/$file" | sed 's/^/#     /'; }
	done
	[ ! -s "$result/run.json" ] ||
		jq -c '[.status, (.phases[] | [.name, .status, .reasons])]' "$result/run.json" | sed 's/^/#     /'
}

check() {
	local name=$1

	shift
	tests=$((tests + 1))
	if "$@" > "$tmp/check" 2>&1; then
		echo "ok $tests - $name"
	else
		echo "not ok $tests - $name"
		diagnose "failed: $*
$(head -n 20 "$tmp/check")"
	fi
}

is() {
	tests=$((tests + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		diagnose "got '$2', wanted '$3'"
	fi
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

json() {
	check "$1" jq -e "$2" "${3:-$result/run.json}"
}

validate() {
	/usr/bin/python3 - "$@" <<- 'END'
		import json, jsonschema, sys
		schema = json.load(open(sys.argv[1]))
		jsonschema.Draft7Validator.check_schema(schema)
		for name in sys.argv[2:]:
		    jsonschema.validate(json.load(open(name)), schema, jsonschema.Draft7Validator)
	END
}

fits() {
	local name=$1 schema=$2

	shift 2
	if /usr/bin/python3 -c 'import jsonschema' 2> /dev/null; then
		check "$name" validate "$srcdir/doc/$schema" "$@"
	else
		skip "$name" "python3-jsonschema is missing"
	fi
}

# A number out of run.json.
get() {
	jq -r "$1" "$result/run.json"
}

# Compares numbers, also broken ones: holds 'a >= 2 * b' a 7 b 3
holds() {
	local expression=$1

	shift
	jq -en --argjson "$1" "${2:-null}" --argjson "${3:-unused}" "${4:-null}" \
		--argjson "${5:-unused2}" "${6:-null}" "$expression"
}

one_line() {
	[ "$(wc -l < "$1")" = 1 ]
}

run() {
	rc=0
	timeout -k 5 "${LIMIT:-100}" "$LATENCYTEST" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null || rc=$?
}

start() {
	# With job control, or SIGINT would be ignored in it.
	set -m
	"$LATENCYTEST" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null &
	pid=$!
	set +m
}

# Waits up to 60 s for a command to succeed.
until_true() {
	local tries=3000

	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 0.02
	done
}

gone() {
	local pids=$* p

	for p in $pids; do
		# A zombie has ended, its parent only has not asked yet.
		if [ -e "/proc/$p" ] && ! grep -q '^State:[[:space:]]*Z' "/proc/$p/status" 2> /dev/null; then
			return 1
		fi
	done
}

# Waits for the end of what start started.
finish() {
	rc=0
	if ! until_true gone "$pid"; then
		echo "# process $pid did not end"
		kill -KILL "$pid"
	fi
	wait "$pid" 2> /dev/null || rc=$?
	pid=
}

# All processes below the one given.
descendants() {
	local child

	for child in $(pgrep -P "$1"); do
		echo "$child"
		descendants "$child"
	done
}

x_locks() {
	find /tmp -maxdepth 1 -name '.X*-lock' 2> /dev/null | sort
}

# The last CPU this process may use: the first one has most of a machine's interrupts.
last_cpu() {
	sed -n 's/^Cpus_allowed_list:.*[^0-9]\([0-9]*\)$/\1/p' /proc/self/status
}

done_testing() {
	echo "1..$tests"
	# The lines tell what failed; a status besides would count as one more error.
	exit 0
}
