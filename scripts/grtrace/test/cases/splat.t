#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests that splats in a kernel's log are found.
. "$(dirname "$0")/../../lib/use.sh" splat result
log="$work/log"

# check WANTED NAME: of the log on stdin; WANTED is yes or no.
check() {
	local found=no
	cat >"$log"
	! splat_found "$log" || found=yes
	equal "$2" "$1" "$found"
}

# block WHERE STACK: a warning as the kernel prints it.
block() {
	printf '%s\n' 'before' '------------[ cut here ]------------' "WARNING: ../src/$1, CPU#1: kworker/0:2/316" \
		'Call Trace:' " [<6004add0>] ? $2+0x0/0x90" '---[ end trace 0000000000000000 ]---' 'after'
}

# race A B: a data race as KCSAN prints it.
race() {
	local lines='[    9.1] =================================================================='
	printf '%s\n' 'before' "$lines" "[    9.1] BUG: KCSAN: data-race in $1 / $2" '' \
		'[    9.1] write to 0xffff888004a7d0a8 of 8 bytes by task 9 on cpu 0:' "[    9.1]  $1+0x4a/0x120" \
		'[    9.1] read to 0xffff888004a7d0a8 of 8 bytes by task 8 on cpu 1:' "[    9.1]  $2+0x4a/0x120" \
		'[    9.1] Reported by Kernel Concurrency Sanitizer on:' "$lines" 'after'
}

worker='kernel/workqueue.c:3308 at process_one_work+0x2b0/0x670'
both() { block "$worker" um_set_signals; block 'mm/slub.c:9 at kfree+0x1/0x2' um_set_signals; }
check no "nothing" <<<"all is well"
check yes "a warning under UML" < <(block 'kernel/fork.c:1 at copy_process+0x1/0x2' um_set_signals)
check no "UML's worker on another CPU" < <(block "$worker" um_set_signals)
check yes "a worker on another CPU, on a real kernel" < <(block "$worker" ret_from_fork)
check yes "both" < <(both)
check yes "a log that ends within" < <(block "$worker" um_set_signals | grep -v 'end trace')
two_races() { race tick_nohz_stop_tick update_wall_time; race "grtrace_record" relay_read; }
memory() { race a b | sed 's/KCSAN: data-race/KASAN: use-after-free/'; }
cut_short() { race tick_nohz_stop_tick update_wall_time | sed '/Reported/,$d'; block 'mm/slub.c:9 at kfree+0x1/0x2' x; }
check no "a race of the kernel's own" < <(race tick_nohz_stop_tick update_wall_time)
by_us() { race "$@" | sed 's/^.*Reported by.*/&\n[    9.1] CPU: 1 UID: 0 PID: 9 Comm: grtrace Not tainted 7.3.4 #1/'; }
check no "a race of the kernel's own, in a program of ours" < <(by_us tick_nohz_stop_tick update_wall_time)
check yes "a race of ours, in a program of ours" < <(by_us 'grtrace_record [grtrace]' update_wall_time)
check yes "a race of ours" < <(race 'grtrace_record [grtrace]' update_wall_time)
check yes "a race of relay" < <(race vfs_read relay_file_read)
check yes "a race of ours after the kernel's own" < <(two_races)
check yes "what KASAN says between the same lines" < <(memory)
check yes "a warning in a race that does not end" < <(cut_short)
label='at jump_label_module_notify+0x750/0xaf0'
faulty() { block "$label" load_module | sed "s|../src/||; s|CPU#1: .*|CPU#0: $1/221\\nCPU: 0 UID: 0 PID: 221 Comm: $1 Not tainted|"; }
check no "jump labels, where a fault is injected" < <(faulty fault_load_test)
check yes "jump labels, where none is" < <(faulty modprobe)
check yes "a splat without a frame" <<<"BUG: kernel NULL pointer dereference"

# The part of a long log that is printed, in a script that ends where a pipe is cut off.
{ echo "BUG: one"; seq 100000; } >"$log"
if printed="$(bash -c 'set -euo pipefail; . "$1"; splat_print "$2"' bash \
	"$(dirname "${BASH_SOURCE[0]}")/../../lib/splat.sh" "$log")" && [ "$(wc -l <<<"$printed")" = 118 ]; then
	result 0 "the begin of a long log"
else
	result 1 "the begin of a long log"
fi
plan
