#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The compiler cache has the tools' objects, so a checkout in another folder compiles
# nothing that did not change. The test has one source of each kind: a plain one, one in a
# directory that the release links as one file, and ones generated from the page, by
# protoc, and from a BPF program.
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
objects=("${objects[@]/%/.o}")

shows "$work/out" "$work/said"
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
plan
