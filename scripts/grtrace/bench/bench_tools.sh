#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures what the user side costs: how fast a capture is read and printed,
# beside tools that print traces of the same number of events; how fast jobs are
# analysed; how much memory a very long capture takes; and what many captures at
# once take.  Everything on one processor and from the page cache.  Prints tables in Markdown; last, a line for
# each bar:
#
#	BAR <name> <value> <unit> <limit> ok|short
#
# Usage: bench_tools.sh [--base BASE] [--quick] [PART...]
#
#   BASE     the guest's kernel, in which trace-cmd and perf record: 6.12,
#            6.12-bookworm, 6.12-trixie, 7.3 (default)
#   --quick  a tenth of the events, and fewer runs
#   PART     only these: read jobs memory many, or demo, which is the first run
#            in an empty root and asked for by name
#
# Tables and CSV stand in out/bench/ afterwards; the peers' traces are made once
# and kept in the cache.
#
# Exit status: 0 when all was measured, whether bars were met or not; else 1; 2
# wrong usage.

# The parts are called by name, and Markdown has backquotes:
# shellcheck disable=SC2317,SC2016
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
for part in report cache root apt base chroot; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

base=7.3
events=1000000		# of each trace that is printed
job_records=10000000
memory_records=100000000
rounds=7
while [ $# -gt 0 ]; do
	case "$1" in
	-h|--help) usage "$0"; exit ;;
	--quick) events=100000 job_records=1000000 memory_records=10000000 rounds=3 ;;
	--base)
		[ $# -ge 2 ] || usage_error "--base needs a value"
		base="$(base_name "$2")"
		shift ;;
	-*) usage_error "unknown option '$1'" ;;
	*) break ;;
	esac
	shift
done
parts=(read jobs memory many)
more=(demo)	# which takes minutes and the network
for name; do
	case " ${parts[*]} ${more[*]} " in
	*" $name "*) ;;
	*) usage_error "unknown part '$name': it is one of ${parts[*]} ${more[*]}" ;;
	esac
done
[ $# = 0 ] || parts=("$@")

# The first is the busiest, as a rule.
processor="$(($(nproc) - 1))"
checkout="$(cd "$here/../.." && pwd)"
out="$checkout/out/bench"
store="$CACHE/bench-tools"
mkdir -p "$out" "$store"
# Not in /tmp, which may be memory: a long capture has gigabytes.
work="$(mktemp -d "$store/.run.XXXXXX")"
trap 'as_root rm -rf "$work"' EXIT
bars="$work/bars"
: >"$bars"
status=0

# bar NAME VALUE UNIT LIMIT: LIMIT as "atleast N" or "atmost N".
bar() {
	awk -v name="$1" -v value="$2" -v unit="$3" -v how="${4% *}" -v limit="${4#* }" 'BEGIN {
		ok = how == "atleast" ? value >= limit : value <= limit
		printf "BAR %s %s %s %s %s\n", name, value, unit, limit, ok ? "ok" : "short" }' >>"$bars"
}

# ratio A B: how often B goes into A.
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

# rate RECORDS SECONDS: millions a second.
rate() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }

# timed CMD...: "<CPU seconds> <seconds> <KiB>"
timed() { "$work/timed" "$processor" "$@"; }

