#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The benchmark's part in the guest: the cost of each case of bench/cases, and
# of other tracers with the same event.  A line on standard output for each:
#
#	ID|STATUS|UNIT|EVENTS|BATCHES|MIN|SUM|MAX|WRITTEN|BYTES|OFFERED
#
# There are EVENTS in each of BATCHES; MIN, SUM and MAX are over the batches, in UNIT.
# STATUS is "ok", "n/a: " and why no numbers follow, or "wrong: " and why the numbers
# do not belong to ID. WRITTEN records (for OFFERED events) with BYTES
# are read from the counters. The counters cover the whole run, including its first,
# uncounted batch, and BYTES includes the notes that were written meanwhile.
#
# Usage: bench.sh CASES PEERS|- UNIT [ID...]
#
#   CASES  the file of cases
#   PEERS  folder with peers and peers.bpf.o; "-" measures grtrace alone
#   UNIT   cycles or ns
#   ID     these cases only
cases="$1" peers="$2" unit="$3"
shift 3
only="$*"
debugfs=/sys/kernel/debug
tracing=/sys/kernel/tracing
grtrace=$debugfs/grtrace
bench=$debugfs/grtrace_bench

ROUNDS=1000
BATCHES=20

modules_load() {
	insmod "$GRTRACE_MODULES/grtrace.ko" &&
		insmod "$GRTRACE_MODULES/grtrace_bench.ko" cycles=$((unit_cycles)) || exit
	echo $BATCHES >$bench/batches
}

modules_unload() { rmmod grtrace_bench grtrace; }

unit_cycles=0
[ "$unit" != cycles ] || unit_cycles=1

# stat NAME: one of the session's counters, 0 where there is none of this name.
stat() {
	local name value
	while read -r name value; do
		if [ "$name" = "$1" ]; then
			echo "$value"
			return
		fi
	done <"$grtrace/stats"
	echo 0
}

# The line of a run: "case C context X unit U events N batches N min N sum N max N",
# and what a peer adds, "records N bytes N".
result() { # ID STATUS LINE WRITTEN BYTES OFFERED
	local w
	read -ra w <<<"$3"
	printf '%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s\n' "$1" "$2" "${w[5]}" "${w[7]}" \
		"${w[9]}" "${w[11]}" "${w[13]}" "${w[15]}" "$4" "$5" "$6"
}

# run FILE: sets $line; in this process, which the watchlist knows.
run() {
	local lines
	case "$1" in
	*/job) echo $((ROUNDS / 5)) >$bench/rounds ;;
	*) echo $ROUNDS >$bench/rounds ;;
	esac
	mapfile -t lines <"$bench/$1"
	line="${lines[0]}"
}

# config WORDS: write them; false with $why when the kernel refuses.
config() {
	local words="$1" word key
	if [ -z "$words" ]; then
		return 0
	fi
	for word in $words; do
		key="${word%%=*}"
		if ! grep -q "^$key=" "$grtrace/config"; then
			why="grtrace has no key $key"
			return 1
		fi
	done
	if ! echo "$words" >"$grtrace/config" 2>/dev/null; then
		why="grtrace refuses $words"
		return 1
	fi
}

# one_case ID FILE CONFIG FATE
one_case() {
	local id="$1" file="$2" words="$3" fate="$4" line='' why='' ended offered bytes
	if [ "$words" = off ]; then
		run "$file"
		result "$id" ok "$line" 0 0 0
		return
	fi
	words="${words//@RING@/$ring}"
	words="${words//@RINGBIT@/$((1 << ring))}"
	words="${words//@PID@/$$}"
	words="${words//@CTX64@/$(seq -s, 937 1000)}"
	if ! config "$words"; then
		printf '%s|n/a: %s||||||||\n' "$id" "$why"
		return
	fi
	echo start >$grtrace/control
	bytes="$(stat bytes_written)"
	run "$file"
	echo stop >$grtrace/control
	bytes=$(($(stat bytes_written) - bytes))
	offered="$(stat offered)"
	ended="$(stat "$fate")"
	if [ "$fate" != mixed ] && [ "$ended" != "$offered" ]; then
		why="wrong: $ended of $offered events ended as $fate"
	fi
	result "$id" "${why:-ok}" "$line" "$(stat written)" "$bytes" "$offered"
}

# ring_id: the ring of the benchmark's first thread, by its name, which it has with its
# first event in a session: each time that the modules are loaded the same.
ring_id() {
	echo start >$grtrace/control
	cat $bench/task/submit >/dev/null
	echo stop >$grtrace/control
	awk -F, '/gfx_0\.0\.0(,|$)/ { print $1; exit }' $grtrace/rings
}

