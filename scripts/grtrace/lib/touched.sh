# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Lists the files that the series adds to the kernel or changes there, for
# checks of the patched tree. Only new findings count: a tool's output for a
# file of the kernel is compared with its output for the original file. Call
# it under the lock of a tree (overlay_with): it uses that tree's "repo" and "source".
# Needs series.sh.

# It uses these variables of its caller: repo, source.
# shellcheck disable=SC2154

# touched KIND REGEX: the files that the series adds ("new") or changes ("old")
# whose name matches.
touched() {
	local filter=A
	[ "$1" = new ] || filter=M
	series_git "$repo" diff --name-only --no-renames --diff-filter="$filter" base checkout | grep -E "$2" || true
}

# without_places: of messages on stdin "FILE:LINE:COLUMN: TEXT", what stays the
# same when lines are added above.
without_places() { sed -E 's/^([^ :]+)(:[0-9]+)+:? /\1: /; s/\b(line) [0-9]+/\1/g'; }

# only_new OLD NEW: the messages of NEW, with their places, that are not in OLD
# as often.
only_new() {
	local message
	LC_ALL=C comm -13 <(without_places <"$1" | LC_ALL=C sort) <(without_places <"$2" | LC_ALL=C sort) |
		LC_ALL=C sort -u | while IFS= read -r message; do
		paste <(without_places <"$2") "$2" |
			awk -F'\t' -v want="$message" '$1 == want { print $2 }'
	done | LC_ALL=C sort -u
}