# median FILE COLUMN
median() { awk -v c="$2" '{ print $c }' "$1" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# ------------------------------------------------------------------- the traces

# key FILE...: a name that changes with what the files say.
key() { cat "$@" | sha256sum | cut -c1-16; }

# fill_guest EVENTS DIR
fill_guest() {
	local modules
	modules="$("$here/kernel/modules.sh" "$base")"
	note "recording $1 events with trace-cmd and perf in a guest"
	"$here/guest/vm.sh" --cpus 1 --memory 4G --timeout 900 --share "$2" --modules-dir "$modules" "$base" -- \
		bash "$here/guest/bench_tools.sh" "$1"
}

# fill_made GENERATOR EVENTS NAME DIR
fill_made() {
	"$work/$1" "$2" "$4/$3"
}

# make_traces: where each stands goes to $guest, $blk and $ctf.
make_traces() {
	local name
	for name in blk_stream ctf_stream; do
		gcc -O2 -Wall -o "$work/$name" "$here/bench/$name.c"
	done
	guest="$store/guest-$base-$events-$(key "$here/guest/bench_tools.sh")"
	blk="$store/blk-$events-$(key "$here/bench/blk_stream.c")"
	ctf="$store/ctf-$events-$(key "$here/bench/ctf_stream.c")"
	cache_entry "$guest" fill_guest "$events"
	cache_entry "$blk" fill_made blk_stream "$events" disk
	cache_entry "$ctf" fill_made ctf_stream "$events" trace
}

# simulate RECORDS NAME [OPTION...]: a capture of about so many, on 8 CPUs and 64
# rings; prints how many.
simulate() {
	local records="$1" name="$2"
	shift 2
	"$tools/workload" --jobs $((records * 10 / 66)) --rings 64 --devices 4 --processes 32 --contexts 4 --cpus 8 \
		--depend 50 --wait 50 --fail 2 "$@" "$name" 2>"$work/simulated" || return
	cut -d' ' -f1 "$work/simulated"
}

# bytes FILE...: of all of them.
bytes() { cat "$@" | wc -c; }

# ------------------------------------------------------------------ the parts
# Each says on stdout what goes into the report.

# printer NAME VERSION HOLDS EVENTS BYTES CMD...: one that is measured.
declare -a printers=()
declare -A version=() holds=() counted=() size=() command=()
printer() {
	printers+=("$1")
	version[$1]="$2" holds[$1]="$3" counted[$1]="$4" size[$1]="$5"
	shift 5
	command[${printers[-1]}]="$*"
}

# package NAME: its version.
package() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || printf 'not installed'; }

# add_printers: each counts its own events by the lines that it prints.
add_printers() {
	local job="the fields of drm_sched_job_run"
	simulate "$events" "$work/gpu" >/dev/null
	printer grparse "$("$tools/grparse" -V | cut -d' ' -f2)" "jobs of 64 rings, 8 CPUs, 14 kinds of event" \
		"$("$tools/grparse" -q "$work/gpu" | wc -l)" "$(bytes "$work"/gpu.grtrace.*)" \
		"$tools/grparse" -q "$work/gpu"
	printer trace-cmd "$(package trace-cmd)" "$job" \
		"$(trace-cmd report -i "$guest/trace.dat" 2>/dev/null | grep -c job_run)" "$(bytes "$guest/trace.dat")" \
		trace-cmd report -i "$guest/trace.dat"
	printer perf "$(package linux-perf)" "$job" \
		"$(perf script -i "$guest/perf.data" 2>/dev/null | grep -c job_run)" "$(bytes "$guest/perf.data")" \
		perf script -i "$guest/perf.data"
	printer blkparse "$(package blktrace)" "requests of one disk, 5 kinds of event" \
		"$(blkparse -q -i "$blk/disk" | grep -c '^ ')" "$(bytes "$blk"/disk.*)" \
		blkparse -q -i "$blk/disk"
	printer babeltrace2 "$(package babeltrace2)" "$job" \
		"$(babeltrace2 "$ctf/trace" | wc -l)" "$(bytes "$ctf"/trace/*)" \
		babeltrace2 "$ctf/trace"
}

part_read() {
	local name round
	make_traces
	add_printers
	printf '## Reading and printing a trace\n\n'
	printf 'As text, to /dev/null, medians of %s runs in turns. CPU time, user and system: what else the machine\n' "$rounds"
	printf 'does is not in it. *bytes/event*: of the trace, with what it says about itself.\n\n'
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		for name in "${printers[@]}"; do
			# shellcheck disable=SC2086
			timed ${command[$name]} 2>/dev/null >"$work/one"
			read -r cpu wall kib <"$work/one"
			printf '%s %s %s %s %s\n' "$name" "${counted[$name]}" "$cpu" "$wall" "$kib" >>"$work/runs"
		done
	done
	{ printf 'tool,events,cpu_s,wall_s,kib\n'; tr ' ' , <"$work/runs"; } >"$out/read.csv"
	print_read
}

