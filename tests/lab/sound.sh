# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the tests of sound sources on virtual machines: source it after lab.sh.
#
#   sound_guest [OPTION...]   runs the kernel lab with the modules of sound, ALSA's configuration and
#                             the injector in the guest, on a machine with an AC97 and an HDA card
#
# In the guest sound.guest.sh loads the modules.

alsa_conf=/usr/share/alsa/alsa.conf
[ -r $alsa_conf ] || skip_all "$alsa_conf (libasound2-data) is missing"
"$LATENCYTEST" list | grep -q '^  pcm ' || skip_all "built without ALSA"

# The lab's own way to a kernel's modules.
work=$tmp/kernel
mkdir -p "$work/modules" "$work/tools"
say() {
	echo "# $*"
}
fail() {
	skip_all "$*"
}
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=../../scripts/lab/kernels.sh
. "$srcdir/scripts/lab/kernels.sh"
# shellcheck source=../../scripts/lab/initramfs.sh
. "$srcdir/scripts/lab/initramfs.sh"

# Emulated hardware beside the lab's own; its DMA goes on each 1 ms rather than each 10. The cards
# come in the order in which their modules are loaded.
cat > "$work/tools/qemu" << 'END'
#!/bin/sh
exec qemu-system-x86_64 "$@" -audiodev none,id=sound,timer-period=1000 \
	-device AC97,audiodev=sound,addr=8 -device intel-hda,addr=9 -device hda-output,audiodev=sound
END
chmod 755 "$work/tools/qemu"

add_sound_modules() {
	local module file

	for module in snd-dummy snd-aloop snd-hrtimer snd-intel8x0 \
		snd-hda-codec-generic snd-hda-intel; do
		add_module "$module" "$work" || skip_all "$kernel_release has no module $module"
	done
	for file in "$work"/modules/*; do
		added_options+=(--add "$file")
	done
}

sound_guest() {
	if [ -z "${added_options[*]:-}" ]; then
		added_options=(--add "$alsa_conf" --add "$here_guest/sound.guest.sh" --add "$tools/injector")
		resolve_kernel linux-image-amd64
		add_sound_modules
	fi
	QEMU=$work/tools/qemu lab --kernel linux-image-amd64 --disk null_blk "${added_options[@]}" "$@"
}
