#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the kselftests with the kernel's make files and runs them with the kernel's
# runner in a guest, on an unmodified kernel with our modules loaded, or on the patched
# kernel; also the tests of the tools' words that need a kernel, from
# tools/grtrace/tests/guest.  Prints the runner's TAP and at the end a line with the
# sum over all tests.
#
# Usage: selftests.sh [options] BASE [TEST...]
#
#   BASE        uml: the patched kernel as User Mode Linux (uml.sh), by default only with
#               the tests in C that load no module of ours, in two guests side by side;
#               or uml-kasan, the same looking for bugs in itself, with our modules outside;
#               or 6.12, 6.12-bookworm, 6.12-trixie, 7.3, or 7.3-intree, which is
#               the patched kernel (intree.sh), or 7.3-kasan, 7.3-kcsan, which is
#               that kernel looking for bugs in itself, several times as slow;
#               ROUNDS, STORMS, GRTRACE_TORTURE_SECONDS and GRTRACE_FAULT_STEP,
#               which the tests know, make them shorter or longer
#   TEST        only these, e.g. filter_test; default: all, but oracle_test.sh and
#               monitor_vblank_test.sh, which need a GPU, only where the guest has one
#   --without TESTS
#               where no TEST is named, all but these
#   --kernel FILE
#               for uml: this kernel, which was built before
#   --gpu KIND  the guest's GPU: none (default), 2d, virgl
#   --memory-root
#               all files are in the guest's memory, so that its devices may sleep
#   --vkms      with the kernel's virtual KMS driver, which has vblanks (modules.sh --vkms)
#   --cpus N    its processors (default 2)
#   --timeout S how long a test may take (default: as the tests' settings say)
#   --short     shortens long tests: one round of each storm, one second of torture,
#               one failure of 30, in uml of 3; 7.3-kasan does not look for leaks or objects in
#               use, and does not wait for RCU: this takes less than half of the time
#   --once      tests that passed before on the same kernel do not run again: their
#               earlier output is shown. The tools may have changed
#   --icount    one processor whose clock counts instructions, so that times can be
#               compared to the microsecond; without it ORACLE_LATE is set, so that
#               the oracle compares events and their order, but not their times
#
# A skip that the list "skips" does not have is a failure.
#
# Exit status: 0 when a test passed and none failed, else 1; 2 wrong usage.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache base tap series overlay

timeout='' gpu=none cpus=2 in_memory='' vkms='' once='' short='' icount='' kernel='' without=''
options '--kernel: --without: --timeout# --gpu: --cpus: --memory-root=in_memory --vkms --once --short --icount' "$@"
set -- "${args[@]}"
guest=(--gpu "$gpu" --cpus "$cpus") debug=() limit=()
packages=(build test series)
late=1000 stubs=''
beside=			# for the list of skips: what the guest has
[ "$gpu" = none ] || beside+="+$gpu"
[ -z "$in_memory" ] || beside+=+memory
[ -z "$vkms" ] || beside+=+vkms
# Programs that draw on it.
[ "$gpu$vkms" = none ] || packages+=(gpu)
if [ -n "$timeout" ]; then
	limit=(--override-timeout "$timeout")
	export GRTRACE_CASE_SECONDS="$timeout"
	guest+=(--timeout "$((timeout + 300))")
fi
if [ -n "$short" ]; then
	export ROUNDS=1 GRTRACE_TORTURE_SECONDS=1 GRTRACE_FUZZ_ROUNDS=300 GRTRACE_FAULT_STEP=30
fi
if [ -n "$icount" ]; then
	guest+=(--cpus 1 --qemu "-icount shift=0")
	late=
fi
[ $# -ge 1 ] || usage_error "needs a base"
intree='' uml='' kasan=''
case "$1" in
uml) uml=yes ;;
uml-kasan) uml=yes kasan=yes ;;
*-intree|*-kasan|*-kcsan) intree="${1##*-}" ;;
esac
[ -z "$intree" ] || [ -z "$vkms" ] || usage_error "--vkms is for a kernel as it is distributed, not for $1"
if [ -n "$uml" ]; then
	base="$1" guest=(--cpus "$cpus" --append kmemleak=on)
	[ -z "$short" ] || [ -n "$kasan" ] || export GRTRACE_FAULT_STEP=3
	[ -z "$beside$icount" ] || usage_error "a User Mode Linux has no such devices"
else
	base="$(base_name "${1%"-$intree"}")"
	[ -z "$kernel" ] || usage_error "--kernel is for uml, not for $1"
