#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What lib/tap.sh makes of logs, above all of those that end too early.
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=scripts/grtrace/lib/tap.sh
. "$here/../lib/tap.sh"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
number=0 status=0

# counts NAME COUNTER WANTED LOG: LOG with \n for new lines.
counts() {
	local got
	number=$((number + 1))
	printf '%b' "$4" >"$log"
	got="$("$2" "$log")"
	if [ "$got" = "$3" ]; then
		echo "ok $number $1"
	else
		echo "# wanted $3, got $got"
		echo "not ok $number $1"
		status=1
	fi
}

counts nothing tap_count '0 0 0' ''
counts plain_lines tap_count '1 1 1' '1..3\nok 1 a\nok 2 b # SKIP no root\nnot ok 3 c\n'
counts plain_line_missing tap_count '1 1 0' '1..2\nok 1 a\n'
counts two_plans tap_count '2 1 0' '1..2\nok 1 a\n1..1\nok 1 b\n'
counts inner_lines_count tap_count '1 1 1' \
	'1..1\n# 1..3\n# ok 1 a\n# ok 2 b # SKIP\n# not ok 3 c\nnot ok 1 x # exit=1\n'
counts inner_line_missing tap_count '1 1 0' '1..1\n# 1..2\n# ok 1 a\nnot ok 1 x # exit=139\n'
counts died_after_its_tests tap_count '1 1 0' '1..1\n# 1..1\n# ok 1 a\nnot ok 1 x # exit=139\n'
counts died_before_its_tests tap_count '0 1 0' '1..1\nnot ok 1 x # TIMEOUT 240 seconds\n'
counts programs_missing tap_count '1 2 0' '1..3\n# 1..1\n# ok 1 a\nok 1 x\n'
counts program_skipped tap_count '0 0 1' '1..1\n# 1..0 # SKIP no module\nok 1 x # SKIP\n'
counts did_not_start tap_count '0 1 0' '1..1\nok 1 x # XFAIL\n'
counts no_gtest gtest_count '0 0 0' ''
counts gtest gtest_count '1 1 1' '[==========] Running 3 tests from 1 test suite.\n[       OK ] A.a (0 ms)\n[  FAILED  ] A.b (1 ms)\n[  SKIPPED ] A.c (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b\n'
counts gtest_crashed gtest_count '1 2 0' '[==========] Running 3 tests from 1 test suite.\n[       OK ] A.a (0 ms)\n[ RUN      ] A.b\n'

# said NAME WANTED LOG: the failures, their lines joined by /.
said() { counts "$1" joined_failures "$2" "$3"; }
# Called by name:
# shellcheck disable=SC2317
joined_failures() { tap_failures "$1" | paste -sd/; }
said nothing_failed '' '1..1\n# # fine\n# ok 1 a\nok 1 x\n'
said why_it_failed '# # b: 1, not 0/# not ok 2 b/not ok 1 x # exit=1' \
	'1..1\n# # of a\n# ok 1 a\n# # b: 1, not 0\n# not ok 2 b\n# # Totals: pass:1 fail:1\nnot ok 1 x # exit=1\n'
said newest_of_many '# 3/# 4/# 5/# 6/# 7/# 8/# 9/# 10/not ok 1 a' \
	"$(seq -s '\n' -f '# %g' 10)\\nnot ok 1 a\\n"
echo "1..$number"
exit "$status"
