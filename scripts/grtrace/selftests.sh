#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the kselftests the kernel's own way and runs them with the kernel's own
# runner in a guest, on an unmodified kernel with our modules loaded, or on the
# patched one that has them.  Prints the runner's TAP and, last, a line with the
# sum over all tests.
#
# Usage: selftests.sh [options] BASE [TEST...]
#
#   BASE        6.12, 6.12-bookworm, 6.12-trixie, 7.3, or 7.3-intree, which is
#               the patched kernel (intree.sh); the tests are then installed
#               from its tree
#   TEST        only these, e.g. emit_test
#   --gpu KIND  the guest's GPU: none (default), 2d, virgl
#   --cpus N    its processors (default 2)
#   --icount    one processor whose time is its instructions, so that times can
#               be compared to the microsecond; else ORACLE_LATE is set so that
#               the oracle compares what and in which order, not when
#
# Exit status: 0 when all tests ran and none failed, else 1; 2 wrong usage.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report cache base tap; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

guest=()
packages=(build test)
late=1000
while [ $# -gt 0 ]; do
	case "$1" in
	-h|--help) usage "$0"; exit ;;
	--gpu|--cpus)
		[ $# -ge 2 ] || usage_error "$1 needs a value"
		guest+=("$1" "$2")
		# What draws on it.
		[ "$1" != --gpu ] || packages+=(gpu)
		shift ;;
	--icount)
		guest+=(--cpus 1 --qemu "-icount shift=0")
		late= ;;
	-*) usage_error "unknown option '$1'" ;;
	*) break ;;
	esac
	shift
done
[ $# -ge 1 ] || usage_error "needs a base"
intree=''
case "$1" in *-intree) intree=1 ;; esac
base="$(base_name "${1%-intree}")"
shift
checkout="$(cd "$here/../.." && pwd)"
selftests=tools/testing/selftests
[ -e "$checkout/$selftests/grtrace/Makefile" ] ||
	die "cannot build the kselftests: $checkout/$selftests/grtrace has no Makefile"
"$here/deps.sh" "${packages[@]}"

# The kernel's part of the tree is the newest base's for all: what runs a test
# need not be as old as the kernel that is tested.
if [ -n "$intree" ]; then
	kernel="$("$here/overlay.sh" "$base" selftests)"
else
	kernel="$("$here/kernel.sh" 7.3 source)"
fi
kernel_files=("$selftests/Makefile" "$selftests/lib.mk" "$selftests/kselftest.h"
	"$selftests/kselftest_harness.h" "$selftests/run_kselftest.sh"
	"$selftests/kselftest" scripts/subarch.include)
our_files=(include/uapi drivers/gpu/grtrace "$selftests/grtrace")

# content: a name for what the tests are built from.
content() {
	printf '%s\n' "$kernel"
	cd "$checkout"
	find "${our_files[@]}" -type f \( -name '*.[ch]' -o -path "$selftests/*" \) -print0 |
		LC_ALL=C sort -z | xargs -0 sha256sum
}

# build_install DIR: build, install into it.  Without the whole tree both trees are
# laid over each other; our one header for user space needs no "make headers".
build_install() {
	local dir="$1" tree="$1/tree" built=()
	if [ -n "$intree" ]; then
		mkdir "$dir/built"
		tree="$kernel"
		built=("O=$dir/built")
		make -C "$tree" "${built[@]}" headers || return
	else
		mkdir -p "$tree/usr/include"
		( cd "$kernel" && rsync -aR "${kernel_files[@]}" "$tree/" ) || return
		( cd "$checkout" && rsync -aR --include='*/' --include='*.[ch]' \
			--include="/$selftests/**" --exclude='*' "${our_files[@]}" "$tree/" &&
			rsync -a include/uapi/ "$tree/usr/include/" ) || return
	fi
	make -C "$tree/$selftests" TARGETS=grtrace FORCE_TARGETS=1 install "${built[@]}" \
		KSFT_INSTALL_PATH="$dir/install" USERCFLAGS=-Werror
}

# fill_install DIR: build, keep what is installed.
fill_install() {
	local dir="$1"
	if ! build_install "$dir" >"$dir/log" 2>&1 </dev/null; then
		cat "$dir/log" >&2
		die "the kselftests could not be built: see the compiler's messages above"
	fi
	[ -s "$dir/install/kselftest-list.txt" ] || die "no kselftest was installed: see $dir/log"
	rm -rf "$dir/tree" "$dir/built"
}

entry="$CACHE/selftests/$(content | sha256sum | cut -c1-16)"
if [ ! -d "$entry" ]; then
	note "building the kselftests"
fi
cache_entry "$entry" fill_install
if [ -n "$intree" ]; then
	image="$("$here/intree.sh" "$base")"
else
	image="$base"
	guest+=(--modules-dir "$("$here/modules.sh" "$base")")
fi
tools="$("$here/tools.sh")"

run=(-c grtrace)
if [ $# -gt 0 ]; then
	run=()
	for name; do
		run+=(-t "grtrace:$name")
	done
fi

log="$(mktemp)"
trap 'rm -f "$log"' EXIT
status=0
cd "$entry/install"
# The C programs expect the modules to be there, as on a machine that is set up.
# The runner opens /dev/stdout anew, which a pipe allows and the guest's output
# port does not.
# shellcheck disable=SC2016
"$here/vm.sh" --timeout 900 --open-stdin "${guest[@]}" "$image" -- bash -c '
	export GRTRACE_TOOLS="$1" PATH="$1:$PATH" ORACLE_LATE="$2"
	shift 2
	( . grtrace/modules.sh && modules_load ) || {
		echo "Bail out! the modules could not be loaded"
		exit 1
	}
	set -o pipefail
	./run_kselftest.sh "$@" | cat' bash "$tools" "$late" "${run[@]}" | tee "$log" || status=$?

read -r passed failed skipped < <(tap_count "$log")
if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
	failed=1
	printf '# no test failed, but the run ended with status %s\n' "$status"
fi
if [ "$((passed + failed + skipped))" = 0 ]; then
	failed=1
	echo "# no test ran"
fi
printf '# %s: %s passed, %s failed, %s skipped\n' "$base${intree:+-intree}" "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
