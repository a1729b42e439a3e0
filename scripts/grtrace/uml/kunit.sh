#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: runs KUnit suites and prints the output of each. A source contains
# its own suite, and so does the core; both may be modules.
#
# Usage: kunit.sh PATTERN...
modprobe -q grtrace
for pattern; do
	case "$pattern" in
	grtrace_source_*)
		modprobe -q "grtrace_${pattern#grtrace_source_}" ;;
	esac
done
cd /sys/kernel/debug/kunit || exit 1
for pattern; do
	for suite in $pattern; do
		[ -d "$suite" ] || continue
		echo 1 >"$suite/run"
		cat "$suite/results"
	done
done
