#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in a kernel that runs at this machine's speed: measures the
# nanoseconds of the empty loop, one clock read, one record, one event of ftrace
# with the same clock, and 32 bytes into two bare buffers of the kernel. These are measured in turn, several times, so that
# other load on the machine affects all of them.  Both buffers are filled once
# before, as in a long recording; "fresh" is a record in memory that was never
# touched. mode=overwrite is used because it costs the same as the default and is
# never full.  Prints a line for each:
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

# batches N ROUNDS: of what is measured from here on.
batches() {
	echo "$1" >$bench/batches
	echo "$2" >$bench/rounds
}

# run ROUND WHAT FILE
run() {
	local w
	# case C context X unit U events N batches N min N sum N max N
	read -ra w < <(cat "$bench/$3")
	echo "$1|$2|${w[7]}|${w[11]}|${w[13]}|${w[9]}"
}

insmod "$GRTRACE_MODULES/grtrace_bench.ko" || exit
echo mono >$tracing/trace_clock
echo mode=overwrite >$grtrace/config
for ((i = 0; i < rounds; i++)); do
	# The clock's grain, 256 ns, is nothing in such a batch, and of hundreds one
	# runs undisturbed.  Together they fill each buffer many times.
	batches 300 4000
	run "$i" empty task/empty
	run "$i" clock task/clock
	run "$i" off task/submit
	echo start >$grtrace/control
	# less than the channel holds
	batches 50 1000
	run "$i" fresh task/submit
	batches 300 4000
	run "$i" submit task/submit
	echo stop >$grtrace/control
	echo >$tracing/trace
	echo 1 >$event/enable
	run "$i" ftrace task/trace_event
	echo 0 >$event/enable
	run "$i" ring task/ring_buffer
	run "$i" simple task/simple_ring_buffer
	run "$i" empty task/empty
done