fi
# The tests' tree is the newest base's for all: what runs a test need not be as
# old as the kernel that is tested.
tree_of=7.3
case "$intree" in
kasan|kcsan)
	debug=(--debug "$intree")
	export GRTRACE_CASE_SECONDS="${GRTRACE_CASE_SECONDS:-1500}"
	limit=(--override-timeout 1800 "${limit[@]}")
	guest=(--timeout 7200 --memory 4G "${guest[@]}")
	[ -z "$short" ] || guest+=(--append "kmemleak=off no_debug_objects rcupdate.rcu_expedited=1") ;;
*) guest=(--timeout 3600 "${guest[@]}") ;;
esac
case "$intree $base" in
" "*|*" 6.12"*) ;;
*) tree_of="$base" ;;
esac
shift
cd "$checkout"
selftests=tools/testing/selftests
words=tools/grtrace/tests/guest
[ -e "$selftests/grtrace/Makefile" ] ||
	die "cannot build the kselftests: $PWD/$selftests/grtrace has no Makefile"
"$here/deps.sh" "${packages[@]}"

# content: a name for what the tests are built from.
content() {
	printf '%s\n' "$source"
	find include/uapi "$selftests/grtrace" "$words" -type f \
		\( -name '*.[ch]' -o -path "$selftests/*" -o -path "$words/*" \) -print0 |
		LC_ALL=C sort -z | xargs -0 sha256sum
}

# make_install DIR: in a tree that has us, as the kernel's documentation says; then
# the tests of the tools' words, which are beside them.
make_install() {
	local built="$entry/build" make_words
	make_words=(make -C "$PWD/$words" OUTPUT="$built/words" SELFTESTS="$tree/$selftests"
		KHDR_INCLUDES="-isystem $built/usr/include" USERCFLAGS=-Werror
		INSTALL_PATH="$1/install/grtrace" COLLECTION=grtrace)
	mkdir -p "$built/words"
	rm -rf "$built/kselftest"
	make -C "$tree" O="$built" headers &&
	make -C "$tree/$selftests" O="$built" TARGETS="grtrace grtrace/destructive" FORCE_TARGETS=1 \
		KDIR= KSFT_INSTALL_PATH="$1/install" USERCFLAGS=-Werror install &&
	"${make_words[@]}" install &&
	"${make_words[@]}" -s emit_tests >>"$1/install/kselftest-list.txt"
}

# fill_install DIR: with the lock of the tree held.
fill_install() {
	if ! make_install "$1" >"$1/log" 2>&1 </dev/null; then
		grep -v '^  HDRINST' "$1/log" >&2
		die "the kselftests could not be built: see the compiler's messages above"
	fi
	[ -s "$1/install/kselftest-list.txt" ] || die "no kselftest was installed: see $1/log"
}

source="$(overlay_source "$tree_of")"
installed="$CACHE/selftests/$(content | sha256sum | cut -c1-16)"
if [ ! -d "$installed" ]; then
	note "building the kselftests"
	overlay_with "$source" selftests cache_entry "$installed" fill_install
fi
if [ -n "$uml" ]; then
	image="${kernel:-$("$here/uml/uml.sh" ${kasan:+--kasan} --build)}"
elif [ -n "$intree" ]; then
	image="$("$here/kernel/intree.sh" "${debug[@]}" "$base")"
else
	image="$base"
	guest+=(--modules-dir "$("$here/kernel/modules.sh" "$base")")
	stubs="$("$here/kernel/modules.sh" --stubs "$base")"
	[ -z "$vkms" ] || vkms="$("$here/kernel/modules.sh" --vkms "$base")"
fi
tests=()
if [ $# = 0 ]; then
	# Nothing is lost where a guest sleeps, has another clock, or ends locked down.
	# Tests that need a GPU are run with one (the parts oracle-* and vblank-*).
	while read -r name; do
		case "$base$beside $name" in
		uml*" "*.sh|"uml grtrace:fault_load_test"|"$base grtrace:oracle_test.sh"|"$base grtrace:monitor_vblank_test.sh") ;;
		*) [[ " $without " == *" ${name#*:} "* ]] || tests+=("$name") ;;
		esac
	done <"$installed/install/kselftest-list.txt"
else
	for name; do
		tests+=("$(grep -x "[^:]*:$name" "$installed/install/kselftest-list.txt" || echo "grtrace:$name")")
	done
fi
# As grtrace_faults.h has it: each day begins with another of the failures that are tried.
case " ${tests[*]} " in
*:fault_test" "*|*:fault_load_test" "*)
	export GRTRACE_FAULT_FIRST="${GRTRACE_FAULT_FIRST:-$(($(date +%s) / 86400 % ${GRTRACE_FAULT_STEP:-1} + 1))}" ;;
