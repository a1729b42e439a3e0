#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the patched kernel with grtrace for guests in QEMU: puts our files and
# the series into the kernel's source (overlay.sh), builds it with the
# configuration config/config, and prints a folder that vm.sh takes as a base.
# Stand-ins have the trace events of amdgpu and nouveau, because no guest has such a GPU:
# bisect.sh builds the whole drivers, and check/intree.sh compiles what the series changes of
# them.  The first build takes some ten minutes on two processors; later only changes are built.
#
# Usage: intree.sh [options] BASE
#
#   BASE       7.3 (a newer one when Debian has it), 6.12 for the backport, or a
#              kernel source tree
#   --boot     boot it once and see that grtrace is there
#   --debug K  the kernel that looks for bugs in itself: config/K.config on top of
#              config/config, where K is kasan (memory, locks, leaks, faults that
#              can be injected) or kcsan (data races)
#   --build    print the build folder instead (for single objects, headers)
#
# Exit status: 1 if a patch does not apply, the build fails, or the compiler
# warned (W=1) about a file that is ours or that a patch touches; messages name it.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache series overlay kbuild

# How many images are kept, each of one state of our files.
KEPT=4

boot='' kind='' only_build=''
options '--boot --build=only_build --debug:kind' "$@"
set -- "${args[@]}"
[ -z "$kind" ] || [ -r "$here/kernel/config/$kind.config" ] ||
	usage_error "--debug needs one of $(cd "$here/kernel/config" && echo *.config | sed 's/\.config//g')"
[ $# = 1 ] || usage_error "needs a base"

# find_image: where the image of this state is, or will be; its name is what it is built from.
find_image() { image="$images/$(overlay_key "$repo" "${configs[@]}" "$here"/kernel/stand-ins/*)"; }

# build_image: with the lock of the tree held; prints the image's folder, or the build
# folder.
build_image() {
	local build="$entry/build-${kind:-guest}" status=0 driver image touched
	find_image
	for driver in amd/amdgpu nouveau; do
		mkdir -p "$build/drivers/gpu/drm/$driver"
		rsync -tc "$here/kernel/stand-ins/${driver#*/}.c" "$build/drivers/gpu/drm/$driver/stand_in.c"
	done
	kconfig_fragment "$tree" "${configs[@]}" >"$build/fragment.new"
	[ -e "$build/vmlinux" ] ||
		note "building Linux $(source_version "$source") with grtrace, which takes some ten minutes the first time"
	{
		kconfig_set "$build/fragment.new" "$build" kbuild "$tree" "$build" &&
			kbuild "$tree" "$build" {amdgpu,nouveau}-y=stand_in.o UT=1 bzImage modules &&
			kbuild_tests "$tree" "$build" modules
	} >"$build/log" 2>&1 || status=$?
	mapfile -t touched < <(series_c_files "$repo")
	kbuild_verdict "$status" "$build" "Linux $(source_version "$source") with grtrace" "${touched[@]}"
	if [ -n "$only_build" ]; then
		printf '%s\n' "$build"
		return
	fi
	cache_entry "$image" image_install
	cache_prune "$KEPT" "$images"/*
	printf '%s\n' "$image"
}

"$here/deps.sh" kernel series
source="$(overlay_source "$1")"
version="$(source_version "$source")"
configs=("${guest_config[@]}")
# Options that an older kernel does not have, or names otherwise.
[ ! -e "${configs[1]}-${version%.*}" ] || configs+=("${configs[1]}-${version%.*}")
# shellcheck disable=SC2034	# lib/kbuild.sh reads it
[ ! -e "$here/kernel/config/warnings-${version%.*}" ] || kbuild_known="$here/kernel/config/warnings-${version%.*}"
[ -z "$kind" ] || configs+=("$here/kernel/config/debug" "$here/kernel/config/$kind.config")
images="$CACHE/kernels/grtrace-$version"
cd "$checkout"
repo="$(series_repo "$source")"
find_image
if [ -d "$image" ] && [ -z "$only_build" ]; then
	touch "$image"
else
	image="$(overlay_with "$source" kernel build_image)"
fi
if [ -n "$boot" ] && ! image_boot "$image" >&2; then
	die "$image was built and does not come up as it should: see the messages above"
fi
printf '%s\n' "$image"
