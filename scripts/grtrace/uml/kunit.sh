#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: runs KUnit suites and prints what each says about itself. A source
# contains its own suite, and the core its own; both may be modules.
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
