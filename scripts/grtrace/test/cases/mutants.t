#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Runs mutants.py and faults.py on a small tree, with errors that the tree's tests notice and
# errors that they do not; then what their scripts say of the checkout.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
shows "$work/out"
cd "$work" || exit 1
mkdir room
cat >planted <<'END'
#!/bin/sh
case "$1" in
judges) echo sums ;;
build) gcc -O1 -Wno-unused -g -c -o "${2%.c}.o" "$2" && echo "${2%.c}.o" ;;
tests)
	echo "$3" >>asked
	printf 'unsigned int sum(unsigned int, unsigned int); int main(void) { return sum(%s) != %s; }\n' $(cat numbers) >main.c
	gcc -o program main.c room/sum.c 2>/dev/null || exit 3
	./program || { [ ! -e silent ] || exit "$(cat silent)"; echo "not ok 1 - $3"; exit 1; } ;;
esac
END
chmod +x planted

# source_is: a sum whose body is on stdin.
source_is() {
	{
		printf 'struct pair { int a, b; };\n/* 1 + 1 == 2, !true */\n'
		printf 'const char *text(void);\nunsigned int sum(unsigned int a, unsigned int b)\n{\n'
		cat
		printf '}\n'
	} >room/sum.c
	cp room/sum.c before
	rm -f asked
}

# mutated ARGS: changes of the body on stdin.
mutated() {
	source_is
	python3 -B "$here/lib/mutants.py" --command ./planted --sample 9 --seed 1 --least 2 "$@" room/sum.c >out 2>&1
	code=$?
}

# said NAME EXIT TEXT...: it printed this.
said() {
	local name="$1" wanted="$2" text bad=0; shift 2
	[ "$code" = "$wanted" ] || { echo "exit $code" >>out; bad=1; }
	for text; do
		grep -qF -- "$text" out || { echo "no line has '$text'" >>out; bad=1; }
	done
	cmp -s room/sum.c before || { echo "the file is not as it was" >>out; bad=1; }
	[ ! -e room/sum.c.kept ] || { echo "a copy is left" >>out; bad=1; }
	result "$bad" "$name"
}

echo 2,2 4 >numbers
mutated <<<'	return a + b;'
said what_the_tests_see 0 '# seed 1: 2 of 2 places in 1 files' '# there are no 9 changes, only 2' 'killed room/sum.c:6: + -> -: not ok 1 - sums' \
	'killed room/sum.c:6: a + b -> 0' 'BAR mutants_surviving 0 of 2 ok'
[ "$(wc -l <asked)" = 3 ]
result $? the_tests_run_once_without_a_change
mutated <<<'	return a + b;'
[ "$(wc -l <asked)" = 3 ]
result $? each_run_tries_anew
echo 5 >silent
mutated <<<'	return a + b;'
said an_end_that_no_test_explains 1 '# exit status 5, and no test says that it failed' 'room/sum.c:6: + -> -: error' \
	'# 2 have no verdict' 'BAR mutants_surviving 0 of 0 short'
echo 139 >silent
mutated <<<'	return a + b;'
said a_program_that_a_signal_ends 0 'killed room/sum.c:6: + -> -: exit status 139'
rm silent
echo 0,0 0 >numbers
mutated <<<'	return a + b;'
said what_they_do_not_see 1 'SURVIVED room/sum.c:6: + -> -' '#   return a + b;' '# room: 2 of 2 survive, too many' \
	'# 2 survive without a reason' 'BAR mutants_surviving 2 of 2 short'
mutated --sample 1 <<<'	return a + b;'
said a_sample 1 '# seed 1: 1 of 2 places in 1 files' 'BAR mutants_surviving 1 of 1 short'
mutated --only 'room/sum.c:6: + -> -' <<<'	return a + b;'
said the_place_that_is_named 1 'SURVIVED room/sum.c:6: + -> -' 'BAR mutants_surviving 1 of 1 short'
mutated --only room/sum.c:6 <<<'	return a + b;'
said all_of_the_line_that_is_named 1 'BAR mutants_surviving 2 of 2 short'

printf 'room/sum.c\t+ -> -\treturn a + b;\tnothing but 0 is added\n' >why
mutated --reasons why <<<'	return a + b;'
said a_survivor_with_a_reason_counts 1 '#   why: nothing but 0 is added' '# 1 survive without a reason' \
	'BAR mutants_surviving 2 of 2 short'
mutated --reasons why --check <<<'	return b + a;'
said a_stale_reason 1 'its reason is stale'
mutated --reasons why --check <<<'	if (b)
		return a + b;
	return a + b;'
said a_reason_of_two_places 1 'has 2 such places: say which, as room/sum.c#1'
sed -i 's/^room.sum.c/&#2/' why
mutated --reasons why --check <<<'	if (b)
		return a + b;
	return a + b;'
said one_of_two_places_has_a_reason 0
mutated --reasons why --check <<<'	return a + b;'
said the_second_is_gone 1 'its reason is stale'

