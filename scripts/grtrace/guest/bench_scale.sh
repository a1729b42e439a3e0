#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in the guest: how many records 1, 2, 4 and 8 processors
# write in a second, each as fast as it can, in the order of the shared counter
# and in that of the clock.  mode=overwrite, so that no one stands still.  A line
# on standard output for each run, in turns, so that what the machine does
# meanwhile hits both:
#
#	ORDER|CPUS|EVENTS|NS|WRITTEN
#
# or "n/a|CPUS|why".
#
# Usage: bench_scale.sh RUNS MS
runs="$1" ms="$2"
debugfs=/sys/kernel/debug
grtrace=$debugfs/grtrace
drive=$debugfs/grtrace_bench/drive

echo "$ms" >$drive/ms
for cpus in 1 2 4 8; do
	if [ "$cpus" -gt "$(nproc)" ]; then
		echo "n/a|$cpus|the guest has $(nproc) processors"
		continue
	fi
	echo "$cpus" >$drive/cpus
	for ((run = 0; run < runs; run++)); do
		for order in gseq clock; do
			echo "mode=overwrite order=$order" >$grtrace/config
			echo start >$grtrace/control
			# case C cpus N rate N events N ns N
			read -ra line < <(cat $drive/submit)
			echo stop >$grtrace/control
			echo "$order|$cpus|${line[7]}|${line[9]}|$(sed -n 's/^written //p' $grtrace/stats)"
		done
	done
done
