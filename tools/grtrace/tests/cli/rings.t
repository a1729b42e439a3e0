#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Rings: any id is one, and flags say what a ring is.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

export COLUMNS=1000
gpu=4294967280 cpu=4294967281

# jobs FLAGS FLAGS: two processes on two rings, whose ids are as large as they get.
jobs()
{
	cat <<-TEXT
		cpu none
		info start=1000000 real=1700000000000000000 cpus=1
		cpu 0
		ring id=$gpu class=1 device=card0 driver=mock name=gfx flags=$1 timeout=500 ts=1000500
		ring id=$cpu class=0 device=card0 driver=mock name=vm-bind flags=$2
		task pid=10 tgid=10 comm=appA ts=1001000
		task pid=20 tgid=20 comm=appB
	TEXT
	ms=2
	for ring in $gpu $cpu; do
		cat <<-TEXT
			submit pid=10 ctx=5 ring=$ring seqno=$ring ts=${ms}000000
			submit pid=20 ctx=6 ring=$ring seqno=$ring ts=${ms}001000
			pick ctx=5 ring=$ring seqno=$ring ts=${ms}002000
			commit ctx=5 ring=$ring seqno=$ring fence=50:$ring ts=${ms}003000
			end ctx=5 ring=$ring seqno=$ring ts=$((ms + 18))000000
			complete ctx=5 ring=$ring seqno=$ring ts=$((ms + 18))001000
			pick ctx=6 ring=$ring seqno=$ring ts=$((ms + 18))002000
			commit ctx=6 ring=$ring seqno=$ring fence=51:$ring ts=$((ms + 18))003000
			end ctx=6 ring=$ring seqno=$ring ts=$((ms + 19))000000
			complete ctx=6 ring=$ring seqno=$ring ts=$((ms + 19))001000
		TEXT
		ms=$((ms + 30))
	done
}

jobs 2 1 > text
"$synth" text far

# A table by id would need gigabytes.
for words in 'report --full' 'report --busy --delays' 'report --html page.html' timeline 'timeline --jobs' \
	verify 'diff far' "explain 5:$gpu" 'merge -o merged' 'export --to json -o far.json' \
	'export --to csv -o far.csv' 'export --to ctf -o far.ctf' 'export --to perfetto -o far.perfetto' \
	'export --to sqlite -o far.db'; do
	# shellcheck disable=SC2086
	check "$words: a large id is one as any" 0 '' sh -c 'ulimit -v 1000000; exec "$@"' sh "$grtrace" $words far
done
check "grparse says what a ring is" 0 "ring $gpu is gfx of card0 \\(mock\\), render, shared, timeout 500 ms\$" \
	"$grparse" -v -q -f '%m\n' far
check "by its id" 0 "^Q $gpu\$" "$grparse" -q -f '%a %S\n' --ring $gpu far
absent "and no other" "$cpu"
check "the ids stay in a merged capture" 0 "^Q $cpu\$" "$grparse" -q -f '%a %S\n' --ring $cpu merged
check "and the flags" 0 "ring $cpu is vm-bind of .*, unknown, cpu\$" "$grparse" -v -q -f '%m\n' merged
"$grparse" -q -O -d again far > out 2> err
check "a copy has them" 0 "ring $gpu is gfx of .*, shared, timeout 500 ms\$" "$grparse" -v -q -f '%m\n' again
check "JSON has them" 0 '"ring_name":"gfx".*"flags":"shared","timeout_ms":500' grep '"row":"ring"' far.json
if has_program "SQLite has them" sqlite3; then
	check "SQLite has them" 0 '^gfx\|2\|500$' sqlite3 far.db 'SELECT name, flags, timeout_ms FROM ring'
fi

check "the CPU's jobs are no work of the GPU" 0 '^card0 +37\.99 +18\.994 ms$' "$grtrace" report --busy far
# report CAPTURE: the first screen, as one line
report()
{
	"$grtrace" report "$1" > screen && tr -s ' \n' '  ' < screen
}
check "START on a ring that shares the hardware is a bound" 0 \
	'START is inferred, not recorded, for all jobs: queue times are at least, execution times at most what is shown, above all on 1 ring that shares the hardware with other rings\.' \
	report far
grep -q 'appA (10) had the GPU and the CPU: 2 jobs on 2 rings' out
result $? "a process had the GPU, and the CPU"
jobs 0 1 | grep -v "^pick.*ring=$gpu\|^commit.*ring=$gpu" > text
"$synth" text busy
check "or the CPU alone" 0 'appA \(10\) had the CPU on vm-bind: 1 job waited' report busy
check "explain says so" 0 \
	"inferred: the hardware can begin with it, because the ring has no job before it \\[D.*\\]; other rings share the hardware, so it may have begun much later" \
	"$grtrace" explain "5:$gpu" far
check "and whose job it is" 0 "inferred: the CPU can begin with it, because the ring has no job before it \\[D[^;]*\$" \
	"$grtrace" explain "5:$cpu" far
check "the timeline says whose jobs they are" 0 'vm-bind \(unknown, jobs of the CPU\)' "$grtrace" timeline far
jobs 0 0 > text
"$synth" text plain
check "without flags nobody speaks of them" 0 'execution times at most what is shown\.' report plain
grep -q 'appA (10) had the GPU: 2 jobs on 2 rings' out
result $? "nor of the CPU"
finish
