#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The compiler cache has the tools' objects, so a checkout in another folder compiles
# nothing that did not change. The test has one source of each kind: a plain one, one in a
# directory that the release links as one file, ones generated from the page, by protoc, and
# from a BPF program, and a unit test with its precompiled header.  Before that: a CLI test
# that does not end, or that does not exist.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
"$here/deps.sh" build
objects=(lib/text/nearest words/data/spans words/page/page_text words/export/perfetto.pb words/annotate/drm_probes)
CCACHE_DIR="$(ccache -k cache_dir)"
export CCACHE_DIR CCACHE_STATSLOG="$work/said" XDG_CACHE_HOME="$work/cache"
unset GRTRACE_FILLED			# which is of a cache that stays

# builds CHECKOUT [OPTION]: those of a copy of this checkout.
builds() {
	mkdir -p "$work/$1"
	( cd "$here/../.." && cp -r --parents scripts/grtrace tools/grtrace include/uapi Documentation \
		tools/testing/selftests/grtrace "$work/$1" )
	: >"$work/said"
	"$work/$1/scripts/grtrace/tools.sh" "${@:2}" --only "${objects[@]}" >"$work/out" 2>&1
}
objects=("${objects[@]/#/src/}")
objects=("${objects[@]/%/.o}" tests/unit/precompiled.h.gch tests/unit/lib/text/nearest_test.o)

shows "$work/out" "$work/said"
cli() { CASE_SECONDS=1 sh "$here/../../tools/grtrace/tests/cli/run.sh" "$1" >"$work/out" 2>&1; }

printf 'echo "ok 1 - begun"\nsleep 60 &\nsleep 60\n' >"$work/hangs.t"
cli "$work/hangs.t"
[ $? = 1 ] && grep -q '^not ok 0 - hangs.t # not done after 1 s$' "$work/out"
result $? a_cli_test_that_hangs_is_ended_and_named
cli nobody
[ $? = 2 ] && grep -q "^there is no CLI test 'nobody', only .* export.t " "$work/out"
result $? a_cli_test_that_does_not_exist_is_an_error
hits() { [ "$(grep -cE '^(direct|preprocessed)_cache_hit' "$work/said")" = ${#objects[@]} ]; }

builds first
result $? the_first_checkout_builds
builds "another/and deeper" && hits
result $? another_one_compiles_nothing
builds first --release && builds third --release && hits
result $? nor_does_a_release
objects=(grtrace-status)
builds fourth && compiled="$(find "$(tail -n 1 "$work/out")/src/words" -name '*.o' -printf '%h\n' | sed 's,.*/words/,,' | LC_ALL=C sort -u | paste -sd' ')" &&
	[ "$compiled" = "columns program status" ]
result $? a_program_compiles_its_own_directories_only
status="$(tail -n 1 "$work/out")/grtrace-status"
linked="$(stat -c %.9Y "$status")"
rm "${status%/*}"/words-*.a
"$work/fourth/scripts/grtrace/tools.sh" --only grtrace-status >"$work/out" 2>&1 && ls "${status%/*}"/words-*.a >>"$work/out" &&
	[ "$(stat -c %.9Y "$status")" = "$linked" ]
result $? another_archive_of_the_same_objects_links_nothing_again
make -C "$work/fourth/tools/grtrace" -n O="$work/new" | grep -E ' -o \S+/(grparse|grtrace(-[a-z]+)?) ' >"$work/out"
[ ! -s "$work/out" ]
result $? a_program_is_there_at_any_time
plan
