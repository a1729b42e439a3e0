# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bench_tools.sh's part "read": grparse beside tools that print traces of the same number
# of events.

# Markdown has backquotes, and the other variables belong to the caller:
# shellcheck disable=SC2016,SC2154

# printer NAME VERSION HOLDS EVENTS BYTES CMD...: measures one printer.
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
	"$tools/grtrace" export --to ctf -o "$work/ctf" "$work/gpu" >&2
	printer babeltrace2 "$(package babeltrace2)" "as grparse has, exported as CTF" \
		"$(babeltrace2 "$work/ctf" | wc -l)" "$(find "$work/ctf" -type f -exec cat {} + | wc -c)" \
		babeltrace2 "$work/ctf"
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
