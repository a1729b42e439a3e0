#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures what the kernel side costs and what the same costs elsewhere, on this
# machine.  Prints tables in Markdown with what could not be measured in words;
# last, a line for each bar:
#
#	BAR <name> <value> <unit> <limit> ok|short
#
# Usage: bench.sh [--quick [ID...]] [PART...]
#
#   PART     only these: off icount scale rate uml
#   --quick  no tables and no bars: instructions for each record, in seconds, of
#            a few cases or of those with these IDs (see bench/cases)
#
# Tables and CSV stand in out/bench/ afterwards.
#
# Exit status: 0 when all was measured, whether bars were met or not; else 1; 2
# wrong usage.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report cache base; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

BASE=7.3
QUICK_CASES="hook-off submit submit-soft submit-hard job commit complete error wait-enter overwrite type-out
	device-in ctx-in pid-job sample-half sample-out bucket-in slow-both profile everything"

# One instruction is one nanosecond, and nothing waits for real time.
ICOUNT=(--cpus 1 --qemu "-icount shift=0,sleep=off")

# guest_icount PEERS [ID...]: the guest's lines.
guest_icount() {
	local peers="$1" modules
	shift
	modules="$("$here/modules.sh" "$BASE")"
	"$here/vm.sh" "${ICOUNT[@]}" --modules-dir "$modules" "$BASE" -- \
		bash "$here/guest/bench.sh" "$here/bench/cases" "$peers" cycles "$@"
}

quick() {
	local ids=("$@")
	[ $# -gt 0 ] || read -rd '' -a ids <<<"$QUICK_CASES" || true
	guest_icount - "${ids[@]}" | awk -F'|' '
	$1 == "empty-task" { empty = $6 }
	/^empty/ { next }
	$6 == "" { printf "%-16s %s\n", $1, $2; next }
	{ printf "%-16s %8.2f   mean %8.2f   bytes %s %s\n", $1, ($6 - empty) / $4, ($7 / $5 - empty) / $4,
		($9 ? sprintf("%.2f", $10 / $9) : "-"), ($2 == "ok" ? "" : $2) }'
}

case "${1:-}" in
-h|--help) usage "$0"; exit ;;
--quick) shift; quick "$@"; exit ;;
esac
