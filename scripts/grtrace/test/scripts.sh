#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the tests of the rig itself, those in cases/. Prints TAP.
#
# Usage: scripts.sh [NAME...]
#
#   NAME  only these, e.g. harness tap
#
# Each may take 1200 seconds; GRTRACE_CASE_SECONDS is another limit.
. "$(dirname "$0")/../lib/use.sh" report

options '' "$@"
status=0
if [ ${#args[@]} = 0 ]; then
	mapfile -t args < <(cd "$here/test/cases" && printf '%s\n' *.t)
fi
for name in "${args[@]}"; do
	printf '# %s.t\n' "${name%.t}"
	"$here/test/limit.py" "${GRTRACE_CASE_SECONDS:-1200}" "${name%.t}.t" -- "$here/test/cases/${name%.t}.t" || status=1
done
exit "$status"
