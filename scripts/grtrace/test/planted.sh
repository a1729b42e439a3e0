#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by mutants.sh and faults.sh: a copy of the checkout, in the cache, in which errors
# are planted, and the tests that judge them there.
#
# Usage: planted.sh run CMD...     runs CMD in a fresh copy, one run at a time
#        planted.sh judges FILE    prints the judges of FILE's directory, quick ones first
#        planted.sh build FILE     compiles one source of the copy, or what includes a header of
#                                  the kernel part, and prints the object
#        planted.sh tests FILE JUDGE...
#                                  builds what these judge, and runs them until one fails
#
#   JUDGE  one argument of several words, without names all of its kind:
#          kunit SUITE..., kselftest NAME... (in a User Mode Linux), modules NAME... (the
#          same in a guest), unit GTEST_FILTER, cli NAME... (tests/cli/NAME.t),
#          truth [ARGS of judge.py], page, fleet
#
# Exit status of tests: 0 when all pass; 3 when something cannot be built.

# Among the copied variables, $CACHE is cache.sh's: shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache files series kbuild
options '' "$@"
set -- "${args[@]}"
[ $# -ge 2 ] || usage_error "needs a command and what it is for"
src=tools/grtrace/src
driver=drivers/gpu/grtrace

# The most that a test case may use, so that an error that does not end does no harm.
MEMORY_KB=8000000
FILE_KB=4000000

# The CLI tests of a directory of $src, or of the directories in it: the quick ones first.
# A word's own directory has WORD.t beside these.
cli_tests="
lib/data        report timeline clocks meanings several
lib/files       outputs roll record output world said refusals security
lib/options     grparse_options outputs words streams
lib/run         words record world said refusals
lib/text        grparse_rows status report merge clocks meanings several security
format          future rings queues grparse_rows merge grparse record clocks meanings several
read            import losses future grparse_filters grparse_rows verify merge grparse clocks meanings several refusals
drive           config status service record world said refusals
grparse         grparse_options future losses grparse_filters grparse_rows clocks meanings several
grtrace         config status completion streams words man said
words/activity  pictures report timeline meanings said several world
words/annotate  streams
words/calls     timeline meanings said several world
words/columns   status report export meanings said several world
words/config    status
words/data      delays diff report meanings said several world
words/delays    golden seeds report explain findings meanings said several world
words/diff      losses future meanings said several world
words/explain   findings meanings said several world clocks
words/export    fleet future losses merge meanings said several world clocks refusals
words/filter    grparse_filters report explain meanings said several world
words/findings  seeds golden explain meanings said several world
words/foreign   cases import queues world said
words/frozen    status
words/import    cases seeds queues rings world said refusals security
words/ioctl     timeline explain export
words/jobs      losses seeds golden report explain timeline meanings said several world
words/live      import record
words/merge     seeds roll meanings said several world clocks
words/monitor   streams
words/packets   import merge
words/page      pictures report golden meanings said several world
words/parse     grparse_rows words grparse meanings said several world
words/program   words streams man
words/reading   losses outputs report diff words output meanings said several world refusals
words/report    delays losses findings golden pictures explain meanings said several world clocks
words/rows      guilty grparse_rows rings queues export meanings said several world
words/session   words
words/snapshot  status record
words/status    seeds streams
words/terminal  outputs words report output meanings said several world
words/timeline  seeds outputs output meanings said several world clocks
words/tracedat  import
words/tracefs   import
words/tracker   losses seeds golden explain report timeline merge meanings said several world
words/translate cases import
words/verify    losses merge roll meanings said several world clocks refusals
words/window    explain meanings said several world clocks
"

# tests_of ROOM: its row, and its own test.
tests_of() {
	awk -v room="$1" '$1 == room || index(room, $1 "/") == 1 { $1 = ""; print; found = 1 }
		END { exit !found }' <<<"$cli_tests" || die "no CLI tests are named for $1: add a row to $0"
	[ ! -e "tools/grtrace/tests/cli/${1#words/}.t" ] || echo "${1#words/}"
}

# suites DIRECTORY...: of unit tests, as a filter.
suites() {
	find "$@" -name '*_test.cpp' -exec sed -nE 's/^TEST(_F|_P)?\((\w+),.*/*\2.*/p' {} + 2>/dev/null |
		LC_ALL=C sort -u | paste -sd:
}

judges() {
	local room filter folders
	case "$1" in
	"$src"/*.js|"$src"/*.css|"$src"/*.html) echo page ;;
	"$src"/*)
		room="$(dirname "${1#"$src"/}")"
		folders=("tools/grtrace/tests/unit/$room")
		# Its tests need what those of tracefs are built with, and are there.
		[ "$room" != words/translate ] || folders+=(tools/grtrace/tests/unit/words/tracefs)
		filter="$(suites "${folders[@]}")" || true
		[ -z "$filter" ] || echo "unit $filter"
		# shellcheck disable=SC2046
		echo "cli" $(tests_of "$room")
		case "$room" in
		drive/*|grtrace|words/annotate|words/config|words/monitor|words/s[nt]*|words/tracefs) ;;
		*) echo "truth --only stored" ;;
		esac ;;
	*) printf '%s\n' kunit kselftest ;;
	esac
}

# ---------------------------------------------------------------- in the copy

# made ARGS: the tools, of the objects that the compiler's cache has.  They are linked again
# for each error: not as one file, by the quickest linker, without what only a debugger reads.
made() {
	CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 make --no-print-directory -j "$(nproc)" -C tools/grtrace \
		O="$PWD/out" LTO= CXX="ccache g++" "$@"
}
LDFLAGS="-Wl,--as-needed -Wl,--strip-debug"
! command -v ld.lld >/dev/null || LDFLAGS+=" -fuse-ld=lld"
export LDFLAGS

# uml_entry: the tree and the build of the copy's User Mode Linux.
uml_entry() { echo "$CACHE"/overlay/*-uml-*; }

# kernel_made TARGET: made by the kernel's make in the one tree that the copy has, which
# gets our files as they are now.  All else that differs from an earlier run is laid out and
# built once, before the first change.
kernel_made() {
	local entry stage="$TMPDIR/stage" kernel
	if [ ! -e "$stage" ]; then
		kernel="$("$here/uml/uml.sh" --build)" || return
		ln -sfn "$kernel.modules" "$(uml_entry)/build/linux.modules"
		mkdir "$stage"
	fi
	entry="$(uml_entry)"
	series_py lay "$stage" include/uapi/drm/grtrace_drm.h "$driver"/[!.]*.[ch] || return
	rsync -rc --existing "$stage/" "$entry/src/"
	kbuild "$entry/src" "$entry/build" ARCH=um "$1"
}

built() { "$@" >"$TMPDIR/built" 2>&1 || { cat "$TMPDIR/built"; exit 3; }; }

# judge KIND NAME...
judge() {
	local kind="$1" name; shift
	case "$kind" in
	unit)
		built made "$PWD/out/unit_tests"
		out/unit_tests --gtest_brief=1 --gtest_fail_fast --gtest_filter="${1:-*}" ;;
	cli)
		built made all synth workload
		# shellcheck disable=SC2046
		[ $# -gt 0 ] || set -- $(basename -s .t tools/grtrace/tests/cli/*.t)
		for name; do
			O="$PWD/out" sh "tools/grtrace/tests/cli/$name.t" || { echo "# seen by $name.t"; return 1; }
		done ;;
	truth)
		built made all synth workload
		[ $# -gt 0 ] || set -- --seeds 60 --first 1
		python3 -B tools/grtrace/tests/truth/judge.py --build out "$@" || { echo "# seen by the judge"; return 1; } ;;
	page) "$here/test/page.sh" 100000 ;;
	fleet) "$here/test/fleet.sh" ;;
	modules) "$here/test/selftests.sh" 7.3 "$@" ;;
	kunit)
		built kernel_made linux
		"$here/test/kunit.sh" --kernel "$(uml_entry)/build/linux" "$@" ;;
	kselftest)
		built kernel_made linux
		"$here/test/selftests.sh" --short --without "torture_test fault_test files_fuzz_test" \
			--kernel "$(uml_entry)/build/linux" uml "$@" ;;
	*) die "there is no judge '$kind'" ;;
	esac
}

build() {
	local object="${1%.c*}.o" header="$TMPDIR/header.o"
	if [[ $1 == *.h ]]; then
		# All that includes it, as one object.
		kernel_made linux && ld -r --whole-archive -o "$header" "$(uml_entry)/build/$driver/built-in.a" && echo "$header"
	elif [[ $1 == *.c ]]; then
		kernel_made "$object" && echo "$(uml_entry)/build/$object"
	else
		object="$PWD/out/${object#tools/grtrace/}"
		made "$object" && printf '%s\n' "$object"
	fi
}

# --------------------------------------------------------------- from outside

# copy_checkout: what of it is built and tested, and nothing that was in an earlier copy; a
# changed file has a new time.
copy_checkout() {
	local shared file
	rm -rf "$work/tmp"	# what tests left that were ended
	# A change may still be in the kernel's tree, which does not know of it.
	rm -rf "$work/cache/grtrace/uml" "$work"/cache/grtrace/overlay/*/content
	mkdir -p "$work/tree" "$work/cache/grtrace" "$work/tmp"
	our_files . | LC_ALL=C sort >"$work/files"
	rsync -rlpc --files-from="$work/files" "$checkout/" "$work/tree/"
	( cd "$work/tree" && our_files . ) | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/files" |
		while read -r file; do rm -f "$work/tree/$file"; done
	# Folders that are only read are the cache's own.
	for shared in kernels apt chroots engines run; do
		[ ! -d "$CACHE/$shared" ] || ln -sfn "$CACHE/$shared" "$work/cache/grtrace/$shared"
	done
}

run_in_copy() {
	copy_checkout
	cd "$work/tree"
	CCACHE_DIR="$(ccache -k cache_dir)"
	export CCACHE_DIR XDG_CACHE_HOME="$work/cache" TMPDIR="$work/tmp"
	"$@"
}

command="$1"; shift
case "$command" in
run)
	cd "$checkout"
	work="$CACHE/planted/$(printf '%s' "$checkout" | sha256sum | cut -c1-8)"
	cache_lock "planted-${work##*/}" run_in_copy "$@" ;;
judges) judges "$1" ;;
build) build "$1" ;;
tests)
	ulimit -c 0 -f "$FILE_KB"
	shift
	for judge; do
		read -ra words <<<"$judge"
		case "${words[0]}" in unit|cli|truth) ulimit -S -v "$MEMORY_KB" ;; esac
		judge "${words[@]}"
	done ;;
*) usage_error "what is '$command'?" ;;
esac
