#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the DRM scheduler's own KUnit suites on the patched kernel while both grtrace
# and tracefs record, and accounts for every job: offered,
# picked, committed, ended, timed out, killed, completed (sched_kunit.py).  Prints TAP,
# four lines for each suite.
#
# Usage: sched_kunit.sh WHERE [SUITE...]
#
#   WHERE  uml, or a base whose patched kernel is booted in QEMU, e.g. 7.3
#   SUITE  only these, or shell patterns (default: 'drm_sched_*')
#
# Exit status: 0 when suites ran and nothing failed, else 1; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" work base

options '' "$@"
[ $# -ge 1 ] || usage_error "needs a place to run in"
where="$1"
shift
[ $# -gt 0 ] || set -- 'drm_sched_*'

"$here/deps.sh" build test
tools="$("$here/tools.sh")"
guest=("$here/uml/uml.sh")
image=()
if [ "$where" != uml ]; then
	guest=("$here/guest/vm.sh" --timeout 600 --append "kunit.enable=1 kunit.autorun=0")
	image=("$("$here/kernel/intree.sh" "$(base_name "$where")")")
fi

status=0
echo "TAP version 13"
"${guest[@]}" --share "$work" "${image[@]}" -- \
	env PATH="$tools:$PATH" sh "$here/guest/sched_kunit.sh" "$@" || status=$?
PATH="$tools:$PATH" "$here/test/sched_kunit.py" "$work"/*/ || status=1
exit $status
