#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Builds the tools and prints their folder.  As with the modules, only changed
# sources are copied to the cache: the checkout stays clean, a new clone at the
# same place builds nothing that did not change, and a clone at another place
# compiles nothing that ccache has seen.
#
# Usage: tools.sh [--release] [--only PROGRAM... | MAKE ARGS]
#
#   --release  as they are installed: the hot code is compiled as one file, which
#              takes half a minute; they are in a folder of their own
#   --only     these programs and nothing else, e.g. grparse grtrace
#   MAKE ARGS  what to make instead of the programs, e.g. unit-test, fuzz T=60, cli-test
#              CLI="export findings", or golden, which writes the text beside the stored
#              captures again; its output is shown and no folder printed
. "$(dirname "$0")/lib/use.sh" cache

case "${1:-}" in -h|--help) usage "$0"; exit ;; esac
[ -e "$checkout/tools/grtrace/Makefile" ] ||
	die "cannot build the tools: $checkout/tools/grtrace has no Makefile"
lto=
if [ "${1:-}" = --release ]; then
	lto=y
	shift
fi
only=() rooms=''
if [ "${1:-}" = --only ]; then
	shift
	[ $# -gt 0 ] || usage_error "--only needs a program"
	only=("$@")
	set --
	# A word's program, and whatever that may call.
	words=()
	for program in "${only[@]}"; do
		case "$program" in grtrace-*) words+=("words/${program#grtrace-}") ;; esac
	done
	rooms="$("$here/check/rooms.sh" --below grtrace "${words[@]}" | paste -sd' ')"
	"$here/deps.sh" core
else
	"$here/deps.sh" build
fi
build="$CACHE/tools/$(printf '%s' "$checkout" | sha256sum | cut -c1-8)"
# Below it, so that the compiler sees no path that is the checkout's own.
out="$build/out${lto:+-release}"

# copy_sources: without a new time on what did not change. Tests try the manual's examples.
copy_sources() {
	local shared=tools/testing/selftests/grtrace	# defaults of the configuration, a reader

	mkdir -p "$build/tools/grtrace" "$build/include/uapi/drm" "$build/Documentation/gpu" "$build/Documentation/ABI/testing" "$build/$shared"
	rsync -rpc --delete "$checkout/Documentation/gpu/grtrace" "$build/Documentation/gpu/"
	rsync -pc "$checkout/Documentation/ABI/testing/debugfs-grtrace" "$build/Documentation/ABI/testing/"
	rsync -rlpc --delete "$checkout/tools/grtrace/" "$build/tools/grtrace/"
	rsync -pc "$checkout/include/uapi/drm/grtrace_drm.h" "$build/include/uapi/drm/"
	rsync -pc "$checkout/$shared/defaults" "$checkout/$shared"/*.h "$build/$shared/"
}

# make_tools ARGS: make, with what ccache knows, also of another checkout.
make_tools() {
	CCACHE_BASEDIR="$build" CCACHE_NOHASHDIR=1 make --no-print-directory -j "$(nproc)" -C "$build/tools/grtrace" \
		O="$out" GOLDEN="$checkout/tools/grtrace/tests/captures" LTO="$lto" ROOMS="$rooms" CXX="ccache g++" CLANG="ccache clang++" "$@"
}

# shared ARGS: what their tests are made of as well. Only one run at a time makes it; each then
# runs its own tests.
shared() {
	[ $# = 0 ] || printf '%s\n' all synth workload
	case " $* " in *" unit-test "*) printf '%s\n' "$out/unit_tests" ;; esac
}

# compile: with a log, and progress for the user.
logged() { "$@" >"$out.log" 2>&1 </dev/null; }
compiled() { printf 'compiling the tools: file %s of %s\n' "$(grep -c -- ' -c -o ' "$out.log")" "$files"; }

compile() {
	files="$(make_tools --dry-run "$@" 2>/dev/null | grep -c -- ' -c -o ')" || true
	with_progress compiled logged make_tools "$@"
}

build_tools() {
	copy_sources
	if ! compile "$@"; then
		cat "$out.log" >&2
		die "the tools could not be built: see the compiler's messages above"
	fi
	# The tests of a room that is not built would not be there either.
	if grep ' is not built: there is no ' "$out.log" >&2; then
		die "a part of the tools (above) was not built, so its tests would be missing"
	fi
	if grep -q 'warning:' "$out.log"; then
		cat "$out.log" >&2
		# An object that exists would not be compiled, and not warned about, again.
		make_tools clean >/dev/null
		die "the tools were built, but with warnings (above), which count as errors"
	fi
}

mkdir -p "$build"
mapfile -t targets < <(shared "$@")
cache_lock "tools-${build##*/}" build_tools "${only[@]/#/$out/}" "${targets[@]}"
if [ $# -gt 0 ]; then
	make_tools "$@" </dev/null
else
	printf '%s\n' "$out"
fi
