#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the counts of lib/tap.sh, above all for logs that end too early.
. "$(dirname "$0")/../../lib/use.sh" tap result
set +e
log="$work/log"

# counts NAME COUNTER WANTED LOG: LOG with \n for new lines.
counts() {
	printf '%b' "$4" >"$log"
	equal "$1" "$3" "$("$2" "$log")"
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

counts all_cases_skipped tap_count '0 0 2' \
	'1..1\n# 1..2\n# ok 1 a # SKIP no x\n# ok 2 b # SKIP no x\nok 1 selftests: grtrace: p # SKIP\n'

# judged NAME WANTED WHERE LOG: what is made of LOG there, its lines joined by /.
judged() { where="$3"; counts "$1" joined_verdicts "$2" "$4"; }
joined_verdicts() { tap_judge "$where" <"$1" | paste -sd/; }
TAP_SKIPS="$work/skips"
cat >"$TAP_SKIPS" <<'LIST'
# a comment
6.12*,7.3  p_test     d*     no device
6.12*      q_test     *      no *
cli        -          jq: *  there is no jq
cli        -          whole  no page
unit       -          A.b    *
LIST
runner='# selftests: grtrace: '
judged skip_is_allowed "${runner}p_test/# ok 1 drm # SKIP no device (allowed)/# ok 2 x/ok 1 selftests: grtrace: p_test" \
	7.3 "${runner}p_test\n# ok 1 drm # SKIP no device\n# ok 2 x\nok 1 selftests: grtrace: p_test\n"
judged skip_elsewhere '# selftests: grtrace: p_test/# not ok 1 drm # may not be skipped on 7.3-kasan: no device' \
	7.3-kasan "${runner}p_test\n# ok 1 drm # SKIP no device\n"
judged skip_for_another_reason '# selftests: grtrace: p_test/# not ok 1 drm # may not be skipped on 7.3: the modules cannot be loaded' \
	7.3 "${runner}p_test\n# ok 1 drm # SKIP the modules cannot be loaded\n"
judged skip_of_another_case '# selftests: grtrace: p_test/# not ok 1 edrm # may not be skipped on 7.3: no device' \
	7.3 "${runner}p_test\n# ok 1 edrm # SKIP no device\n"
judged skip_of_another_program '# selftests: grtrace: r_test/# not ok 1 drm # may not be skipped on 7.3: no device' \
	7.3 "${runner}r_test\n# ok 1 drm # SKIP no device\n"
judged program_may_be_skipped '# selftests: grtrace: q_test/# 1..0 # SKIP no y/ok 1 selftests: grtrace: q_test # SKIP no y (allowed)' \
	6.12-trixie "${runner}q_test\n# 1..0 # SKIP no y\nok 1 selftests: grtrace: q_test # SKIP\n"
judged program_may_not_be_skipped '# selftests: grtrace: p_test/# 1..0 # SKIP no device/not ok 1 selftests: grtrace: p_test # may not be skipped on 7.3: no device' \
	7.3 "${runner}p_test\n# 1..0 # SKIP no device\nok 1 selftests: grtrace: p_test # SKIP\n"
judged program_without_a_reason '# selftests: grtrace: p_test/not ok 1 selftests: grtrace: p_test # may not be skipped on 7.3: no reason is given' \
	7.3 "${runner}p_test\nok 1 selftests: grtrace: p_test # SKIP\n"
judged program_of_skipped_cases \
	'# selftests: grtrace: q_test/# ok 1 a # SKIP no x (allowed)/ok 1 selftests: grtrace: q_test # SKIP all its cases were (allowed)' \
	6.12 "${runner}q_test\n# ok 1 a # SKIP no x\nok 1 selftests: grtrace: q_test\n"
judged program_that_says_so \
	'# selftests: grtrace: q_test/# ok 1 a # SKIP no x (allowed)/ok 1 selftests: grtrace: q_test # SKIP all its cases were (allowed)' \
	6.12 "${runner}q_test\n# ok 1 a # SKIP no x\nok 1 selftests: grtrace: q_test # SKIP\n"
judged judged_twice 'ok 1 a # SKIP no x (allowed)' 7.3 'ok 1 a # SKIP no x (allowed)\n'
judged plain_skip 'ok 1 - jq: all # SKIP there is no jq (allowed)/not ok 2 - jq # may not be skipped on cli: there is no jq' \
	cli 'ok 1 - jq: all # SKIP there is no jq\nok 2 - jq # SKIP there is no jq\n'
judged test_that_skips_itself '1..1/not ok 1 whole # may not be skipped on cli: there is no man' cli '1..0 # SKIP there is no man\n'
judged test_that_may_skip_itself '1..1/ok 1 whole # SKIP no page (allowed)' cli '1..0 # SKIP no page\n'
judged gtest_skip '[  SKIPPED ] A.b (0 ms)/[  FAILED  ] A.c (0 ms)' unit '[  SKIPPED ] A.b (0 ms)\n[  SKIPPED ] A.c (0 ms)\n'

# said NAME WANTED LOG: the failures, their lines joined by /.
said() { counts "$1" joined_failures "$2" "$3"; }
joined_failures() { tap_failures "$1" | paste -sd/; }
said nothing_failed '' '1..1\n# # fine\n# ok 1 a\nok 1 x\n'
said why_it_failed '# # b: 1, not 0/# not ok 2 b/not ok 1 x # exit=1' \
	'1..1\n# # of a\n# ok 1 a\n# # b: 1, not 0\n# not ok 2 b\n# # Totals: pass:1 fail:1\nnot ok 1 x # exit=1\n'
said newest_of_many '# 3/# 4/# 5/# 6/# 7/# 8/# 9/# 10/not ok 1 a' \
	"$(seq -s '\n' -f '# %g' 10)\\nnot ok 1 a\\n"
plan
