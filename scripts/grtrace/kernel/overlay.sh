#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Makes a kernel source tree with the patch series and our files of this checkout.
# Prints the tree's folder, which is always the same: only files that changed here
# are changed there, so that make builds only what is needed.  Build it with O= in
# another folder, because the tree shares its files with the unpacked source.
#
# Usage: overlay.sh BASE [NAME]
#
#   BASE  7.3 (a newer one when Debian has it), or a kernel source tree
#   NAME  a tree of its own, which no other call changes (default: work)
#
# Exit status: 1 if a patch does not apply; the message names the hunk.
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache series overlay

options '' "$@"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
	usage_error "needs a base"
fi
[[ ${2:-work} =~ ^[a-z0-9-]+$ ]] || usage_error "'$2' is not a name for a tree: letters and digits"
"$here/deps.sh" series
source="$(overlay_source "$1")"
cd "$checkout"

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
show() { printf '%s\n' "$tree"; }
overlay_with "$source" "${2:-work}" show
