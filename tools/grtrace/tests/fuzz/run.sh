#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs a fuzzer, which begins with what it has found before, and prints how many inputs it
# tried. Its findings are kept in $KEPT/FUZZER.
#
#	run.sh FUZZER SECONDS RUNS	this long, and at most this many inputs; -1: any number
set -eu
name=$1
own=$KEPT/$name
most=200 # files that are kept, in the order of size: all are tried before anything new

mkdir -p "$own" "$O/corpus/$name"
cd "$O"
# Half of the time went into choosing the next input by how rare its features are (entropic), and a
# fifth into looking for leaks and into fresh memory: leaks are found at the end, memory that was
# freed is used again after 4 MB.
export ASAN_OPTIONS="malloc_context_size=8:quarantine_size_mb=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
# The program complains about its inputs, over and over: only the fuzzer's output is shown.
if ! "./${name}_fuzzer" -close_fd_mask=3 -entropic=0 -detect_leaks=0 -timeout=10 -rss_limit_mb=1024 -max_total_time="$2" -runs="$3" \
	-print_final_stats=1 -artifact_prefix="$name-" "$own" "corpus/$name" > "$name.log" 2>&1; then
	tail -n 40 "$name.log"
	echo "$name: fails on an input, which is kept in $O"
	exit 1
fi
found=$(find "$own" -type f | wc -l)
if [ "$found" -gt "$most" ]; then
	rm -rf "$name.few"
	mkdir "$name.few"
	# The smallest of the inputs that reach the same code, or of all where that takes too long:
	# a merge does not heed -max_total_time.
	timeout 60 "./${name}_fuzzer" -close_fd_mask=3 -merge=1 "$name.few" "$own" >> "$name.log" 2>&1 ||
		{ [ $? = 124 ] && cp -r "$own/." "$name.few"; }
	rm -rf "$own"
	mkdir "$own"
	find "$name.few" -type f -printf '%s %p\n' | sort -n | head -n "$most" | cut -d' ' -f2 |
		xargs -r cp -t "$own"
fi
awk -v name="$name" -v found="$found" '
	$1 == "stat::number_of_executed_units:" { runs = $2 }
	$1 == "stat::average_exec_per_sec:" { rate = $2 }
	END { printf "%s: %d inputs, %d a second, %d kept\n", name, runs, rate, found; exit !runs }' "$name.log"
