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
#   PART     only these: read jobs memory many window import; or, asked for by name: build
#            (times and sizes, by a compiler without a cache), demo (the first run, in an
#            empty root)
#
# Tables and CSV are in out/bench/ afterwards; the peers' traces are made once
# and kept in the cache.
#
# Exit status: 0 when all was measured, whether bars were met or not; else 1; 2
# wrong usage.

# Markdown has backquotes:
# shellcheck disable=SC2016
. "$(dirname "$0")/../lib/use.sh" cache apt base chroot
. "$here/bench/parts.sh"

quick='' base=7.3
options '--base: --quick' "$@"
set -- "${args[@]}"
base="$(base_name "$base")"
# Events of each trace that is printed, records of a capture of jobs and of a long one.
events=1000000 jobs=10000000 long=100000000 rounds=7
[ -z "$quick" ] || events=100000 jobs=1000000 long=10000000 rounds=3
parts=(read jobs memory many window import)
more=(build demo)	# which take minutes; demo needs the network
for name; do
	case " ${parts[*]} ${more[*]} " in
	*" $name "*) ;;
	*) usage_error "unknown part '$name': it is one of ${parts[*]} ${more[*]}" ;;
	esac
done
[ $# = 0 ] || parts=("$@")

out="$checkout/out/bench"
store="$CACHE/bench-tools"
mkdir -p "$out" "$store"
# Not in /tmp, which may be memory: a long capture has gigabytes.
work="$(mktemp -d "$store/.run.XXXXXX")"
trap 'as_root rm -rf --one-file-system "$work"' EXIT
bars="$work/bars"
: >"$bars"
status=0

# fill_guest DIR
fill_guest() {
	local modules
	modules="$("$here/kernel/modules.sh" --bench "$base")"
	note "recording $events events with trace-cmd and perf in a guest"
	"$here/guest/vm.sh" --cpus 1 --memory 4G --timeout 900 --share "$1" --modules-dir "$modules" "$base" -- \
		bash "$here/guest/bench_tools.sh" "$events"
}
fill_blk() { python3 -B "$here/bench/blk_stream.py" "$events" "$1/disk"; }

# The names change with what makes the traces.
sum() { sha256sum <"$1" | cut -c1-16; }
guest="$store/guest-$base-$events-$(sum "$here/guest/bench_tools.sh")"
blk="$store/blk-$events-$(sum "$here/bench/blk_stream.py")"

# reading PART
reading() {
	python3 -B "$here/bench/reading.py" "$1" tools="$tools" work="$work" out="$out" bars="$bars" guest="$guest" blk="$blk" \
		events="$events" jobs="$jobs" long="$long" rounds="$rounds"
}
part_read() {
	cache_entry "$guest" fill_guest
	cache_entry "$blk" fill_blk
	reading read
}
part_jobs() { reading jobs; }
part_memory() { reading memory; }
part_many() { reading many; }
part_window() { reading window; }
part_import() { reading import; }
part_build() { python3 -B "$here/bench/building.py" tools="$tools" work="$work" bars="$bars"; }

# demo_seconds ROOT CLONE: how long `make demo` takes there.
demo_seconds() {
	local began="$EPOCHREALTIME"
	( cd "$2" && chroot_run "$1" "$2" -- make demo ) >"$work/demo" 2>&1 || {
		tail -n 30 "$work/demo" >&2
		return 1
	}
	awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { printf "%.1f\n", ended - began }'
}

# How long a newcomer waits for the first answer: in an empty root of the newest Debian, with
# nothing of this machine but its network and its mirror.
part_demo() {
	local root="$work/root" suite=trixie cold warm
	"$here/deps.sh" vm
	apt_fresh "$suite"
	note "making an empty root"
	debstrap "$suite" "$root" make,ca-certificates
	as_root cp /etc/resolv.conf "$root/etc/"
	git clone -q "$checkout" "$work/clone"
	printf '## The first run\n\n'
	note "make demo, with nothing there"
	cold="$(demo_seconds "$root" "$work/clone")"
	note "make demo, with everything there"
	warm="$(demo_seconds "$root" "$work/clone")"
	printf '`make demo` in an empty root of Debian %s: %s s. Again: %s s.\n' "$suite" "$cold" "$warm"
	python3 -B "$here/bench/bars.py" demo_cold "$cold" s 180 >>"$bars"
	python3 -B "$here/bench/bars.py" demo_warm "$warm" s 20 >>"$bars"
	printf 'cold_s,warm_s\n%s,%s\n' "$cold" "$warm" >"$out/demo.csv"
	as_root rm -rf --one-file-system "$root"
}

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