# size_cases: the bytes of records alone, that is between two moments of a session,
# and of all that a session left in the channel, with packets and notes.
size_cases() {
	local line written bytes
	echo start >$grtrace/control
	run task/submit
	written="$(stat written)" bytes="$(stat bytes_written)"
	run task/submit
	written=$(($(stat written) - written)) bytes=$(($(stat bytes_written) - bytes))
	echo stop >$grtrace/control
	result size ok "$line" "$written" "$bytes" "$written"
	result size-channel ok "$line" "$(stat written)" "$(cat $grtrace/trace0 | wc -c)" "$(stat written)"
}

trim() { local s="$1"; s="${s#"${s%%[! ]*}"}"; printf '%s' "${s%"${s##*[! ]}"}"; }

modules_load
ring="$(ring_id)"
modules_unload
modules_load
for context in task softirq hardirq; do
	run $context/empty
	result "empty-$context" ok "$line" 0 0 0
done
run task/clock
result clock ok "$line" 0 0 0

while IFS='|' read -r id _ file words fate; do
	id="$(trim "$id")"
	case "$id" in ''|'#'*) continue ;; esac
	if [ -n "$only" ] && [[ " $only " != *" $id "* ]]; then
		continue
	fi
	one_case "$id" "$(trim "$file")" "$(trim "$words")" "$(trim "$fate")"
	# what was configured once is nothing that a later case shall know
	if [ -n "$(trim "$words")" ]; then
		modules_unload
		modules_load
	fi
done <"$cases"
[ -n "$only" ] || size_cases
modules_unload
[ "$peers" != - ] || exit 0

# ------------------------------------------------------------- other tracers
event=$tracing/events/grtrace_bench/grtrace_bench_job_run
modules_load

# ftrace ID FILE CLOCK [FILTER]
ftrace() {
	local stats
	if [ ! -d $event ]; then
		printf '%s|n/a: the kernel has no trace events||||||||\n' "$1"
		return
	fi
	echo "$3" >$tracing/trace_clock
	echo >$tracing/trace
	echo "${4:-0}" >$event/filter
	echo 1 >$event/enable
	run "$2"
	echo 0 >$event/enable
	stats="$(cat $tracing/per_cpu/cpu0/stats)"
	result "$1" ok "$line" "$(sed -n 's/^entries: //p' <<<"$stats")" \
		"$(sed -n 's/^bytes: //p' <<<"$stats")" 0
}

run task/trace_event
result ftrace-off ok "$line" 0 0 0
ftrace ftrace-mono task/trace_event mono
ftrace ftrace-mono-soft softirq/trace_event mono
ftrace ftrace-mono-hard hardirq/trace_event mono
ftrace ftrace-local task/trace_event local
ftrace ftrace-filtered task/trace_event mono "fence_context == 1"

# buffer ID FILE: another buffer of the kernel, without a tracer.
buffer() {
	if [ ! -e "$bench/$2" ]; then
		printf '%s|n/a: the kernel has no such buffer||||||||\n' "$1"
		return
	fi
	run "$2"
	result "$1" ok "$line" 0 0 0
}

buffer ring-buffer task/ring_buffer
buffer simple-ring-buffer task/simple_ring_buffer

# perf_peer: as the BPF programs' lines: what the loop says, then records and bytes.  In
# a buffer that is never half full no reader is woken for a record.
perf_peer() {
	local line records size
	line="$(perf record -q -a -m 16M -k mono -c 1 -e grtrace_bench:grtrace_bench_job_run -o /tmp/perf.data \
		cat $bench/task/trace_event)" || return
	records="$(perf report --stats -i /tmp/perf.data | awk '/SAMPLE events:/ { print $3; exit }')"
	size="$(perf report -D -i /tmp/perf.data 2>/dev/null | sed -nE 's/.*\[(0x[0-9a-f]+)\]: PERF_RECORD_SAMPLE.*/\1/p;T;q')"
	printf '%s records %s bytes %s\n' "$line" "$records" $((records * size))
}

echo $ROUNDS >$bench/rounds
for peer in perf bpf bpf-raw; do
	attached=("$peers/peers" "$peers/peers.bpf.o" "${peer//-/_}" "$bench/task/trace_event")
	[ $peer != perf ] || attached=(perf_peer)
	if line="$("${attached[@]}" 2>/tmp/why)"; then
		read -ra words <<<"$line"
		result $peer ok "$line" "${words[17]}" "${words[19]}" 0
	else
		printf '%s|n/a: %s||||||||\n' "$peer" "$(tail -n 1 /tmp/why)"
	fi
done
modules_unload
