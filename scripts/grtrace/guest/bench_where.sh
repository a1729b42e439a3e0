#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in the guest while QEMU logs each instruction: repeats one
# case until the file $GRTRACE_OUT/enough exists.  It leaves the addresses of
# functions in the file "symbols" there, and creates "ready" when it runs.
#
# Usage: bench_where.sh CASES ID
debugfs=/sys/kernel/debug
bench=$debugfs/grtrace_bench

insmod "$GRTRACE_MODULES/grtrace.ko" &&
	insmod "$GRTRACE_MODULES/grtrace_bench.ko" cycles=1 || exit
IFS='|' read -r _ _ file words _ < <(grep "^$2 *|" "$1")
if [ -z "$file" ]; then
	echo "there is no case '$2' in $1" >&2
	exit 1
fi
file="${file// /}"
if [ "${words// /}" != off ]; then
	# the ring has its id with its first event
	echo start >$debugfs/grtrace/control
	cat $bench/task/submit >/dev/null
	echo stop >$debugfs/grtrace/control
	ring="$(awk -F, '/gfx_0\.0\.0(,|$)/ { print $1; exit }' $debugfs/grtrace/rings)"
	words="${words//@RING@/$ring}"
	words="${words//@RINGBIT@/$((1 << ring))}"
	words="${words//@PID@/$$}"
	words="${words//@CTX64@/$(seq -s, 937 1000)}"
	# so that it is never full
	echo "mode=overwrite $words" >$debugfs/grtrace/config || exit
	echo start >$debugfs/grtrace/control
fi
echo 10 >$bench/batches
cat /proc/kallsyms >"$GRTRACE_OUT/symbols"
: >"$GRTRACE_OUT/ready"
while [ ! -e "$GRTRACE_OUT/enough" ]; do
	# in this process, which the watchlist knows
	mapfile -t _ <"$bench/$file"
done
