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

# hole SED TEXT: with a mistake in the table, this is printed about it.
hole() {
	sed -E "$1" "$table" >"$work/table"
	! "$here/test/quick.sh" --check --table "$work/table" >"$work/out" 2>&1 && grep -qF "$2" "$work/out"
}
hole 's,^include/ .*,,' 'include/uapi/drm/grtrace_drm.h: no row has it'
result $? "a file without a row"
hole '1i no/such/folder/ nothing' 'no/such/folder/: this row has no file'
result $? "a row without a file"
hole 's,cli:service,cli:server,' 'there is no cli server'
result $? "a test that is not there"

# A repository whose tests fail where their folder has a file "bad", and say which they are.
copy="$work/copy/scripts/grtrace"
export RAN="$work/ran"
mkdir -p "$copy/test" "$copy/check" "$work/copy/src"
cp -r "$here/lib" "$copy"
cp "$here"/test/{quick.sh,quick.py,parts.py,limit.py,skips} "$copy/test"
touch "$copy/test/parts"
printf '#!/bin/sh\n' >"$copy/deps.sh"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "1..1\nok 1 $*"; echo "ran $*" >>"$RAN"; [ ! -e "${0%%/*}/bad" ]\n' |
	tee "$copy/tools.sh" "$copy/check/check.sh" >"$copy/test/scripts.sh"
chmod 755 "$copy"/{deps.sh,tools.sh,check/check.sh,test/scripts.sh}
cat >"$copy/test/touched" <<'TABLE'
src/both   cli:a,b check:english later:guest
src/deep/  scripts:{name}
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
quick 0 'nothing was left out' ''
result $? "nothing was changed"
echo 1 >src/both
touch "$copy/check/bad"
quick 1 'not run: guest (make test-all PARTS=...)' 'ran cli-test CLI=a b' 'ran english'
result $? "a file that was changed and not committed; one of its tests fails"
rm "$copy/check/bad"
git add . && git -c user.name=a -c user.email=a@b commit -qm second
quick 0 'not run: guest (make test-all PARTS=...)' 'ran cli-test CLI=a b' 'ran english'
result $? "what failed runs again, although it is committed now"
quick 0 'nothing was left out' ''
result $? "what passed does not"
mkdir src/deep
echo 1 >src/deep/new.t
rm src/other
quick 0 'nothing was left out' 'ran new'
result $? "a new file, and one that went"
echo 2 >src/both
sed -Ei 's/(^"cli.*|^"check.*|^"tools.*): [0-9]+/\1: 121/' out/quick.json
quick 0 'not run: cli check guest (make test-all PARTS=...)' ''
result $? "what took too long before is left out, and said"
quick 0 'not run: cli check guest (make test-all PARTS=...)' ''
result $? "and is not taken for passed"
scripts/grtrace/test/quick.sh --passed && quick 0 'nothing was left out' ''
result $? "unless someone says so"
plan
