#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Changes one operator of the kernel part as mutants.sh does: compiled and linked in a copy, and
# seen by a suite in a User Mode Linux of that copy.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
shows "$work/out"

# One suite judges it: all tests of the kernel part take minutes.
cat >"$work/judged" <<'END'
#!/bin/sh
[ "$1" != judges ] || { echo "kunit grtrace_limiter"; exit; }
exec scripts/grtrace/test/planted.sh "$@"
END
chmod +x "$work/judged"

file=drivers/gpu/grtrace/limiter.c
line="$(sed -n '/if (next > minted + limiter->burst)/=' "$checkout/$file")"
"$here/test/planted.sh" run python3 -B scripts/grtrace/lib/mutants.py --command "$work/judged" \
	--only "$file:$line: > -> >=" "$file" >"$work/out" 2>&1
equal the_run_ends_well 0 "$?"
grep -q "^killed $file:$line: > -> >=: not ok .*grtrace_limiter: " "$work/out"
result $? a_suite_saw_it
grep -qx 'BAR mutants_surviving 0 of 1 ok' "$work/out"
result $? and_it_counts
plan
