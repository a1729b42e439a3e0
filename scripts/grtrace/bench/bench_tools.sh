#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the cost of the user side: how fast a capture is read and printed,
# compared with tools that print traces of the same number of events; how fast
# jobs are analysed; and how much memory a very long capture and many captures at
# once need.  Everything runs on one processor and from the page cache.  Prints
# tables in Markdown, and at the end a line for each bar:
#
#	BAR <name> <value> <unit> <limit> ok|short
#
# Usage: bench_tools.sh [--base BASE] [--quick] [PART...]
#
#   BASE     the guest's kernel, in which trace-cmd and perf record: 6.12,
#            6.12-bookworm, 6.12-trixie, 7.3 (default)
#   --quick  a tenth of the events, and fewer runs
#   PART     only these: read jobs memory many window import, or demo, which is the first run
#            in an empty root and asked for by name
#
# Tables and CSV are in out/bench/ afterwards; the peers' traces are made once
# and kept in the cache.
#
# Exit status: 0 when all was measured, whether bars were met or not; else 1; 2
# wrong usage.

# Markdown has backquotes:
# shellcheck disable=SC2016
. "$(dirname "$0")/../lib/use.sh" cache root apt base chroot
. "$here/bench/parts.sh"
. "$here/bench/printers.sh"
. "$here/bench/first_run.sh"

base=7.3 quick=''
options '--base: --quick' "$@"
set -- "${args[@]}"
base="$(base_name "$base")"
# Events of each trace that is printed.
events=1000000 job_records=10000000 memory_records=100000000 rounds=7
[ -z "$quick" ] || events=100000 job_records=1000000 memory_records=10000000 rounds=3
parts=(read jobs memory many window import)
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
out="$checkout/out/bench"
store="$CACHE/bench-tools"
mkdir -p "$out" "$store"
# Not in /tmp, which may be memory: a long capture has gigabytes.
work="$(mktemp -d "$store/.run.XXXXXX")"
trap 'as_root rm -rf --one-file-system "$work"' EXIT
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

# timed CMD...: "<CPU seconds> <seconds> <KiB>", with its output thrown away.
timed() {
	local TIMEFORMAT='%U %S %R' took
	took="$({ time taskset -c "$processor" /usr/bin/time -f %M -o "$work/kib" "$@" </dev/null >/dev/null 2>&3; } 3>&2 2>&1)" ||
		return
	awk -v kib="$(tail -n 1 "$work/kib")" '{ printf "%.3f %s %s\n", $1 + $2, $3, kib }' <<<"$took"
}

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

# fill_blk EVENTS DIR
fill_blk() { python3 -B "$here/bench/blk_stream.py" "$1" "$2/disk"; }

