#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Plants each fault of test/faults in a copy of the checkout, one at a time, and expects a
# test to fail.  Prints TAP: a line for each fault, after what saw it, then a BAR line.
# A fault that no test saw is added, together with the test that sees it.
#
# Usage: faults.sh [--all-tests] [NAME...]
#        faults.sh --list | --check
#
#   NAME         only these: the first word of a fault's comment, e.g. k1
#   --all-tests  run all tests of the list's kind, whatever a fault's "?" lines say
#   --list       print list and comment of each and end
#   --check      only see whether each old text is in its file, exactly once
#
# test/faults has the lists kernel, modules (whose kselftests run in a guest, with the core
# as a module), tools and page.  Their entries, with a blank line between:
#
#	# k1: latencies are a thousand times too small
#	= drivers/gpu/grtrace/hook.c
#	? kselftest views_test
#	- old text, one or more lines, exactly as in the file
#	+ new text, none or more lines
#
# A "?" line says which tests see it (planted.sh, JUDGE), without any all of the list's kind.
#
# Exit status: 0 when each was seen.
. "$(dirname "$0")/../lib/use.sh" report
all='' list='' check='' run=("$here/test/planted.sh" run)
options '--all-tests=all --list --check' "$@"
cd "$checkout"
if [ -n "$list$check" ]; then
	run=()
else
	"$here/deps.sh" build test uml series
fi
"${run[@]}" python3 -B scripts/grtrace/lib/faults.py --command scripts/grtrace/test/planted.sh \
	--faults scripts/grtrace/test/faults ${all:+--all-tests} ${list:+--list} ${check:+--check} "${args[@]}"
