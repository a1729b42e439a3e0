#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in a kernel that runs at this machine's speed: nanoseconds
# for the empty loop, one clock read, one record, one event of ftrace with the
# same clock, each in turn and again, so that what the machine does meanwhile
# hits all of them.  Both buffers have been written through before they are
# measured, as they have in a recording that goes on; "fresh" is a record in memory
# that nobody has touched.  mode=overwrite costs what the default does and is never
# full.  A line on standard output for each:
#
#	ROUND|WHAT|EVENTS|MIN|SUM|BATCHES
#
# Usage: bench_ns.sh ROUNDS
rounds="$1"
debugfs=/sys/kernel/debug
tracing=/sys/kernel/tracing
grtrace=$debugfs/grtrace
bench=$debugfs/grtrace_bench
event=$tracing/events/grtrace_bench/grtrace_bench_job_run

# run ROUND WHAT FILE
run() {
	local w
	# case C context X unit U events N batches N min N sum N max N
	read -ra w < <(cat "$bench/$3")
	echo "$1|$2|${w[7]}|${w[11]}|${w[13]}|${w[9]}"
}

if [ ! -d $bench ]; then
	echo "the kernel was built without grtrace_bench" >&2
	exit 1
fi
echo mono >$tracing/trace_clock
echo 50 >$bench/batches
echo mode=overwrite >$grtrace/config
for ((i = 0; i < rounds; i++)); do
	run "$i" empty task/empty
	run "$i" clock task/clock
	run "$i" off task/submit
	echo start >$grtrace/control
	run "$i" fresh task/submit
	cat $bench/task/submit >/dev/null
	run "$i" submit task/submit
	echo stop >$grtrace/control
	echo >$tracing/trace
	echo 1 >$event/enable
	cat $bench/task/trace_event >/dev/null
	run "$i" ftrace task/trace_event
	echo 0 >$event/enable
	run "$i" empty task/empty
done
