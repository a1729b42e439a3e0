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
# A case may let its own requests for memory fail, all of them where it is marked.
for setting in ignore-gfp-wait=N ignore-gfp-highmem=N min-order=0 task-filter=Y probability=100 times=-1; do
	for file in /sys/kernel/debug/failslab/"${setting%=*}" /sys/kernel/debug/fail_page_alloc/"${setting%=*}"; do
		[ ! -e "$file" ] || echo "${setting#*=}" >"$file"
	done
done
cd /sys/kernel/debug/kunit || exit 1
for pattern; do
	for suite in $pattern; do
		[ -d "$suite" ] || continue
		echo 1 >"$suite/run"
		cat "$suite/results"
	done
done
