# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2015,SC2034,SC2154
# Where a kernel of the lab comes from. Sourced by kernel-lab.
#
#   resolve_kernel SPEC   IMAGE, IMAGE:MODULESDIR or the name of a Debian package; sets
#                         $kernel_image, $kernel_release, $kernel_root (lib/modules/RELEASE lies
#                         below it) and $kernel_models ("" where preempt= does nothing)

cache=${LATENCYTEST_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/latencytest-lab}

# Every kernel image for x86 holds its version string; its offset stands at 0x20e.
image_release() {
	local offset

	[ "$(od -An -c -j 514 -N 4 "$1" 2> /dev/null | tr -d ' ')" = HdrS ] || return 1
	offset=$(od -An -tu2 -j 526 -N 2 "$1" | tr -d ' ')
	dd if="$1" bs=1 skip=$((offset + 512)) count=128 status=none | tr '\0' '\n' |
		head -n 1 | cut -d ' ' -f 1
}

# A kernel that cannot change its model at boot is booted once, whatever --preempt says.
models_of() {
	if [ ! -r "$1" ] || grep -q '^CONFIG_PREEMPT_DYNAMIC=y' "$1"; then
		kernel_models=yes
	else
		kernel_models=
	fi
}

resolve_image() {
	local image=${1%%:*} modules=

	[ "$image" = "$1" ] || modules=${1#*:}
	kernel_release=$(image_release "$image") && [ -n "$kernel_release" ] ||
		fail "$image is no kernel image for x86 (bzImage)"
	kernel_image=$image
	# As a distribution lays them out: boot/vmlinuz-RELEASE beside lib/modules/RELEASE.
	[ -n "$modules" ] || modules=$(dirname "$(realpath "$image")")/../lib/modules/$kernel_release
	[ -e "$modules/modules.dep" ] ||
		fail "no modules.dep in $modules: name the modules of $image as IMAGE:MODULESDIR"
	kernel_root=$work/root-$kernel_release
	mkdir -p "$kernel_root/lib/modules"
	ln -sfn "$(realpath "$modules")" "$kernel_root/lib/modules/$kernel_release"
	models_of "$(dirname "$image")/config-$kernel_release"
}

# linux-image-amd64 holds no kernel: it depends on the package that does.
real_package() {
	case $1 in
	linux-image-[0-9]*) echo "$1" ;;
	*)
		apt-cache depends "$1" 2> /dev/null |
			sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p' | head -n 1
		;;
	esac
}

# What was unpacked before does without network and package lists.
unpacked() {
	local dir=$cache/$1

	[ -e "$dir/complete" ] && echo "$dir"
}

fetch_package() {
	local package=$1 dir=$cache/$1 new

	mkdir -p "$cache" && new=$(mktemp -d "$cache/new.XXXXXX") || return 1
	say "fetching $package"
	# _apt may not write here, which apt remarks on and gets by.
	if (cd "$new" && apt-get -qq download "$package") > "$new/log" 2>&1 &&
		dpkg-deb -x "$new/$package"_*.deb "$new" &&
		depmod -b "$new" "$(basename "$new"/lib/modules/*)"; then
		rm -f "$new"/*.deb "$new/log"
		: > "$new/complete"
		rm -rf "$dir"
		mv "$new" "$dir"
	else
		cat "$new/log" >&2
		rm -rf "$new"
		return 1
	fi
}

resolve_package() {
	local package dir link=$cache/$1.package

	command -v apt-get > /dev/null ||
		fail "$1: neither a kernel image nor, without apt-get, a package that can be fetched"
	package=$(real_package "$1")
	# Without package lists: what it was the last time.
	[ -n "$package" ] || package=$(cat "$link" 2> /dev/null)
	[ -n "$package" ] || fail "$1: neither a kernel image nor a package that apt-cache knows"
	dir=$(unpacked "$package") || {
		fetch_package "$package" || fail "$package cannot be fetched"
		dir=$cache/$package
	}
	echo "$package" > "$link"
	resolve_image "$(echo "$dir"/boot/vmlinuz-*)"
}

resolve_kernel() {
	if [ -e "${1%%:*}" ]; then
		resolve_image "$1"
	else
		resolve_package "$1"
	fi
}