echo 2,2 4 >numbers
mutated <<<'	for (; b; b -= 1)
		a += 1;
	for (; b;)
		;
	return a;'
said a_test_that_hangs_has_seen_it 0 'hangs room/sum.c:6: 1 -> 0' 'killed room/sum.c:7: 1 -> 0' \
	'killed room/sum.c:7: += -> -='
mutated <<<'	if (a == 5 && b == 6)
		return !b;
	return a +
	       b;'
said each_operator_alone 1 'killed room/sum.c:6: (a == 5 && b == 6) is turned round' \
	'SURVIVED room/sum.c:6: && -> ||' 'SURVIVED room/sum.c:7: ! -> nothing' 'killed room/sum.c:8: + -> -'
mutated <<<'	struct pair p = { a, b }, *q = &p;
	*q = ({ struct pair f(void) { return p; } f(); });
	if (0)
		return 7;
	return a + b;'
said what_is_no_change_is_not_counted 0 '# room/sum.c:7: p -> 0: does not compile' \
	'# room/sum.c:9: 7 -> 8: is the same program'
echo 2,2 5 >numbers
mutated <<<'	return a + b;'
said tests_that_fail_anyway 1 'the tests of room fail without any change'
[ "$(grep -c BAR out)" = 0 ]
result $? have_no_bar

# planted_faults ARGS: of the list below.
planted_faults() {
	source_is <<<'	return a + b;'
	python3 -B "$here/lib/faults.py" --command ./planted --faults . --least 2 "$@" >out 2>&1
	code=$?
}
cat >tools <<'END'
# f1: the difference
= room/sum.c
? differences
- 	return a + b;
+ 	return a - b;

# f2: the same in another order
= room/sum.c
- 	return a + b;
+ 	return b + a;

# f3: what is no longer there
= room/sum.c
- 	return a * b;

# f4: no C
= room/sum.c
- 	return a + b;
+ 	return a;
+ 	else
END
echo 2,2 4 >numbers
planted_faults f1
said a_fault_that_its_test_sees 0 'ok 1 - f1: the difference' '# killed: not ok 1 - differences' 'BAR planted_faults 1 of 1 ok'
planted_faults
said faults_that_none_sees 1 'ok 1 - f1' '# survived: unit' 'not ok 2 - f2' 'not ok 3 - f3' \
	'# the old text is not exactly once in room/sum.c' '# does not compile' 'not ok 4 - f4' 'BAR planted_faults 1 of 4 short'
echo 5 >silent
planted_faults f1
said a_fault_whose_run_fails 1 '# error: differences' 'not ok 1 - f1'
rm silent
planted_faults --all-tests f1
said all_tests_of_a_kind 0 '# killed: not ok 1 - unit'
planted_faults --check
said old_text_that_is_gone 1 'ok 2 - f2' 'not ok 3 - f3' 'ok 4 - f4'
planted_faults f9
said no_such_fault 1 'there is no fault f9'
echo 2,2 5 >numbers
planted_faults f1
said a_test_that_fails_without_the_fault 1 'differences: fails without the fault' 'not ok 1 - f1'

# The checkout.
"$here/test/faults.sh" --check >out
result $? each_planted_fault_fits_its_file
"$here/test/mutants.sh" --check >out
result $? each_reason_fits_its_file
"$here/test/mutants.sh" --list --room kernel >out
grep -qx 'drivers/gpu/grtrace/hook.c' out && grep -qx 'drivers/gpu/grtrace/channel_write.h' out && grep -q 'source_drm.c' out && grep -q '^# not judged.*source_i915' out &&
	! grep -q 'mock\|tests/\|tools/' out
result $? the_kernel_part
"$here/test/mutants.sh" --list --room read/stream >out
grep -qx 'tools/grtrace/src/read/stream/decoder.cpp' out && ! grep -v '^#' out | grep -vq 'src/read/stream/'
result $? a_directory
"$here/test/mutants.sh" --room nowhere >out 2>&1
[ $? = 2 ]
result $? no_such_room

# Each directory has tests, and each CLI test judges one, except those of the manual, of the
# tests' own programs and captures, of progress lines, and of damaged inputs to all commands.
cd "$checkout" || exit 1
find tools/grtrace/src -name '*.cpp' -printf '%h/a.cpp\n' | sort -u | while read -r file; do
	"$here/test/planted.sh" judges "$file" | grep '^cli .' || echo "none for $file"
done >"$work/out" 2>&1
[ "$(grep -c none "$work/out")" = 0 ]
result $? each_directory_has_its_tests
tr ' ' '\n' <"$work/out" | grep -vx cli | sort -u >"$work/named"
basename -s .t tools/grtrace/tests/cli/*.t | sort >"$work/there"
equal each_cli_test_judges_one "mutated pages progress upgrade workload" "$(comm -13 "$work/named" "$work/there" | paste -sd' ')"
equal and_is_there "" "$(comm -23 "$work/named" "$work/there")"
plan
