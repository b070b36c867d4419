# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2015,SC2154
# What a guest boots into. Sourced by kernel-lab. Three archives, which the kernel unpacks one after
# the other: the programs, the modules of one kernel, the job of one boot.

# pack DIR FILE: the same tree makes the same bytes, for the guest runs them in virtual time.
pack() {
	find "$1" -exec touch -hd @1700000000 {} +
	(cd "$1" && find . -print0 | LC_ALL=C sort -z |
		cpio -0 -o -H newc -R 0:0 --reproducible --quiet) > "$2"
}

# add_program FILE DIR [NAME]: with the shared libraries that it names
add_program() {
	local library name=${3:-$(basename "$1")}

	rm -f "$2/bin/$name"
	install -D -m 755 "$1" "$2/bin/$name" || return 1
	for library in $(ldd "$1" 2> /dev/null | grep -o '/[^ ]*'); do
		[ -e "$2$library" ] || install -D -m 755 "$library" "$2$library"
	done
}

# build_programs FILE MAIN_PROGRAM PROGRAM...: the first is latencytest, whatever its file is called
build_programs() {
	local file=$1 main_program=$2 dir=$work/programs program applet busybox

	shift 2
	mkdir -p "$dir"/{bin,dev,proc,sys,tmp,etc,lab,mnt,results}
	busybox=$(command -v busybox)
	! ldd "$busybox" > /dev/null 2>&1 || fail "$busybox is not static: install busybox-static"
	install -m 755 "$busybox" "$dir/bin/busybox"
	for applet in $("$busybox" --list); do
		[ -e "$dir/bin/$applet" ] || ln -s busybox "$dir/bin/$applet"
	done
	add_program "$main_program" "$dir" latencytest || fail "$main_program cannot be copied"
	for program; do
		add_program "$program" "$dir" || fail "$program cannot be copied"
	done
	install -m 755 "$lab/init" "$dir/init"
	printf '#!/bin/sh\necho "lab: this guest runs"\npoweroff -f\n' > "$dir/lab/probe"
	chmod 755 "$dir/lab/probe"
	echo 'root:x:0:0::/:/bin/sh
nobody:x:65534:65534::/:/bin/sh' > "$dir/etc/passwd"
	echo 'root:x:0:
nogroup:x:65534:' > "$dir/etc/group"
	[ ! -r /etc/os-release ] || cp /etc/os-release "$dir/etc/os-release"
	pack "$dir" "$file"
}

# The modules that a guest may want. The first list it cannot do without; one that is built in, or
# that this kernel does not have, is no fault.
guest_modules="virtio_pci virtio_blk ext4"
optional_modules="null_blk sdhci-pci mmc_block mq-deadline bfq kyber-iosched crc32c_generic
	snd-dummy snd-aloop"

# Lines "insmod FILE", dependencies first. A host's own blacklist has no say here.
module_files() {
	modprobe -C /dev/null -d "$kernel_root" -S "$kernel_release" --show-depends "$1" 2> /dev/null
}

unpack_module() {
	case $1 in
	*.xz) xz -dc "$1" > "$2" ;;
	*.zst) zstd -qdc "$1" > "$2" ;;
	*.gz) gzip -dc "$1" > "$2" ;;
	*) cp "$1" "$2" ;;
	esac
}

add_module() {
	local name=$1 dir=$2 word path parameters plain

	# For each module a list of its own, so that the guest loads what the job needs, when it does.
	module_files "$name" > "$work/insmod" || return 1
	while read -r word path parameters; do
		[ "$word" = insmod ] || continue
		plain=$(basename "$path" | sed 's/\.ko\..*/.ko/')
		[ -e "$dir/modules/$plain" ] || unpack_module "$path" "$dir/modules/$plain" || return 1
		echo "$plain $parameters"
	done < "$work/insmod" > "$dir/modules/$name.list"
}

# build_modules FILE
build_modules() {
	local dir=$work/modules-$kernel_release module

	rm -rf "$dir"
	mkdir -p "$dir/modules"
	for module in $guest_modules; do
		add_module "$module" "$dir" || fail "module $module cannot be found in $kernel_root"
	done
	for module in $optional_modules; do
		add_module "$module" "$dir" || rm -f "$dir/modules/$module.list"
	done
	pack "$dir" "$1"
}

# build_job FILE SETTING...: NAME=VALUE for the guest's init, and the script that it runs
build_job() {
	local file=$1 dir=$work/job

	shift
	rm -rf "$dir"
	mkdir -p "$dir/lab"
	printf '%s\n' "$@" > "$dir/lab/settings"
	install -m 755 "$work/script" "$dir/lab/script"
	pack "$dir" "$file"
}
