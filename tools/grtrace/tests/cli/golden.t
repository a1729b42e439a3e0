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

golden 6.12 29dd512086f6ffa4303fdaabca9e2bd65affbd4ac04eae656fcaf32ea8128ba3
golden 7.3 02a2b18dfee5109b62ff23e96089ea801d9b272fe46b88a384a9490285c3e1dd
golden 7.3-intree 3504149f2451827cdec96f0d4ccc0c55ea86e6f726ad2eedaa12f69a81a6b25d

finish
