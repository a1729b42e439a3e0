#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The first tests after a change of the kernel part: builds the User Mode Linux of this
# checkout and runs KUnit and the kselftests in C in it, side by side.  Prints TAP.
#
# Usage: uml.sh
#
# Exit status: 0 when something passed and nothing failed, else 1; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" work

options '' "$@"
[ ${#args[@]} = 0 ] || usage_error "takes no '${args[*]}'"
kernel="$("$here/uml/uml.sh" --build)"
status=0
"$here/test/kunit.sh" --kernel "$kernel" >"$work/kunit" &
"$here/test/selftests.sh" --short --kernel "$kernel" uml || status=1
wait $! || status=1
cat "$work/kunit"
exit "$status"
