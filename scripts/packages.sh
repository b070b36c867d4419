# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034
# Which Debian packages quickstart and check need, and how they get them. Sourced by both.

build_packages=(autoconf automake gcc make pkg-config libc6-dev libasound2-dev libx11-dev
	libxext-dev libjansson-dev libcairo2-dev r-mathlib zlib1g-dev xvfb)
test_packages=(libcmocka-dev jq clang clang-tidy llvm libclang-rt-dev cppcheck shellcheck util-linux procps mandoc xz-utils
	libxml2-utils python3-jsonschema chromium)
# For the virtual machines of scripts/kernel-lab.
lab_packages=(qemu-system-x86 busybox-static e2fsprogs cpio kmod zstd)

installed() {
	# Also what provides it, as pkgconf does for pkg-config.
	dpkg-query -W -f '${Status} ${Package} ${Provides}\n' 2> /dev/null |
		grep '^install ok installed' | grep -Eq "[ ,]$1(,|[ ]|\$|:)"
}

# Installs those of its arguments that are missing, after saying which.
install_missing() {
	local package missing=() sudo=()

	if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
		echo "This is no Debian; what is needed are its packages, by whatever name: $*"
		return 0
	fi
	for package; do
		installed "$package" || missing+=("$package")
	done
	if [ ${#missing[@]} = 0 ]; then
		echo "Packages: all that are needed are installed."
		return 0
	fi
	echo "Packages to be installed with apt-get: ${missing[*]}"
	if [ "$(id -u)" != 0 ]; then
		if ! command -v sudo > /dev/null; then
			echo "This needs root and there is no sudo. As root: apt-get install ${missing[*]}" >&2
			return 1
		fi
		sudo=(sudo)
	fi
	"${sudo[@]}" apt-get -q update &&
		"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
			apt-get -q -y --no-install-recommends install "${missing[@]}"
}
