#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in the guest: the highest rate that a recorder sustains
# without losing an event, grtrace's and trace-cmd, with the same bytes of buffer
# for each processor.  Doubles the rate until it fails, then closes in, then asks
# for three times as long whether it holds.  A line on standard output for each
# run, and one with the result:
#
#	run|TOOL|RATE|EVENTS|MS|LOST
#	best|TOOL|RATE|LIMIT
#
# RATE is of all processors; LIMIT is "loss", or "load" where this machine could
# not offer more.
#
# Usage: bench_rate.sh TOOLS CPUS KIB
#
#   TOOLS  folder with grtrace
#   CPUS   that many processors make events
#   KIB    of buffer for each processor
tools="$1" cpus="$2" kib="$3"
debugfs=/sys/kernel/debug
drive=$debugfs/grtrace_bench/drive
dir=/tmp/bench

FIRST=100000		# events per second and processor
CLOSER=3		# halvings of the distance
MS=1000

if [ -n "$GRTRACE_MODULES" ]; then
	insmod "$GRTRACE_MODULES/grtrace.ko" &&
		insmod "$GRTRACE_MODULES/grtrace_bench.ko" || exit
fi
echo "$cpus" >$drive/cpus

# Each recorder sets $events, what was offered, and $lost.
record_grtrace() {
	"$tools/grtrace" record -b $((kib / 4)) -n 4 -D $dir -- \
		sh -c "cat $drive/submit >$dir/line" >$dir/log 2>&1
	lost="$(sed -n 's/^lost //p' $debugfs/grtrace/stats)"
}

record_trace-cmd() {
	trace-cmd record -b "$kib" -C mono -o $dir/trace.dat \
		-e grtrace_bench:grtrace_bench_job_run \
		sh -c "cat $drive/trace_event >$dir/line" >$dir/log 2>&1
	# "CPU 0: 203838 events lost"
	lost="$(awk '/^CPU .* events lost/ { n += $3 } END { print n + 0 }' $dir/log)"
}

# try TOOL RATE MS: does it record RATE for MS without loss?  Sets $why where not.
try() {
	local tool="$1" rate="$2" ms="$3" line events lost
	rm -rf $dir
	mkdir $dir
	echo "$rate" >$drive/rate
	echo "$ms" >$drive/ms
	"record_$tool"
	read -ra line <$dir/line
	events="${line[7]}"
	echo "run|$tool|$((rate * cpus))|$events|$ms|$lost"
	why=
	if [ "$lost" != 0 ]; then
		why=loss
	# a tenth less than asked for is another rate
	elif [ $((events * 10000)) -lt $((rate * cpus * ms * 9)) ]; then
		why=load
	fi
	[ -z "$why" ]
}

for tool in grtrace trace-cmd; do
	if [ $tool = trace-cmd ] && ! command -v trace-cmd >/dev/null; then
		echo "best|$tool|n/a|trace-cmd is not installed"
		continue
	fi
	good=0 rate=$FIRST limit=
	while try $tool $rate $MS; do
		good=$rate
		rate=$((rate * 2))
	done
	bad=$rate limit=$why
	for ((i = 0; i < CLOSER; i++)); do
		rate=$(((good + bad) / 2))
		if try $tool $rate $MS; then
			good=$rate
		else
			bad=$rate limit=$why
		fi
	done
	while [ $good -gt 0 ] && ! try $tool $good $((3 * MS)); do
		limit=$why
		good=$((good * 9 / 10))
	done
	echo "best|$tool|$((good * cpus))|$limit"
done
rm -rf $dir
