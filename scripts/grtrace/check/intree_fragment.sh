#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The fragment for distributions on Debian's own configuration: each option takes
# effect.  Prints those that do not.
#
# Usage: check/intree_fragment.sh
#
# Exit status: 0 clean, 1 findings.

# What runs under a lock of the cache is called by name, with variables of its
# caller:
# shellcheck disable=SC2317,SC2154
set -euo pipefail
shopt -s inherit_errexit
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
. "$here/lib/use.sh" report cache files series overlay kbuild

BASE=7.3
FRAGMENT=Documentation/gpu/grtrace/distribution.config

case "${1:-}" in -h|--help) usage "$0"; exit ;; esac
[ $# = 0 ] || usage_error "takes no argument"
"$here/deps.sh" kernel series
debian="$("$here/kernel/kernel.sh" "$BASE" headers)/.config"
cd "$here/../.."

# The trees' own tool says which option came out otherwise.
merge() {
	local build="$entry/build-fragment" status=0 missing
	mkdir -p "$build"
	cp "$debian" "$build/.config"
	grep -v '^#' "$FRAGMENT" >>"$build/.config"
	kbuild "$tree" "$build" olddefconfig >"$build/log" 2>&1 || status=$?
	[ "$status" = 0 ] || { cat "$build/log"; return 1; }
	missing="$(grep ^CONFIG "$FRAGMENT" | grep -vxFf "$build/.config" || true)"
	[ -z "$missing" ] || { printf 'not in effect with the configuration of Debian:\n%s\n' "$missing"; return 1; }
}
overlay_with "$("$here/kernel/kernel.sh" "$BASE" source)" links merge
