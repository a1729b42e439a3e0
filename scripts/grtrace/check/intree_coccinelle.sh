#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the kernel's Coccinelle scripts over the files that the patches change, as
# make coccicheck MODE=report does. Findings in the original files are left out.
# coccinelle.sh checks our own files.
#
# Usage: check/intree_coccinelle.sh
#
# Exit status: 0 clean, 1 findings.
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache files series cocci touched

BASE=7.3

options '' "$@"
[ $# = 0 ] || usage_error "takes no argument"
"$here/deps.sh" check series
cd "$checkout"
kernel="$("$here/kernel/kernel.sh" "$BASE" source)"
repo="$(series_repo "$kernel")"
tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT
cocci_macros >"$tmp/macros.h"
mapfile -t old < <(touched old '\.[ch]$')
mapfile -t rules < <(kernel_rules)
[ "${#rules[@]}" -gt 50 ] || { echo "the kernel's scripts were not found in $kernel/scripts/coccinelle"; exit 1; }

# run_rules COMMIT RULE...: on the touched files as they are there, as
# "FILE:LINE: TEXT [RULE]" to $tmp/COMMIT.
run_rules() {
	local commit="$1" rule; shift
	rm -rf "$tmp/code" "$tmp/found"
	mkdir "$tmp/code" "$tmp/found"
	series_git "$repo" archive "$commit" "${old[@]}" | tar -x -C "$tmp/code"
	( cd "$tmp/code" && spatch_rules "$@" )
	for rule; do
		sed "s|\$| [$(basename "$rule")]|" "$tmp/found/$(basename "$rule" .cocci)"
	done | sed -E 's/^([^ :]+:[0-9]+)(:[0-9]+)?(-[0-9]+)?: /\1: /' >"$tmp/$commit"
}

[ ${#old[@]} -gt 0 ] || exit 0
run_rules checkout "${rules[@]}"
: >"$tmp/base"
if [ -s "$tmp/checkout" ]; then
	# Only the rules that found something.
	mapfile -t again < <(printf '%s\n' "${rules[@]}" | grep -F "$(sed -E 's|.*\[([^]]*)\]$|/\1|' "$tmp/checkout" | sort -u)")
	run_rules base "${again[@]}"
fi
! only_new "$tmp/base" "$tmp/checkout" | grep .
