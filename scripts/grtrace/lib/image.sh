# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Installs a kernel that was built here in the form that vm.sh takes.
# Needs kbuild.sh.

# It uses these variables of its caller: here, tree, build.
# shellcheck disable=SC2154

# image_install DIR: vmlinuz, release, lib/modules/<release>, of the kernel in
# "build"; also its configuration and symbols.
image_install() {
	local dir="$1" release
	release="$(cat "$build/include/config/kernel.release")"
	{
		kbuild "$tree" "$build" INSTALL_MOD_PATH="$dir" DEPMOD=true modules_install &&
			kbuild_tests "$tree" "$build" INSTALL_MOD_PATH="$dir" DEPMOD=true modules_install
	} >>"$build/log" 2>&1
	rm -f "$dir/lib/modules/$release/build" "$dir/lib/modules/$release/source"
	PATH="$PATH:/sbin:/usr/sbin" depmod -b "$dir" -F "$build/System.map" "$release"
	cp "$build/arch/x86/boot/bzImage" "$dir/vmlinuz"
	cp "$build/.config" "$dir/config"
	cp "$build/System.map" "$dir/"
	printf '%s\n' "$release" >"$dir/release"
}

# image_boot DIR: boot it once, with the files of grtrace where it has grtrace.
image_boot() {
	local wants=:
	# For the guest's shell:
	# shellcheck disable=SC2016
	if grep -q '^CONFIG_GRTRACE=y' "$1/config"; then
		wants='[ "$(cat /sys/kernel/debug/grtrace/control)" = idle ]'
	fi
	"$here/guest/vm.sh" "$1" -- sh -c "[ \"\$(uname -r)\" = '$(cat "$1/release")' ] && $wants"
}