print_read() {
	local name seconds ours
	printf '| tool | events | bytes/event | M events/s | grparse is | memory KiB | the trace |\n|---|--:|--:|--:|--:|--:|---|\n'
	for name in "${printers[@]}"; do
		awk -v name="$name" '$1 == name' "$work/runs" >"$work/of"
		seconds="$(median "$work/of" 3)"
		mine="$(rate "${counted[$name]}" "$seconds")"
		[ "$name" != grparse ] || ours="$mine"
		printf '| %s %s | %s | %s | %s | %s times | %s | %s |\n' "$name" "${version[$name]}" "${counted[$name]}" \
			"$(ratio "${size[$name]}" "${counted[$name]}")" "$mine" "$(ratio "$ours" "$mine")" \
			"$(median "$work/of" 5)" "${holds[$name]}"
		case "$name" in
		trace-cmd) bar read_trace_cmd "$(ratio "$ours" "$mine")" ratio "atleast 10" ;;
		blkparse) bar read_blkparse "$(ratio "$ours" "$mine")" ratio "atleast 6" ;;
		esac
	done
}

# print_jobs TABLES RECORDS: a line of the table, of the runs for it; its rate is
# the caller's speed.
print_jobs() {
	awk -v name="$1" '$1 == name' "$work/runs" >"$work/of"
	speed="$(rate "$2" "$(median "$work/of" 2)")"
	printf '| %s | %s | %s |\n' "$1" "$speed" "$(median "$work/of" 4)"
}

# What is measured against a bar is what there is to know of each job: its times
# and label, and the stages of all. A report without options goes on to what the
# jobs did to each other and to the rings, in a dozen tables more.
part_jobs() {
	local records round speed
	records="$(simulate "$job_records" "$work/jobs")"
	printf '## Analysing jobs\n\n'
	printf '`grtrace report` of %s records on 64 rings and 8 CPUs, medians of %s runs in turns, CPU time.\n' "$records" "$rounds"
	printf '*jobs* is `--per-ring`: the times and label of each job, and the stages of each ring; *all* is without\n'
	printf 'options: also queue depth, idle gaps, who delayed whom, the greatest of all sorts.\n\n'
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		printf 'jobs %s\n' "$(timed "$tools/grtrace" report --per-ring "$work/jobs")" >>"$work/runs"
		printf 'all %s\n' "$(timed "$tools/grtrace" report "$work/jobs")" >>"$work/runs"
	done
	{ printf 'tables,cpu_s,wall_s,kib\n'; tr ' ' , <"$work/runs"; } >"$out/jobs.csv"
	printf '| tables | M records/s | memory KiB |\n|---|--:|--:|\n'
	print_jobs jobs "$records"
	bar jobs_rate "$speed" Mrecords/s "atleast 20"
	print_jobs all "$records"
	printf '\nWhat the steps cost, each with those before it; the least of %s runs:\n\n```\n' "$rounds"
	taskset -c "$processor" "$tools/rates" --runs "$rounds" "$work/jobs"
	printf '```\n'
	rm -f "$work"/jobs.*
}

part_memory() {
	local records cpu wall kib
	note "simulating $memory_records records"
	records="$(simulate "$memory_records" "$work/long")"
	printf '## A long capture\n\n'
	timed "$tools/grtrace" report "$work/long" >"$work/one"
	read -r cpu wall kib <"$work/one"
	printf '`grtrace report` of %s records (%s MiB) on 64 rings: %s MiB of memory at most, %s M records/s.\n' \
		"$records" "$(($(bytes "$work"/long.*) >> 20))" "$(ratio "$kib" 1024)" "$(rate "$records" "$cpu")"
	printf 'records,cpu_s,wall_s,kib\n%s,%s,%s,%s\n' "$records" "$cpu" "$wall" "$kib" >"$out/memory.csv"
	bar report_memory "$(ratio "$kib" 1024)" MiB "atmost 64"
	timed "$tools/grparse" -q "$work/long" >"$work/one"
	read -r cpu wall kib <"$work/one"
	printf '\n`grparse` of the same: %s MiB, %s M records/s.\n' "$(ratio "$kib" 1024)" "$(rate "$records" "$cpu")"
	bar print_memory "$(ratio "$kib" 1024)" MiB "atmost 64"
	rm -f "$work"/long.*
}

