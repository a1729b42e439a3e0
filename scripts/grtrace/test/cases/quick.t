#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests make quick: that its table has no holes, and, with small tests of its own, what runs
# after which change.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
shows "$work/out"
table="$here/test/touched"

"$here/test/quick.sh" --check >"$work/out" 2>&1
result $? "the table has no holes"

sed -E '1i no/such/folder/ nothing
	s,^include/ .*,,; s,cli:service,cli:server,; s,^(tools/grtrace/src/ *)judges,\1unit cli:report,
	s,^(drivers.*)kunit kselftests ,\1kunit ,' "$table" >"$work/table"
! "$here/test/quick.sh" --check --table "$work/table" >"$work/out" 2>&1 && grep -qF 'include/uapi/drm/grtrace_drm.h: no row has it' "$work/out"
result $? "a file without a row"
grep -qF 'no/such/folder/: this row has no file' "$work/out"
result $? "a row without a file"
grep -qF 'there is no cli server' "$work/out"
result $? "a test that is not there"
grep -qF 'tools/grtrace/src/words/jobs/stages.cpp: no test is chosen that sees fault c1 (cli meanings)' "$work/out"
result $? "a fault whose test is not chosen"
grep -qF 'drivers/gpu/grtrace/hook.c: no test is chosen that sees fault k1 (kselftest views_test)' "$work/out"
result $? "one of the kernel part"

# A repository whose tests fail where their folder has a file "bad", and say which they are.
copy="$work/copy/scripts/grtrace"
export RAN="$work/ran"
mkdir -p "$copy/test" "$copy/check" "$work/copy/src" "$work/copy/tools/grtrace/src/a"
cp -r "$here/lib" "$copy"
cp "$here"/test/{quick.sh,quick.py,parts.py,limit.py,skips} "$copy/test"
printf 'user cli tap 1 0 main tools.sh\ndeveloper guest tap 1 0 main tools.sh\n' >"$copy/test/parts"
printf '#!/bin/sh\n' >"$copy/deps.sh"
printf '#!/bin/sh\necho "unit *A.*:*B.*"; echo "cli c d"; echo page\n' >"$copy/test/planted.sh"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "1..1\nok 1 $*\n[       OK ] a (0 ms)"; echo "ran $*" >>"$RAN"; [ ! -e "${0%%/*}/bad" ]\n' |
	tee "$copy/tools.sh" "$copy/check/check.sh" "$copy/test/page.sh" >"$copy/test/scripts.sh"
chmod 755 "$copy"/{deps.sh,tools.sh,check/check.sh,test/{scripts,planted,page}.sh}
cat >"$copy/test/touched" <<'TABLE'
src/both   cli:a,b check:english later:guest
src/deep/  scripts:{name}
tools/     judges cli:a
.*         nothing
TABLE
cd "$work/copy" || exit
printf '/out/\n' >.gitignore
touch src/both src/other
git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm first

# quick STATUS LAST RAN...: its exit status and last line, and what ran.
quick() {
	local status=0
	rm -f "$RAN"
	scripts/grtrace/test/quick.sh >"$work/out" 2>&1 || status=$?
	[ "$status" = "$1" ] && [ "$(tail -n 1 "$work/out")" = "$2" ] &&
		[ "$(sort "$RAN" 2>/dev/null | paste -sd,)" = "$(printf '%s\n' "${@:3}" | paste -sd,)" ]
}
# took NAME SECONDS: so long in an earlier run.
took() {
	python3 -c 'import json, sys
state = json.load(open("out/quick.json"))
state["took"][sys.argv[1]] = int(sys.argv[2])
state["took"].pop("tools.sh cli-test CLI=\"b\"", None)
json.dump(state, open("out/quick.json", "w"))' "$@"
}
later='not run: guest (make test-all PARTS=...)'
quick 0 'nothing was left out' ''
result $? "nothing was changed"
echo 1 >src/both
touch "$copy/check/bad"
quick 1 "$later" 'ran cli-test CLI=a b' 'ran english'
result $? "a file that was changed and not committed; one of its tests fails"
rm "$copy/check/bad"
git add . && git -c user.name=a -c user.email=a@b commit -qm second
quick 0 "$later" 'ran english' && grep -qE '^BAR quick [0-9]+ seconds 120 ok$' "$work/out"
result $? "what failed runs again, although it is committed now"
quick 0 "$later" ''
result $? "what passed does not, and what is too long is said again"
echo 1 >tools/grtrace/src/a/b.cpp
quick 0 "$later" 'ran ' 'ran cli-test CLI=a c d' 'ran unit-test UNIT=*A.* *B.*'
result $? "a source of the tools has the tests of planted.sh"
scripts/grtrace/test/quick.sh --passed cli && quick 0 "$later" '' && scripts/grtrace/test/quick.sh --passed guest && quick 0 'nothing was left out' ''
result $? "until its part has passed"
mkdir src/deep
echo 1 >src/deep/new.t
rm src/other
quick 0 'nothing was left out' 'ran new'
result $? "a new file, and one that went"
echo 2 >src/both
took cli:b 121 && took 'check/check.sh english' 121
quick 0 'not run: cli:b check guest (make test-all PARTS=...)' 'ran cli-test CLI=a'
result $? "what took too long before is left out, and said"
quick 0 'not run: cli:b check guest (make test-all PARTS=...)' ''
result $? "and is not taken for passed"
took cli:b 7
quick 0 'not run: check guest (make test-all PARTS=...)' 'ran cli-test CLI=b'
result $? "the next run goes on with it"
echo 3 >src/both
scripts/grtrace/test/quick.sh --began 100 --passed cli guest && quick 0 "not run: check guest (make test-all PARTS=...)" 'ran cli-test CLI=a' 'ran cli-test CLI=b'
result $? "a file that is newer than the run did not pass in it"
touch -d '1 hour ago' src/both
scripts/grtrace/test/quick.sh --began 100 --passed cli guest && quick 0 'nothing was left out' ''
result $? "one that is not did, with all parts"
echo 4 >src/both
scripts/grtrace/test/quick.sh --passed all && quick 0 'nothing was left out' ''
result $? "or where someone says so"

# Times of a cold cache are not remembered.
echo 5 >src/both
# shellcheck disable=SC2016
sed -i '$a echo x >"$GRTRACE_FILLED"' "$copy/tools.sh"
took 'check/check.sh english' 7
quick 0 "$later" 'ran cli-test CLI=a' 'ran cli-test CLI=b' 'ran english' &&
	! grep -q 'CLI="b"' out/quick.json && grep -q 'english": 0' out/quick.json
result $? "what a cold part took is not remembered"
plan
