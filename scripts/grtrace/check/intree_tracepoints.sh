#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Finds trace events that nothing fires (make UT=1) in the patched kernel and its
# modules.  Prints the events that the series adds, or from which it removes a
# call.
#
# Usage: check/intree_tracepoints.sh
#
# Exit status: 0 clean, 1 findings.
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache series touched

BASE=7.3

options '' "$@"
[ $# = 0 ] || usage_error "takes no argument"
build="$("$here/kernel/intree.sh" --build "$BASE")"
cd "$checkout"
repo="$(series_repo "$("$here/kernel/kernel.sh" "$BASE" source)")"
status=0

# The kernel's tool, as the link calls it: it would not say anything again.
unused() {
	local module
	"$build/scripts/tracepoint-update" "$build/vmlinux.o" 2>&1 || return
	while read -r module; do
		"$build/scripts/tracepoint-update" --module "$build/$module" 2>&1 || return
	done <"$build/modules.order" | sed "s#$build/##"
}
said="$(unused)" || { printf '%s\n' "$said"; exit 1; }

# Names that the patches write, as definition or as call.
series_git "$repo" diff base checkout -- '*.c' '*.h' | grep '^[-+]' >"$work/diff"
while IFS= read -r line; do
	name="$(sed -nE "s/.*tracepoint '([^']*)' is unused.*/\1/p" <<<"$line")"
	# The kernel has stand-ins of these drivers, which fire nothing.
	case "$line" in */drm/amd/*|*/drm/nouveau/*)
		[ -n "$name" ] || continue
		! grep -rq --include='*.c' "trace_$name(" "$build/source/drivers/gpu/drm/"{amd,nouveau} || continue ;;
	esac
	if [ -z "$name" ] || grep -qE "\b(trace_)?$name(_enabled)?\b" "$work/diff"; then
		printf '%s\n' "$line"
		status=1
	fi
done < <(grep . <<<"$said")
exit "$status"
