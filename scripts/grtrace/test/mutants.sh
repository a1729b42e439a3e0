#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do the tests notice an error?  Takes a sample of places in the core of the tools and
# of the kernel.  At each it changes one operator, constant or condition (< to <=, == to
# !=, && to ||, + to -, 0 to 1, "!" to nothing, a returned value, a condition), builds the
# affected programs and runs the tests of that directory: unit tests, the judge's
# hand-made inputs and the CLI tests, or KUnit and some kselftests in a User Mode Linux.
# A change that no test notices is printed as a survivor, with its place and its line.  If
# a change does not compile, or gives the same program, another place is taken instead.
# A test that does not end counts as a test that noticed the change.
#
# Works in copies of the checkout, in the cache. Each verdict is added to mutants.judged
# of the checkout, to be committed: it counts while the changed file stays as it was, so
# that many short runs make a sample. Only survivors without a reason are judged again.
# Delete from there what weaker tests may no longer see.
#
# Usage: mutants.sh [options]
#
#   --sample N   how many changes (default 100)
#   --seed S     chooses the changes that are judged for the first time; the same seed on
#                the same sources chooses the same ones (default: a random seed, which is
#                printed)
#   --room ROOM  changes only this room: lib, format, read, drive, grparse, grtrace,
#                words/packets, words/tracker, or a part such as read/stream; "tools" is
#                all of these, and "kernel" the other one
#   --only PLACE makes only this change, as it was printed (FILE:LINE: CHANGE), or all of
#                FILE:LINE; repeatable
#   --list       print the files and end
#
# mutants.why lists survivors that no test can see. Each has a reason, which is printed
# with it.
#
# Exit status: 1 when more than one of ten survived; 2 wrong usage.

# Among the copied variables, $CACHE is cache.sh's: shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache files series kbuild
src=tools/grtrace/src
driver=drivers/gpu/grtrace
tools_rooms=(lib format read drive grparse grtrace words/packets words/tracker)

# What is no core: sources of events, and what is for modules alone.
not_core='source_.*|lookup_name'

KSELFTESTS=(channel_test control_test config_test views_test rules_test snapshot_test sampling_test
	pressure_test filter_test limit_test)

# core_of_kernel: its files.
core_of_kernel() {
	find "$driver" -maxdepth 1 -name '*.c' | grep -vE "/($not_core)\.c$" | LC_ALL=C sort
}

# The most that a test case may use, so that a mutant that does not end does no harm.
MEMORY_KB=8000000
FILE_KB=4000000

# --------------------------------------------------- in the copy, for mutants.py
# FILE is a path from the copy's top.

# made ARGS: the copy's tools, of the objects that the compiler's cache has.  For each
# mutant they are linked again: not as one file, by the quickest linker, and without what
# only a debugger reads.
made() {
	local linker=
	! command -v ld.lld >/dev/null || linker="-fuse-ld=lld "
	CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 make --no-print-directory -j "$(nproc)" -C tools/grtrace \
		O="$PWD/out" LTO= LDFLAGS="$linker-Wl,--as-needed -Wl,--strip-debug" CXX="ccache g++" "$@"
}

# room_of PATH: which of them a directory or a file is in.
room_of() { sed -nE 's,^(words/[^/]*|[^/]*).*,\1,p' <<<"$1"; }

# cli_tests ROOM: those that a room has, by name, the quick ones first.
cli_tests() {
	case "$1" in
	lib) echo outputs man words streams progress output ;;
	format) echo grparse record ;;
	read|words/packets|words/tracker) echo grparse_filters future losses grparse_rows explain grparse ;;
	drive) echo config status record ;;
	grparse) echo grparse_options grparse_filters future losses grparse_rows grparse ;;
	grtrace) echo status config man words streams ;;
	esac
}

# suites ROOM: the unit tests of a room, as a filter.
suites() {
	[ ! -d "tools/grtrace/tests/unit/$1" ] ||
		find "tools/grtrace/tests/unit/$1" -name '*_test.cpp' -exec sed -nE 's/^TEST(_F|_P)?\((\w+),.*/*\2.*/p' {} + |
			LC_ALL=C sort -u | paste -sd:
}

