#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A stored capture stays readable for ever: what is printed of the demo's captures is to
# the byte what it was when they were recorded.  Whoever adds a column changes the sums
# here, after a look at the rows; what they mean is judged by tests/truth.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# golden BASE SUM: the sum of the rows of all events.
golden()
{
	mkdir "$1"
	for file in "$here/../captures/demo-$1"/*.xz; do
		xz -dc "$file" > "$1/$(basename "$file" .xz)"
	done
	check "$1: is read" 0 '' "$grparse" -q --csv -D "$1" x
	cp out rows
	[ ! -s err ]
	result $? "$1: without a complaint"
	check "$1: each row is as it was" 0 "^$2 " sha256sum rows
	check "$1: its jobs" 0 '' "$grtrace" report --csv jobs -D "$1" x
	# As the load counted them; a hung one ends with the error of its timeout.
	awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$1 == "grtrace_mock.0" {
			jobs++
			failed += $column["error"] != 0
			hung += $column["error"] == -62
		}
		END { print jobs, failed, hung }' jobs > out
	[ "$(cat out)" = "520 6 2" ]
	result $? "$1: as many as its load has counted"
}

golden 6.12 040eae8553c31e30d31f3b48aa2f4fdc0dd5e75f39aaedf2b555db2ab42900a0
golden 7.3 3cbfdead43bd310a0cf7c997eb897f672cba9d671fa03f8c1cc694e6f0032b60
golden 7.3-intree fff21dca0d78a8f89caf066440348c1507d7ed035d2a921628a244907ca661f1

finish
