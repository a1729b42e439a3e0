#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In the guest: runs KUnit suites and prints what each says about itself.  That of
# a driver's source is in a module; the driver and the source are not loaded by it.
# That of the core is in the core, which may be a module.
#
# Usage: kunit.sh PATTERN...
modprobe -q grtrace
for pattern; do
	case "$pattern" in
	grtrace_source_*)
		driver="${pattern#grtrace_source_}"
		modprobe -qa "$driver" "grtrace_$driver" "grtrace_${driver}_test" ;;
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