# uml_entry: the tree and the build of the copy's User Mode Linux.
uml_entry() { echo "$CACHE"/overlay/*-uml-*; }

# kernel_made TARGET: made by the kernel's make in the one tree that the copy has, which
# gets the core's files as they are now.  All else that differs from an earlier run is laid
# out and built once, before the first change.
kernel_made() {
	local entry stage="$TMPDIR/stage"
	if [ ! -e "$stage" ]; then
		"$here/uml/uml.sh" --build >/dev/null || return
		mkdir "$stage"
	fi
	entry="$(uml_entry)"
	# shellcheck disable=SC2046
	series_py lay "$stage" $(core_of_kernel) || return
	rsync -rc --existing "$stage/" "$entry/src/"
	kbuild "$entry/src" "$entry/build" ARCH=um "$1"
}

# kselftests: those that are quick in a User Mode Linux, which has the core's files.
kselftests() {
	local name selftests folder="$TMPDIR/kselftests"
	if [ ! -e "$folder/defaults" ]; then
		selftests="$(uml_entry)/src/tools/testing/selftests/grtrace"
		mkdir -p "$folder"
		for name in "${KSELFTESTS[@]}"; do
			gcc -O2 -pthread -w -D_GNU_SOURCE= -isystem include/uapi -o "$folder/$name" \
				"$selftests/$name.c" || return
		done
		cp "$selftests/defaults" "$folder/"
	fi
	# shellcheck disable=SC2016
	"$here/uml/uml.sh" --kernel "$1" -- sh -c 'cd "$1" && shift && for name; do "./$name" || exit; done' sh \
		"$folder" "${KSELFTESTS[@]}"
}

inside_kernel() {
	local object kernel
	object="${2%.c}.o"
	kernel="$(uml_entry)/build/linux"
	case "$1" in
	build)
		kernel_made "$object" || return
		echo "$(uml_entry)/build/$object" ;;
	tests)
		kernel_made linux >/dev/null && "$here/test/kunit.sh" --kernel "$kernel" && kselftests "$kernel" ;;
	esac
}

inside() {
	local file="$2" room filter name
	if [[ $file == *.c ]]; then
		inside_kernel "$@"
		return
	fi
	ulimit -c 0 -v "$MEMORY_KB" -f "$FILE_KB"
	room="$(room_of "${file#"$src"/}")"
	case "$1" in
	build)
		name="$PWD/out/${file#tools/grtrace/}"
		made "${name%.cpp}.o"
		printf '%s\n' "${name%.cpp}.o" ;;
	tests)
		filter="$(suites "$room")"
		if [ -n "$filter" ]; then
			made "$PWD/out/unit_tests" >/dev/null
			out/unit_tests --gtest_brief=1 --gtest_fail_fast --gtest_filter="$filter"
		fi
		made all synth workload >/dev/null
		for name in $(cli_tests "$room"); do
			O="$PWD/out" sh "tools/grtrace/tests/cli/$name.t" || { echo "# seen by $name.t"; return 1; }
		done
		case "$room" in
		drive|grtrace) ;;
		*)
			if ! python3 -B tools/grtrace/tests/truth/judge.py --build out --only stored; then
				echo "# seen by the judge"
				return 1
			fi ;;
		esac ;;
	esac
}

if [ "${1:-}" = --inside ]; then
	inside "$2" "$3"
	exit
fi

# ------------------------------------------------------------------- from outside
sample=100 seed=$RANDOM room='' only=() list=
options '--sample: --seed: --room: --only+ --list' "$@"
[ ${#args[@]} = 0 ] || usage_error "takes no '${args[*]}'"
room="${room%/}" only=("${only[@]/#/--only=}")
[[ $sample =~ ^[1-9][0-9]*$ ]] || usage_error "--sample $sample: not a number of changes"
[[ $seed =~ ^[0-9]+$ ]] || usage_error "--seed $seed: not a number"

cd "$checkout"
rooms=("${tools_rooms[@]}" kernel)
case "$room" in
'') ;;
tools) rooms=("${tools_rooms[@]}") ;;
*) rooms=("$room") ;;
esac
files=()
for room in "${rooms[@]}"; do
	if [ "$room" = kernel ]; then
		mapfile -t -O ${#files[@]} files < <(core_of_kernel)
	elif [[ " ${tools_rooms[*]} " == *" $(room_of "$room") "* ]] && [ -d "$src/$room" ]; then
		mapfile -t -O ${#files[@]} files < <(find "$src/$room" -name '*.cpp' | LC_ALL=C sort)
	else
		usage_error "there is no room '$room'"
	fi
done
if [ -n "$list" ]; then
	printf '%s\n' "${files[@]}"
	exit
fi
"$here/deps.sh" build test
case "${files[*]}" in *.c|*".c "*) "$here/deps.sh" uml series ;; esac

work="$CACHE/mutants/$(printf '%s' "$checkout" | sha256sum | cut -c1-8)"

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
	# What is only read is the cache's own.
	for shared in kernels apt chroots sparse run; do
		[ ! -d "$CACHE/$shared" ] || ln -sfn "$CACHE/$shared" "$work/cache/grtrace/$shared"
	done
}

run_mutants() {
	copy_checkout
	cd "$work/tree"
	CCACHE_DIR="$(ccache -k cache_dir)"
	export CCACHE_DIR
	export XDG_CACHE_HOME="$work/cache" TMPDIR="$work/tmp"
	python3 -B scripts/grtrace/lib/mutants.py --build "scripts/grtrace/test/mutants.sh --inside build" \
		--tests "scripts/grtrace/test/mutants.sh --inside tests" --rooms "$src/" \
		--judged "$checkout/scripts/grtrace/test/mutants.judged" --reasons scripts/grtrace/test/mutants.why --sample "$sample" --seed "$seed" "${only[@]}" \
		"${files[@]}"
}
cache_lock "mutants-${work##*/}" run_mutants
