# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2015,SC2154
# One guest from start to end. Sourced by kernel-lab.

qemu=${QEMU:-qemu-system-x86_64}
disk_uuid=6c61746e-6379-7465-7374-6b65726e656c
# Sparse: holds whatever results come.
results_size=256M

# The options that make a guest's time: from its own instructions, or the host's.
time_options() {
	if [ "$mode" = deterministic ]; then
		# One CPU of 250 million instructions a second; where it has nothing to do, time
		# goes to the next timer at once. What else differs from boot to boot: date, random
		# numbers, and a sector that the firmware would read from the results disk, waiting
		# for it in the host's time (-boot strict=on: it reads none).
		# Each byte of a fast string move (erms, fsrm) would count as an instruction, and
		# clearing a page take 16 us: without these the kernel moves eight bytes in each.
		options+=(-accel "tcg,thread=single" -icount "shift=2,sleep=off" -smp 1
			-cpu "max,-rdrand,-rdseed,-erms,-fsrm" -seed 1 -boot strict=on
			-rtc "base=2024-01-01T00:00:00,clock=vm")
		append+=" nokaslr randomize_kstack_offset=off random.trust_cpu=off"
	elif [ "$accelerator" = kvm ]; then
		options+=(-accel kvm -cpu host -smp "$cpus")
	else
		options+=(-accel "tcg,thread=multi" -cpu max -smp "$cpus")
	fi
	append+=" latencytest.lab=$mode"
}

# One disk for tests unless it is made in the guest, one for the results, in this order.
disk_options() {
	case $disk in
	virtio)
		options+=(-drive "if=none,id=test,file=$1,format=raw,cache=unsafe"
			-device "virtio-blk-pci,drive=test,addr=4")
		;;
	sd) options+=(-drive "if=none,id=test,file=$1,format=raw,cache=unsafe"
		-device "sdhci-pci,addr=4" -device "sd-card,drive=test") ;;
	esac
	options+=(-drive "if=none,id=results,file=$2,format=raw,cache=unsafe"
		-device "virtio-blk-pci,drive=results,addr=5")
}

make_disk() {
	truncate -s "$disk_size" "$1" || return 1
	E2FSPROGS_FAKE_TIME=1700000000 mke2fs -q -F -t ext4 -U "$disk_uuid" \
		-E "hash_seed=$disk_uuid,lazy_itable_init=0,lazy_journal_init=0" "$1"
}

fresh_disks() {
	rm -f "$work/results" "$work/test-disk"
	truncate -s "$results_size" "$work/results" || fail "no room for the results disk"
	[ "$disk" = null_blk ] || make_disk "$work/test-disk" || fail "no test disk can be made"
}

# boot CONSOLE RESULTS INITRD APPEND: 0 where the guest turned itself off, or panicked
boot() {
	local console=$1 results=$2 initrd=$3 append options status

	append="console=ttyS0 quiet loglevel=4 panic=-1 oops=panic $4"
	options=(-nodefaults -no-user-config -display none -vga none -no-reboot -machine "pc"
		-m "$guest_memory" -kernel "$kernel_image" -initrd "$initrd" -serial "file:$console")
	time_options
	disk_options "$work/test-disk" "$results"
	# In the background, so that a signal ends both at once.
	timeout -k 10 "$time_limit" "$qemu" "${options[@]}" -append "$append" \
		< /dev/null > "$console.qemu" 2>&1 &
	guest_pid=$!
	wait "$guest_pid" 2> /dev/null
	status=$?
	guest_pid=
	return $status
}

# KVM may be there and still run no guest: only one that came up counts.
kvm_works() {
	local accelerator=kvm time_limit=30

	[ -w /dev/kvm ] || return 1
	say "trying KVM (up to $time_limit s)"
	fresh_disks
	boot "$work/kvm.txt" "$work/results" "$1" "rdinit=/lab/probe" &&
		grep -q 'lab: this guest runs' "$work/kvm.txt"
}

choose_accelerator() {
	case $mode,$accelerator in
	deterministic,*) accelerator=tcg ;;
	realtime,auto)
		accelerator=tcg
		if kvm_works "$1"; then
			accelerator=kvm
		else
			say "KVM runs no guest here: software emulation, which is slow and adds its own noise"
		fi
		;;
	realtime,kvm) kvm_works "$1" || fail "--accel kvm: no guest comes up on it here" ;;
	esac
}
