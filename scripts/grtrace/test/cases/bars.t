#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the lines of bench/bars.py: above all that what was not measured meets no bar.
. "$(dirname "$0")/../../lib/use.sh" result
set +e

# line NAME WANTED WORD...: the line of a bar, or nothing and a failure.
line() {
	local name="$1" wanted="$2"; shift 2
	equal "$name" "$wanted" "$(python3 -B "$here/bench/bars.py" "$@" 2>"$work/said" || sed 's/:.*//' "$work/said")"
}

line within 'BAR demo_warm 15.3 s 20 ok' demo_warm 15.3 s 20
line at_its_limit 'BAR demo_warm 20.0 s 20 ok' demo_warm 20.0 s 20
line beyond 'BAR demo_warm 100 s 20 short' demo_warm 100 s 20
line least 'BAR jobs_rate 17.9 Mrecords/s 18 short' jobs_rate 17.9 Mrecords/s 18 least
line at_least 'BAR jobs_rate 18 Mrecords/s 18 ok' jobs_rate 18 Mrecords/s 18 least
line nothing_measured bars.py demo_warm '' s 20
line no_number bars.py demo_warm n/a s 20
line not_a_number bars.py demo_warm nan s 20 least
line words_missing bars.py demo_warm 15.3 s

# of WORD: what holds() says of a test that prints a bar with this word.
of() { ( . "$here/lib/result.sh"; holds rate echo "BAR rate 0.9 M/s 1 $1" ) | grep 'ok '; }
equal a_short_bar_is_a_failure 'not ok 1 - rate' "$(of short)"
equal another_is_none 'ok 1 - rate' "$(of ok)"
plan
