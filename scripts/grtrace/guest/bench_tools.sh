#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tools' benchmark's part in the guest: what trace-cmd and perf record of
# some EVENTS events with the fields of drm_sched_job_run, as trace.dat and
# perf.data in $GRTRACE_OUT.
#
# Usage: bench_tools.sh EVENTS
events="$1"
drive=/sys/kernel/debug/grtrace_bench/drive
event=grtrace_bench:grtrace_bench_job_run

RATE=200000		# a second: what an emulated guest can record

if [ -n "$GRTRACE_MODULES" ]; then
	insmod "$GRTRACE_MODULES/grtrace.ko" &&
		insmod "$GRTRACE_MODULES/grtrace_bench.ko" || exit
fi
work="$(mktemp -d)"
cd "$work" || exit
echo 1 >$drive/cpus
echo $RATE >$drive/rate
echo $((events * 1000 / RATE)) >$drive/ms

# record COMMAND...: shows what it said only when it failed.
record() {
	"$@" sh -c "cat $drive/trace_event" >log 2>&1 || { cat log >&2; exit 1; }
}

# Decompressing is not what is measured.
record trace-cmd record --compression none -b 262144 -C mono -o trace.dat -e $event
record perf record -q -a -m 16M -e $event -o perf.data
chmod a+r perf.data
cp trace.dat perf.data "$GRTRACE_OUT/"
