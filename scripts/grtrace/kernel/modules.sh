#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds drivers/gpu/grtrace as external modules for an unmodified kernel, with
# them the modules of the selftests, and prints the folder that holds them all.
# The checkout stays clean: only changed sources are copied to the cache, so that
# a second build compiles only what is needed.  A warning of the compiler or of
# modpost is a failure.
#
# Usage: modules.sh [--bench|--stubs|--vkms] BASE [OUTDIR]
#
#   --bench  with the module of bench/, and without those of the selftests
#   --stubs  stubs of drivers for the tests of the tools' words instead
#   --vkms   instead, the virtual KMS driver of the kernel's own source, which has vblanks in
#            any guest: Debian's kernels are built without it (CONFIG_DRM_VKMS is not set)
#   BASE     6.12, 6.12-bookworm, 6.12-trixie, 7.3, or a kernel build directory
#   OUTDIR   also put the .ko files here, and print this folder
. "$(dirname "$0")/../lib/use.sh" cache base

source=drivers/gpu/grtrace
tests=tools/testing/selftests/grtrace/modules
made=modules bench='' stubs='' vkms='' from="$checkout" warn=1
options '--bench --stubs --vkms' "$@"
set -- "${args[@]}"
[ -z "$bench" ] || tests=scripts/grtrace/bench/module made=bench
[ -z "$stubs" ] || source=tools/grtrace/tests/guest/stubs tests='' made=stubs
[ -z "$vkms" ] || from="$("$here/kernel/kernel.sh" "${1:-}" source)" source=drivers/gpu/drm/vkms tests='' made=vkms warn=''
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	usage_error "needs a base or a kernel build directory"
fi
[ -e "$from/$source/Makefile" ] ||
	die "cannot build modules: $from/$source has no Makefile"
"$here/deps.sh" module

# id DIR: a short name for a path.
id() { printf '%s' "$1" | sha256sum | cut -c1-8; }

if [ -d "$1" ]; then
	kernel="$(cd "$1" && pwd)"
	[ -e "$kernel/include/config/kernel.release" ] ||
		die "$kernel is not a kernel build directory that modules can be built against: include/config/kernel.release is missing; run make modules_prepare there"
	release="$(cat "$kernel/include/config/kernel.release")-$(id "$kernel")"
	builder=()
else
	base="$(base_name "$1")"
	kernel="$("$here/kernel/kernel.sh" "$base" headers)"
	release="$("$here/kernel/kernel.sh" "$base" release)"
	builder=("$here/kernel/builder.sh" "$base" --)
	"${builder[@]}" true			# may have to be made, and says so
fi
build="$CACHE/modules/$release/$(id "$checkout")"

# copy_sources: like the checkout, without a new time on what did not change
# (make compares times) and without taking away what was built.
copy_sources() {
	local built=('*.o' '*.ko' '*.mod' '*.mod.c' '.*.cmd' '.*.d' '.module-common*' Module.symvers modules.order) dir
	mkdir -p "$build/include/linux" "$build/include/uapi/drm"
	for dir in $source $tests; do
		mkdir -p "$build/$dir"
		rsync -rlpc --delete "${built[@]/#/--exclude=}" "$from/$dir/" "$build/$dir/"
	done
	rsync -pc "$checkout/include/linux/grtrace.h" "$build/include/linux/"
	rsync -pc "$checkout/include/uapi/drm/grtrace_drm.h" "$build/include/uapi/drm/"
}

# make_modules: the core and its sources, then what is linked to them.
make_modules() {
	local dir symbols=()
	for dir in $source $tests; do
		"${builder[@]}" make -j "$(nproc)" -C "$kernel" M="$build/$dir" W="$warn" ${vkms:+CONFIG_DRM_VKMS=m} "${symbols[@]}" modules || return
		symbols=(KBUILD_EXTRA_SYMBOLS="$build/$dir/Module.symvers")
	done
}

# build_modules: with the lock of the build folder held.
build_modules() {
	local log="$build/log" status=0 dir name
	copy_sources
	cd "$build"
	make_modules >"$log" 2>&1 </dev/null || status=$?
	if [ "$status" != 0 ] || grep -qiE '(^|[^[:alpha:]])warning:' "$log"; then
		# An object that exists would not be compiled, and not warned about, again.
		find "$build/$source" ${tests:+"$build/$tests"} \( -name '*.o' -o -name '*.ko' -o -name '*.mod*' -o -name '.*.cmd' \) -delete
		cat "$log" >&2
		if [ "$status" = 0 ]; then
			die "the modules were built for $1, but with warnings (above), which count as errors"
		fi
		die "the modules could not be built for $1: see the compiler's messages above"
	fi
	# A guest may be running with the modules that stay as they are.
	mkdir -p "$build/$made"
	for dir in $source $tests; do
		sed -E 's|.*/||; s|\.k?o$||' "$build/$dir/modules.order" | while read -r name; do
			echo "$name.ko"
			[ "$build/$dir/$name.ko" -ef "$build/$made/$name.ko" ] ||
				ln -f "$build/$dir/$name.ko" "$build/$made/"
		done
	done >"$build/$made.list"
	# A source that is gone leaves its module behind.
	find "$build/$made" -name '*.ko' -printf '%f\n' | grep -vxFf "$build/$made.list" |
		while read -r name; do rm -f "$build/$made/$name"; done || true
}

mkdir -p "$build"
cache_lock "modules-${build//\//_}" build_modules "$1"
folder="$build/$made"
if [ $# = 2 ]; then
	mkdir -p "$2"
	folder="$(cd "$2" && pwd)"
	cp -p "$build/$made"/*.ko "$folder/"
fi
printf '%s\n' "$folder"
