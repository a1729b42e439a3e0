#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the options of uml/uml.sh: a kernel that is only built, one that was built before,
# and the exit status of what runs in it.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
uml="$here/uml/uml.sh"

kernel="$("$uml" --build 2>"$work/said")"
equal build_prints_the_kernel 0 "$?"
[ -x "$kernel" ]
result $? the_kernel_is_a_program
"$uml" --build -- true >"$work/said" 2>&1
equal build_runs_no_command 2 "$?"
"$uml" --kernel "$kernel" -- sh -c 'echo out; echo err >&2; exit 3' >"$work/out" 2>"$work/said"
equal the_exit_status_is_the_commands 3 "$?"
equal its_output out "$(cat "$work/out")"
equal its_errors err "$(cat "$work/said")"
"$uml" --kernel "$work/none" -- true >"$work/out" 2>"$work/said"
equal a_kernel_that_is_not_there 2 "$?"
plan
