# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Shared by the tests on virtual machines: source it first.
#
#   needs_kernel NAME    skips the test where that package cannot be had
#   lab ARGS...          runs the kernel lab: $rc, $tmp/out, $tmp/err; results go to $tmp/lab
#   guest                the directory of the one guest that lab ran

. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
kernel_lab=$srcdir/scripts/kernel-lab
here_guest=$srcdir/tests/lab
# A virtual machine on a busy computer: no test waits that long unless something hangs.
lab_limit=500

[ -n "${LATENCYTEST_LAB:-}" ] ||
	skip_all "boots virtual machines and fetches kernels: LATENCYTEST_LAB=1 makes it so"
needs qemu-system-x86_64
needs busybox
needs cpio

# A file more in the guest moves all that follows in time, as another build of the program does: a
# test must hold with any.
padding=()
if [ -n "${LATENCYTEST_LAB_PAD:-}" ]; then
	head -c "${LATENCYTEST_LAB_PAD}k" /dev/zero > "$tmp/padding"
	padding=(--add "$tmp/padding")
fi

needs_kernel() {
	local why

	why=$("$kernel_lab" --fetch --kernel "$1" 2>&1) || skip_all "$(echo "$why" | tail -n 1)"
}

# khugepaged looks around each ten seconds and moves 2 MiB of latencytest's own memory into one
# huge page: clearing it (init_on_alloc) and copying into it are 262144 instructions each, a
# millisecond of a guest of 250 million a second, which no wake-up preempts. When depends on all
# that ran before.
lab() {
	rc=0
	rm -rf "$tmp/lab"
	"$kernel_lab" --program "$LATENCYTEST" --output "$tmp/lab" --time-limit "$lab_limit" \
		--append transparent_hugepage=never \
		${padding[@]+"${padding[@]}"} "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null || rc=$?
}

guest() {
	echo "$tmp"/lab/*/
}
