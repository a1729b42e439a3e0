#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs mutants.sh on a small tree, with changes that the tree's tests notice and
# changes that they do not.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
shows "$work/out"
cd "$work" || exit 1
mkdir room
cat >build <<'END'
#!/bin/sh
gcc -O1 -Wno-unused -g -c -o "${1%.c}.o" "$1" && echo "${1%.c}.o"
END
cat >tests <<'END'
#!/bin/sh
echo "$1" >>asked
printf 'unsigned int sum(unsigned int, unsigned int); int main(void) { return sum(%s) != %s; }\n' $(cat numbers) >main.c
gcc -o program main.c room/sum.c && ./program
END
chmod +x build tests

# mutated ARGS: a sum whose body is on stdin.
mutated() {
	{
		printf 'struct pair { int a, b; };\n/* 1 + 1 == 2, !true */\n'
		printf 'const char *text(void);\nunsigned int sum(unsigned int a, unsigned int b)\n{\n'
		cat
		printf '}\n'
	} >room/sum.c
	cp room/sum.c before
	rm -f asked
	python3 -B "$here/lib/mutants.py" --build ./build --tests ./tests --sample 9 --seed 1 --least 2 "$@" \
		room/sum.c >out 2>&1
	code=$?
}
# told NAME EXIT LINE...: it said these lines.
told() {
	local name="$1" wanted="$2" line bad=0; shift 2
	[ "$code" = "$wanted" ] || { echo "exit $code" >>out; bad=1; }
	for line; do
		grep -qxF -- "$line" out || { echo "no line '$line'" >>out; bad=1; }
	done
	cmp -s room/sum.c before || { echo "the file is not as it was" >>out; bad=1; }
	[ "$(echo room/*)" = "room/sum.c room/sum.o" ] || { echo room/* >>out; bad=1; }
	result "$bad" "$name"
}

echo 2,2 4 >numbers
mutated <<<'	return a + b;'
told what_the_tests_see 0 '# seed 1: 9 of 2 places in 1 files' 'killed room/sum.c:6: + -> -' \
	'killed room/sum.c:6: a + b -> 0' 'BAR mutants_surviving 0 of 2'
[ "$(wc -l <asked)" = 3 ]
result $? the_tests_run_once_without_a_change
echo 0,0 0 >numbers
mutated <<<'	return a + b;'
told what_they_do_not_see 1 'SURVIVED room/sum.c:6: + -> -' '#   return a + b;' 'BAR mutants_surviving 2 of 2'
printf 'room/sum.c\t+ -> -\treturn a + b;\tnothing but 0 is added\n' >why
mutated --reasons why <<<'	return a + b;'
told a_known_survivor_has_its_reason 1 '#   why: nothing but 0 is added' 'BAR mutants_surviving 2 of 2'
mutated --sample 1 <<<'	return a + b;'
told a_sample 1 '# seed 1: 1 of 2 places in 1 files' 'BAR mutants_surviving 1 of 1'
echo 2,2 4 >numbers
mutated --sample 1 --judged judged <<<'	return a + b;'
[ "$(wc -l <asked)" = 2 ] && mutated --judged judged <<<'	return a + b;'
told a_run_that_was_ended_goes_on 0 'killed room/sum.c:6: + -> -' 'killed room/sum.c:6: a + b -> 0' \
	'# 1 of these verdicts are of earlier runs' 'BAR mutants_surviving 0 of 2'
[ "$(wc -l <asked)" = 2 ]
result $? what_was_judged_is_not_tried_again
mutated --judged judged <<<'	return b + a;'
told a_verdict_is_of_one_content_of_a_file 0 '# 0 of these verdicts are of earlier runs'
echo 0,0 0 >numbers
rm judged
mutated --judged judged <<<'	return a + b;'
echo 2,2 4 >numbers
mutated --judged judged <<<'	return a + b;'
told survivors_are_judged_again 0 'killed room/sum.c:6: + -> -' 'BAR mutants_surviving 0 of 2'
mutated --only room/sum.c:6 --judged judged <<<'	return a + b;'
told and_what_is_named 0 '# 0 of these verdicts are of earlier runs' 'BAR mutants_surviving 0 of 2'
rm judged
echo 0,0 0 >numbers
mutated --only 'room/sum.c:6: + -> -' <<<'	return a + b;'
told the_place_that_is_named 1 '# seed 1: 1 of 1 places in 1 files' 'SURVIVED room/sum.c:6: + -> -' \
	'BAR mutants_surviving 1 of 1'
mutated --only room/sum.c:6 <<<'	return a + b;'
told all_of_the_line_that_is_named 1 'BAR mutants_surviving 2 of 2'

echo 2,2 4 >numbers
mutated <<<'	for (; b; b -= 1)
		a += 1;
	for (; b;)
		;
	return a;'
told a_test_that_hangs_has_seen_it 0 'hangs room/sum.c:6: 1 -> 0' 'killed room/sum.c:7: 1 -> 0' \
	'killed room/sum.c:7: += -> -='
mutated <<<'	if (a == 5 && b == 6)
		return !b;
	return a +
	       b;'
told each_operator_alone 1 'killed room/sum.c:6: (a == 5 && b == 6) is turned round' \
	'SURVIVED room/sum.c:6: && -> ||' 'SURVIVED room/sum.c:7: ! -> nothing' 'killed room/sum.c:8: + -> -'
mutated <<<'	struct pair p = { a, b }, *q = &p;
	*q = ({ struct pair f(void) { return p; } f(); });
	if (0)
		return 7;
	return a + b;'
told what_is_no_change_is_not_counted 0 '# room/sum.c:7: p -> 0: does not compile' \
	'# room/sum.c:9: 7 -> 8: is the same program'
echo 2,2 5 >numbers
mutated <<<'	return a + b;'
told tests_that_fail_anyway 1 'the tests of room fail without any change'
[ "$(grep -c BAR out)" = 0 ]
result $? have_no_bar

# The script itself.
"$here/test/mutants.sh" --list --room kernel >out
grep -qx 'drivers/gpu/grtrace/hook.c' out && ! grep -q 'source_\|mock\|tests/\|tools/' out
result $? the_core_of_the_kernel
"$here/test/mutants.sh" --list --room read/stream >out
grep -qx 'tools/grtrace/src/read/stream/decoder.cpp' out && ! grep -vq 'src/read/stream/' out
result $? a_part_of_a_room
"$here/test/mutants.sh" --list --room tools >out
grep -qx 'tools/grtrace/src/words/tracker/job_tracker.cpp' out &&
	! grep 'src/words/' out | grep -vq 'src/words/\(packets\|tracker\)/'
result $? the_tools_core_and_its_jobs
"$here/test/mutants.sh" --room words >out 2>&1
[ $? = 2 ]
result $? no_such_room
plan