esac
passed_before="$CACHE/selftests/passed-$({
	# Folders of the cache have the names of what is in them; the rest is what
	# runs the guest and sees what its kernel reports.
	cat "$here/test/selftests.sh" "$here/guest/vm.sh" "$here"/guest/* "$here/lib/splat.sh" "$here"/lib/tap.* "$here/test/skips"
	printf '%s\n' "$image" "$installed" "$stubs" "$vkms" "${guest[*]}" "${limit[*]}" "${tests[*]}" "$late" \
		"${ROUNDS:-}" "${STORMS:-}" "${GRTRACE_TORTURE_SECONDS:-}" "${GRTRACE_FUZZ_ROUNDS:-}" "${GRTRACE_FAULT_STEP:-} ${GRTRACE_FAULT_FIRST:-}"
} | sha256sum | cut -c1-16)"
if [ -n "$once" ] && [ -e "$passed_before" ]; then
	printf '# passed before, at %s, on the same kernel and tests:\n' "$(date -r "$passed_before" '+%F %R')"
	cat "$passed_before"
	exit
fi
# Programs in C need none.
tools=
[[ ${tests[*]} != *.sh* ]] || tools="$("$here/tools.sh")"

if [ -n "$in_memory" ]; then
	# Most of each is for debuggers.
	for program in "$tools"/grparse "$tools"/grtrace "$tools"/grtrace-*; do
		case "$program" in *.1) ;; *) strip -o "$work/${program##*/}" "$program" ;; esac
	done
	tools="$work"
	files=("$installed/install" "$tools/")
	[ -z "$stubs" ] || files+=("$stubs"/*.ko)
	[ -z "$vkms" ] || files+=("$vkms"/*.ko)
	guest+=(--memory-root "${files[*]} gpu-sched drm_shmem_helper virtio-gpu grtrace grtrace_dma_fence
		grtrace_drm grtrace_drm_sched grtrace_mock grtrace_virtio_gpu")
fi

if [ -n "$uml" ]; then
	in_guest=("$here/uml/uml.sh" --kernel "$image" "${guest[@]}")
else
	in_guest=("$here/guest/vm.sh" --open-stdin "${guest[@]}" "$image")
fi

# tested NAME...: by the kernel's runner in a guest.  The kselftests have none of our tools;
# the tests of the tools' words take them from GRTRACE_TOOLS.  The C programs expect the modules to
# be loaded, as on a machine that is set up.  The runner opens /dev/stdout again, which a pipe
# allows and the guest's output port does not.
tested() {
	local name run=("${limit[@]}")
	for name; do run+=(-t "$name"); done
	# shellcheck disable=SC2016
	"${in_guest[@]}" -- bash -c '
		export GRTRACE_TOOLS="$1" ORACLE_LATE="$2" GRTRACE_STUBS="$3" GRTRACE_VKMS="$4"
		shift 4
		( . grtrace/modules.sh && modules_load ) || {
			echo "Bail out! the modules could not be loaded"
			exit 1
		}
		set -o pipefail
		./run_kselftest.sh "$@" | cat' bash "$tools" "$late" "$stubs" "$vkms" "${run[@]}"
}

# in_two_guests NAME...: every other one in each, for two processors.
in_two_guests() {
	local first=() second=() status=0
	while [ $# -gt 0 ]; do
		first+=("$1")
		second+=("${@:2:1}")
		shift $(($# > 1 ? 2 : 1))
	done
	tested "${second[@]}" >"$work/second" &
	tested "${first[@]}" || status=$?
	wait $! || status=$?
	cat "$work/second"
	return "$status"
}

status=0
cd "$installed/install"
if [ -n "$uml" ] && [ ${#tests[@]} -gt 1 ]; then in_two_guests "${tests[@]}"; else tested "${tests[@]}"; fi |
	tap_judge "$base${intree:+-$intree}$beside" | tee "$work/log" || status=$?

read -r passed failed skipped < <(tap_count "$work/log")
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
	failed=1
	printf '# no test failed, but the run ended with status %s\n' "$status"
fi
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then
	failed=1
	echo "# no test passed"
fi
verdict="$(printf '# %s: %s passed, %s failed, %s skipped' "$base${intree:+-$intree}" "$passed" "$failed" "$skipped")"
printf '%s\n' "$verdict"
[ "$failed" = 0 ] || exit 1
if [ -n "$once" ]; then
	find "$CACHE/selftests" -maxdepth 1 -name 'passed-*' -mtime +30 -delete
	{ cat "$work/log"; printf '%s\n' "$verdict"; } >"$passed_before.new"
	mv "$passed_before.new" "$passed_before"
fi
