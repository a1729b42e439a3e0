#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command as root in Linux 7.3 with the patch series and this checkout's grtrace
# built in, as a User Mode Linux: a kernel that is a process of this machine, runs at
# its speed and boots in a tenth of a second.  It has KUnit, the DRM scheduler, the
# selftests' modules and no GPU.  The guest sees this machine's files (read-only; its changes stay in its
# memory).  The command's output is passed on live, with its two streams separate, and
# its exit status becomes the exit status of this script.
#
# The first build takes some minutes, then only what changed is built.
#
# Usage: uml.sh [options] -- CMD...
#        uml.sh --build
#
#   --cpus N       processors, at most 8 (default 2); below 8 there is one more that is
#                  never online, as on a machine where a CPU can be added
#   --up           one processor, and a kernel for one, in which disabling interrupts
#                  costs no system call: for measuring times; the module of bench/
#                  is in $GRTRACE_MODULES
#   --coverage     a kernel with our modules outside, which counts how often each of their
#                  lines is executed: /sys/kernel/debug/gcov
#   --kasan        a kernel with our modules outside, which looks for bugs of memory, locks,
#                  sleeping and life time
#   --memory M     memory, with K, M or G (default 512M)
#   --share DIR    folder that is writable from the guest, at the same path and
#                  in $GRTRACE_OUT (default: a fresh temporary one, kept when the
#                  guest left something in it)
#   --timeout S    end the guest after S seconds, exit status 124 (default 300)
#   --append ARGS  more kernel command line
#   --build        only build, print the kernel's path
#   --kernel FILE  this kernel, which was built before; build none
#
# Exit status: the command's; 70 when the kernel log has an oops or warning; 124
# on timeout; 71 when the guest ended before the command did; 2 wrong usage.

# Functions that the cache calls, and lib/guest.sh, use variables of their caller:
# shellcheck disable=SC2034,SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache series overlay kbuild splat guest