# Of the same few captures, linked, so that the disk is not what is measured.
part_many() {
	local number records all=0 captures=1000 made=8 cpu wall kib
	for ((number = 0; number < made; number++)); do
		records="$(simulate 30000 "$work/made$number" --seed "$number" --cpus 1)"
		all=$((all + records * captures / made))
	done
	local -a names=()
	for ((number = 0; number < captures; number++)); do
		ln "$work/made$((number % made)).grtrace.0" "$work/many$number.grtrace.0"
		names+=("$work/many$number")
	done
	printf '## Many captures\n\n'
	timed "$tools/grparse" -q -O "${names[@]}" >"$work/one"
	read -r cpu wall kib <"$work/one"
	printf '`grparse` of %s captures of %s KiB: %s KiB of memory for each, %s M records/s in order' "$captures" \
		"$(($(bytes "$work/made0.grtrace.0") >> 10))" "$(ratio "$kib" "$captures")" "$(rate "$all" "$cpu")"
	bar many_rate "$(rate "$all" "$cpu")" Mrecords/s "atleast 5"
	bar many_memory "$(ratio "$kib" "$captures")" KiB "atmost 64"
	printf 'captures,records,cpu_s,wall_s,kib\n%s,%s,%s,%s,%s\n' "$captures" "$all" "$cpu" "$wall" "$kib" >"$out/many.csv"
	timed "$tools/grparse" -q "${names[@]}" >"$work/one"
	read -r cpu wall kib <"$work/one"
	printf ', %s M records/s printed.\n' "$(rate "$all" "$cpu")"
	rm -f "$work"/made* "$work"/many*
}

# demo_seconds ROOT CLONE: how long `make demo` takes there.
demo_seconds() {
	local begin end
	begin="$(date +%s%N)"
	( cd "$2" && chroot_run "$1" "$2" -- make demo ) >"$work/demo" 2>&1 || {
		tail -n 30 "$work/demo" >&2
		return 1
	}
	end="$(date +%s%N)"
	awk -v ns="$((end - begin))" 'BEGIN { printf "%.1f", ns / 1e9 }'
}

# In an empty root of the newest Debian, with nothing of this machine but its network
# and its mirror.
part_demo() {
	local root="$work/root" suite=trixie cold warm
	"$here/deps.sh" vm
	apt_fresh "$suite"
	note "making an empty root"
	as_root mmdebstrap --quiet --mode=root --variant=minbase --skip=check/empty --include=make,ca-certificates \
		"$suite" "$root" "$CACHE/apt/$suite/sources.list" >&2
	as_root cp /etc/resolv.conf "$root/etc/"
	git clone -q "$checkout" "$work/clone"
	printf '## The first run\n\n'
	note "make demo, with nothing there"
	cold="$(demo_seconds "$root" "$work/clone")"
	note "make demo, with everything there"
	warm="$(demo_seconds "$root" "$work/clone")"
	printf '`make demo` in an empty root of Debian %s: %s s. Again: %s s.\n' "$suite" "$cold" "$warm"
	bar demo_cold "$cold" s "atmost 180"
	bar demo_warm "$warm" s "atmost 20"
	printf 'cold_s,warm_s\n%s,%s\n' "$cold" "$warm" >"$out/demo.csv"
	as_root rm -rf "$root"
}

# ------------------------------------------------------------------------- run

"$here/deps.sh" bench-tools
tools="$("$here/tools.sh")"
"$here/tools.sh" -s workload rates >&2
gcc -O2 -Wall -o "$work/timed" "$here/bench/timed.c"
report="$out/bench-tools.md"
{
	printf '# What reading costs\n\n'
	printf '%s, one of %s processors, load at the start: %s.\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" "$(nproc)" \
		"$(cut -d' ' -f1 /proc/loadavg)"
} | tee "$report"
for name in "${parts[@]}"; do
	note "measuring: $name"
	printf '\n' | tee -a "$report"
	# Not "if part_...": what fails in there shall end it.
	set +e
	( set -e; "part_$name" ) | tee -a "$report"
	part_status="${PIPESTATUS[0]}"
	set -e
	if [ "$part_status" != 0 ]; then
		printf '\nThis could not be measured: the run failed, see the messages.\n' | tee -a "$report"
		status=1
	fi
done
if [ -s "$bars" ]; then
	{
		printf '\n## Bars\n\n'
		cat "$bars"
	} >>"$report"
	printf '\n'
	cat "$bars"
fi
exit "$status"
