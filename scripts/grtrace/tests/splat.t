#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What in a kernel's log is a splat.
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/../lib/splat.sh"

number=0 failed=0
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

# check WANTED NAME: of the log on stdin; WANTED is yes or no.
check() {
	local found=no
	cat >"$log"
	! splat_found "$log" || found=yes
	number=$((number + 1))
	if [ "$found" = "$1" ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2: $found"
		failed=1
	fi
}

# block WHERE STACK: a warning as the kernel prints it.
block() {
	printf '%s\n' 'before' '------------[ cut here ]------------' "WARNING: ../src/$1, CPU#1: kworker/0:2/316" \
		'Call Trace:' " [<6004add0>] ? $2+0x0/0x90" '---[ end trace 0000000000000000 ]---' 'after'
}

worker='kernel/workqueue.c:3308 at process_one_work+0x2b0/0x670'
both() { block "$worker" um_set_signals; block 'mm/slub.c:9 at kfree+0x1/0x2' um_set_signals; }
check no "nothing" <<<"all is well"
check yes "a warning under UML" < <(block 'kernel/fork.c:1 at copy_process+0x1/0x2' um_set_signals)
check no "UML's worker on another CPU" < <(block "$worker" um_set_signals)
check yes "a worker on another CPU, on a real kernel" < <(block "$worker" ret_from_fork)
check yes "both" < <(both)
check yes "a log that ends within" < <(block "$worker" um_set_signals | grep -v 'end trace')
check yes "a splat without a frame" <<<"BUG: kernel NULL pointer dereference"

echo "1..$number"
[ "$failed" = 0 ]