# make_traces: where each stands goes to $guest and $blk.
make_traces() {
	guest="$store/guest-$base-$events-$(key "$here/guest/bench_tools.sh")"
	blk="$store/blk-$events-$(key "$here/bench/blk_stream.py")"
	cache_entry "$guest" fill_guest "$events"
	cache_entry "$blk" fill_blk "$events"
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

# print_jobs TABLES RECORDS: a line of the table, of the runs for it; its rate is
# the caller's speed.
print_jobs() {
	awk -v name="$1" '$1 == name' "$work/runs" >"$work/of"
	speed="$(rate "$2" "$(median "$work/of" 2)")"
	printf '| %s | %s | %s |\n' "$1" "$speed" "$(median "$work/of" 4)"
}

# What is measured against a bar is what there is to know of each job: its times
# and label, and the stages of all. --full goes on to what the jobs did to each other
# and to the rings, in a dozen tables more, and to why they were late, which has a bar
# of its own: the cost of the same report, screen and tables, with these findings and
# without.
ns_of() { sed -nE "s/^$1 +([0-9.]+) ns.*/\1/p" "$work/steps"; }
part_jobs() {
	local records round speed
	records="$(simulate "$job_records" "$work/jobs")"
	printf '## Analysing jobs\n\n'
	printf '`grtrace report` of %s records on 64 rings and 8 CPUs, medians of %s runs in turns, CPU time.\n' "$records" "$rounds"
	printf '*jobs* is `--per-ring`: the times and label of each job, and the stages of each ring; *tables* has\n'
	printf 'queue depth, idle gaps, who delayed whom and the greatest of all sorts, too; *all* is `--full`, which\n'
	printf 'has the rings drawn and the findings as well.\n\n'
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		{
			printf 'jobs %s\n' "$(timed "$tools/grtrace" report --per-ring "$work/jobs")"
			printf 'all %s\n' "$(timed "$tools/grtrace" report --full "$work/jobs")"
			printf 'tables %s\n' "$(timed "$tools/grtrace" report --per-ring --busy --topn 5 --delays \
				--proofs 1 "$work/jobs")"
		} >>"$work/runs"
	done
	{ printf 'tables,cpu_s,wall_s,kib\n'; tr ' ' , <"$work/runs"; } >"$out/jobs.csv"
	printf '| tables | M records/s | memory KiB |\n|---|--:|--:|\n'
	print_jobs jobs "$records"
	bar jobs_rate "$speed" Mrecords/s "atleast 20"
	print_jobs tables "$records"
	print_jobs all "$records"
	printf '\nWhat the steps cost, each with those before it; the least of %s runs:\n\n```\n' "$rounds"
	taskset -c "$processor" "$tools/rates" --runs "$rounds" "$work/jobs" | tee "$work/steps"
	printf '```\n'
	bar findings_cost "$(ratio "$(ns_of full)" "$(ns_of 'no findings')")" ratio "atmost 1.3"
	rm -f "$work"/jobs.*
}

part_memory() {
	local records cpu wall kib
	note "simulating $memory_records records"
	records="$(simulate "$memory_records" "$work/long")"
	printf '## A long capture\n\n'
	timed "$tools/grtrace" report --full "$work/long" >"$work/one"
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

# The whole of it could not be read in this time from any disk.
part_window() {
	local round seconds
	python3 -B "$here/bench/long_capture.py" "$work/window"
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		timed "$tools/grparse" -q -w 500:501 "$work/window" >>"$work/runs"
	done
	seconds="$(median "$work/runs" 2)"
	printf '## A second of a long capture\n\n'
	printf '`grparse -q -w 500:501` of %s GB and 1000 s: %s s, median of %s runs.\n' \
		"$((($(stat -c %s "$work"/window.* | paste -sd+)) / 1000000000))" "$seconds" "$rounds"
	bar window_of_10gb "$seconds" seconds "atmost 0.3"
	{ printf 'cpu_s,wall_s,kib\n'; tr ' ' , <"$work/runs"; } >"$out/window.csv"
	rm -f "$work"/window.*
}

part_import() {
	local round rate
	awk -v events="$job_records" -f "$here/bench/trace_text.awk" >"$work/trace.txt"
	printf '## Traces of other programs\n\n'
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		timed "$tools/grtrace" import -q -o "$work/imported" "$work/trace.txt" >>"$work/runs"
	done
	rate="$(rate "$job_records" "$(median "$work/runs" 1)")"
	printf '`grtrace import` of a text of %s events: %s M events/s, %s MiB of memory, median of %s runs.\n' \
		"$job_records" "$rate" "$(ratio "$(median "$work/runs" 3)" 1024)" "$rounds"
	bar import_rate "$rate" Mevents/s "atleast 2"
	bar import_memory "$(ratio "$(median "$work/runs" 3)" 1024)" MiB "atmost 64"
	{ printf 'cpu_s,wall_s,kib\n'; tr ' ' , <"$work/runs"; } >"$out/import.csv"
	rm -f "$work"/trace.txt "$work"/imported

	# A report of a trace.dat beside one of the capture that is made of it.
	local kind
	python3 -B "$here/../../tools/grtrace/tests/cli/tracedat.py" "$work/trace.dat" $((events / 3))
	"$tools/grtrace" import -q -o "$work/imported" "$work/trace.dat"
	: >"$work/runs"
	for ((round = 0; round < rounds; round++)); do
		printf 'import %s\n' "$(timed "$tools/grtrace" import -q -o - "$work/trace.dat")"
		printf 'dat %s\n' "$(timed "$tools/grtrace" report "$work/trace.dat" 2>/dev/null)"
		printf 'capture %s\n' "$(timed "$tools/grtrace" report "$work/imported")"
	done >>"$work/runs"
	for kind in import dat capture; do
		grep "^$kind " "$work/runs" >"$work/runs.$kind"
	done
	rate="$(rate $((events / 3 * 3)) "$(median "$work/runs.import" 2)")"
	printf '`grtrace import` of a trace.dat of %s events: %s M events/s; `grtrace report` of it takes %s s, of its capture %s s.\n' \
		$((events / 3 * 3)) "$rate" "$(median "$work/runs.dat" 3)" "$(median "$work/runs.capture" 3)"
	bar import_dat_rate "$rate" Mevents/s "atleast 2"
	bar report_of_dat "$(ratio "$(median "$work/runs.dat" 3)" "$(median "$work/runs.capture" 3)")" ratio "atmost 2"
	rm -f "$work"/trace.dat "$work"/imported "$work"/runs.*
}

# ------------------------------------------------------------------------- run

"$here/deps.sh" bench-tools
tools="$("$here/tools.sh" --release)"
"$here/tools.sh" --release -s workload rates >&2
report="$out/bench-tools.md"
{
	printf '# What reading costs\n\n'
	printf '%s, one of %s processors, load at the start: %s.\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" "$(nproc)" \
		"$(cut -d' ' -f1 /proc/loadavg)"
} | tee "$report"
measure "${parts[@]}"
show_bars
exit "$status"