cpus=2 up='' memory=512M share='' limit=300 append='' only_build='' kernel='' coverage='' kasan=''
options '--cpus: --up --coverage --kasan --memory: --share: --timeout:limit --append: --kernel: --build=only_build' "$@"
set -- "${args[@]}"
if [ -n "$only_build" ]; then
	[ $# = 0 ] || usage_error "--build runs no command"
elif [ $# -lt 2 ]; then
	usage_error "needs -- CMD..."
fi
[[ $cpus =~ ^[1-8]$ ]] || usage_error "--cpus $cpus: not a number of processors from 1 to 8"
[[ $memory =~ ^[1-9][0-9]*[KMG]$ ]] || usage_error "--memory $memory: not a number with K, M or G"
[[ $limit =~ ^[1-9][0-9]*$ ]] || usage_error "--timeout $limit: not a number of seconds"
[ -z "$kernel" ] || [ -x "$kernel" ] || usage_error "--kernel $kernel: there is no such program"

# ------------------------------------------------------------------ the kernel
# How many kernels are kept, each of one state of our files.
KEPT=4

# build_kernel: with the lock of the tree held; the kernel, as "kernel".  A
# warning about what is ours or what a patch touches is an error; the others, of
# a newer compiler, are the kernel's business.
build_kernel() {
	local build="$entry/build$variant" modules="$tree/tools/testing/selftests/grtrace/modules" status=0 touched release
	local ours=drivers/gpu/grtrace counted=()
	[ -z "$up" ] || modules="$here/bench/module"
	# Make reads this where it compiles, in each folder.
	# shellcheck disable=SC2016
	[ -z "$coverage" ] || counted=("GCOV_PROFILE=\$(if \$(filter $ours%,\$(obj)),y)")
	mkdir -p "$build" "${kernel%/*}"
	kconfig_fragment "$tree" "${configs[@]}" >"$build/fragment.new"
	[ -e "$build/linux" ] ||
		note "building the User Mode Linux of kernel $(source_version "$source"), which takes some minutes the first time"
	{
		kconfig_set "$build/fragment.new" "$build" kbuild "$tree" "$build" ARCH=um &&
			kbuild "$tree" "$build" ARCH=um "${counted[@]}" linux modules &&
			kbuild_modules "$modules" "$tree" "$build" ARCH=um modules
	} >"$build/log" 2>&1 || status=$?
	mapfile -t touched < <(series_c_files "$repo")
	kbuild_verdict "$status" "$build" "User Mode Linux" "${touched[@]}"
	release="$(cat "$build/include/config/kernel.release")"
	rm -rf "$kernel.new" "$kernel.modules"
	mkdir -p "$kernel.new/lib/modules/$release"
	cp "$build"/modules.{order,builtin,builtin.modinfo} "$build"/test-modules/*.ko "$kernel.new/lib/modules/$release/"
	[ -z "$coverage$kasan" ] || cp "$build/$ours"/*.ko "$kernel.new/lib/modules/$release/"
	[ -z "$coverage" ] || cp "$build/$ours"/*.gcno "$kernel.new/lib/modules/$release/"
	PATH="$PATH:/sbin:/usr/sbin" depmod -b "$kernel.new" "$release"
	mv "$kernel.new/lib/modules/$release" "$kernel.modules"
	cp "$build/linux" "$kernel.new/"
	mv "$kernel.new/linux" "$kernel"
	rm -r "$kernel.new"
	cache_prune "$((2 * KEPT))" "${kernel%/*}"/*
}

# find_kernel: that of this checkout, built where it is not there yet, as "kernel".
find_kernel() {
	"$here/deps.sh" uml series
	source="$(overlay_source 7.3)"
	repo="$(cd "$checkout" && series_repo "$source")"
	variant="${up:+-up}${coverage:+-coverage}${kasan:+-kasan}"
	kernels="$CACHE/uml/$(source_version "$source")$variant"
	configs=("$here/kernel/config/common" "$here/uml/config" ${variant:+"$here/uml/config$variant"})
	kernel="$kernels/$(overlay_key "$repo" "${configs[@]}" ${up:+"$here/bench/module"/*})"
	if [ -e "$kernel" ]; then
		touch "$kernel"*
	else
		( cd "$checkout" && overlay_with "$source" uml build_kernel )
	fi
}

[ -n "$kernel" ] || find_kernel
if [ -n "$only_build" ]; then
	printf '%s\n' "$kernel"
	exit
fi
shift

# ------------------------------------------------------------------- the guest
guest_begin

# UML's arguments become one command line, in which there is no quoting.
case "$run" in
*[[:space:]]*) die "the cache folder's path has a blank, which the kernel's command line cannot take: $CACHE; see XDG_CACHE_HOME" ;;
esac

[ -z "$up" ] || export GRTRACE_MODULES="$kernel.modules"

# The job: what uml/init finds in the run folder.
printf '%s\n' "$kernel.modules" >"$job/modules"
cp "$here/uml/init" "$job/init"
chmod 755 "$job/init"
guest_job "$@" >"$job/job.sh"

guest_pipes

# UML's memory is a file, in /dev/shm where that is a tmpfs.  In a container it
# may be small, and what does not fit would kill the guest.
room="$(df --output=avail -B1 /dev/shm 2>/dev/null | tail -n 1)" || room=0
if [ "$room" -lt "$(numfmt --from=iec "$memory")" ]; then
	export TMPDIR="$run"
fi

# More than one processor needs seccomp instead of ptrace.  A tick is 10 ms, and
# an RCU grace period some of them unless it is expedited.  Autorun would run every
# KUnit suite at boot.
read -ra more <<<"$append"
[ -n "$up" ] || more+=("ncpus=$((cpus < 8 ? cpus + 1 : 8))" "maxcpus=$cpus")
guest_limited "$kernel" "mem=$memory" seccomp=on umid="${run##*/}" uml_dir="$run/" \
	rootfstype=hostfs rootflags=/ ro "init=$job/init" "GRTRACE_RUN=$run" \
	con=null con0=null,fd:1 con1=null,fd:3 con2=null,fd:4 ssl=null \
	loglevel=7 panic=-1 random.trust_cpu=on rcupdate.rcu_expedited=1 kunit.enable=1 kunit.autorun=0 "${more[@]}" \
	</dev/null >"$run/console" 2>&1 3>"$run/out" 4>"$run/err" &
guest_wait $!
guest_end "the guest"
