#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Decisions of scripts, in a copy in which stubs do the work: which tests selftests.sh --once
# runs again, which lines coverage.sh calls executed, and when scripts.sh ends a case.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
shows "$work/out"
copy="$work/copy/scripts/grtrace"
export XDG_CACHE_HOME="$work/cache" STUBS="$work" PATH="$work/bin:$PATH"
unset GRTRACE_FAULT_FIRST GRTRACE_FAULT_STEP GRTRACE_FILLED
mkdir -p "$copy"/{test/cases,uml,guest} "$work"/{bin,kernel.modules}
cp -r "$here/lib" "$copy"
cp "$here"/test/{selftests.sh,coverage.sh,scripts.sh,limit.py,skips} "$copy/test"

# program FILE: what is on stdin.
program() { { echo '#!/bin/bash'; cat; } >"$1" && chmod 755 "$1"; }
program "$copy/deps.sh" </dev/null
program "$copy/guest/vm.sh" </dev/null
cat >"$copy/lib/overlay.sh" <<'LIB'
overlay_source() { echo "$checkout"; }
overlay_with() { mkdir -p "$4/install"; printf 'grtrace:%s\n' filter_test fault_test >"$4/install/kselftest-list.txt"; }
LIB
program "$copy/uml/uml.sh" <<'UML'
case " $* " in
*' --build '*) echo "$STUBS/kernel" ;;
*' --share '*) while [ "$1" != --share ]; do shift; done; touch "$2/hook.gcda" ;;
*) echo "${GRTRACE_FAULT_FIRST:-none}" >>"$STUBS/ran"; printf '1..1\nok 1 selftests: grtrace: a_test\n' ;;
esac
UML
program "$work/bin/gcc" </dev/null
# shellcheck disable=SC2016
program "$work/bin/gcov" <<<'cat "$STUBS/gcov"; echo "it cannot be read" >&2'
# shellcheck disable=SC2016
program "$work/bin/date" <<<'[ "$*" != +%s ] || { echo "$((${DAY:-0} * 86400 + 5))"; exit; }; exec /bin/date "$@"'
cd "$work/copy" || exit
for name in control config channel views snapshot sampling filter watch limit rules fault_load fault; do
	install -D /dev/null "tools/testing/selftests/grtrace/${name}_test.c"
done
touch tools/testing/selftests/{a.h,grtrace/{a.h,defaults,modules,modules.sh,Makefile}} "$work/kernel.modules/hook.gcno"
mkdir -p include/uapi tools/grtrace/tests/guest

# once FIRST [NAME=VALUE] TEST: it ran, with that as GRTRACE_FAULT_FIRST; "": it did not run.
once() {
	rm -f "$work/ran"
	env "${@:2:$#-2}" "$copy/test/selftests.sh" --once --kernel "$work/kernel" uml "${*: -1}" >"$work/out" 2>&1 &&
		[ "$(cat "$work/ran" 2>/dev/null)" = "$1" ]
}
once none filter_test && once '' filter_test && once '' DAY=1 filter_test
result $? "what passed on the same kernel does not run again"
once 1 fault_test && once '' fault_test && once '' DAY=1 fault_test
result $? "nor do faults, where each is tried"
once 1 GRTRACE_FAULT_STEP=3 fault_test && once '' GRTRACE_FAULT_STEP=3 fault_test &&
	once 2 GRTRACE_FAULT_STEP=3 DAY=1 fault_test && once '' GRTRACE_FAULT_STEP=3 DAY=4 fault_test
result $? "where only some are, those of another day do"
once 7 GRTRACE_FAULT_FIRST=7 fault_test && once '' GRTRACE_FAULT_FIRST=7 fault_test && once 8 GRTRACE_FAULT_FIRST=8 fault_test
result $? "and those that are asked for"

# counted STATUS TEXT: by coverage.sh, of the lines on stdin, as gcov prints them.
counted() {
	local status=0
	cat >"$work/gcov"
	"$copy/test/coverage.sh" >"$work/out" 2>&1 || status=$?
	[ "$status" = "$1" ] && grep -qF -- "$2" "$work/out"
}
counted 1 'drivers/gpu/grtrace/hook.c:7:		return -ENOMEM;' <<'GCOV'
        -:    0:Source:/a/src/drivers/gpu/grtrace/hook.c
        2:    6:	if (!page)
    #####:    7:		return -ENOMEM;
GCOV
result $? "a line that was not executed"
! counted 0 return <<'GCOV' && [ ! -s "$work/out" ]
        -:    0:Source:/a/src/drivers/gpu/grtrace/hook.c
        1:    7:		return -ENOMEM;
    #####:    9:		return -EINVAL;
        -:    0:Source:/a/src/lib/vsprintf.c
    #####:    9:		return -ENOMEM;
GCOV
result $? "what was, and lines that do not matter"
counted 2 'it cannot be read' </dev/null && grep -q 'gcov printed no line of the core' "$work/out" &&
	counted 2 'no line of the core' <<'GCOV'
        -:    0:Source:/a/src/lib/vsprintf.c
        1:    9:		return -ENOMEM;
GCOV
result $? "nothing of the core was counted"

program "$copy/test/cases/hangs.t" <<<'echo "ok 1 - begun"; sleep 60'
program "$copy/test/cases/right.t" <<<'echo "ok 1 - right"'
! GRTRACE_CASE_SECONDS=1 "$copy/test/scripts.sh" >"$work/out" 2>&1 && grep -q '^not ok 0 hangs.t: all of it # not done after 1 s' "$work/out" &&
	grep -qx 'ok 1 - right' "$work/out"
result $? "a case of the rig that hangs is ended and named"
plan
