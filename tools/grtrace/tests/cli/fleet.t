#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Rows of several machines: the columns at their beginning, and bad input. fleet.sh in
# scripts/grtrace/test shows how engines read them.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

export_to()
{
	"$grtrace" export --to "$@"
}

# capture NAME HEAD...: two jobs, the second of which fails, on rings 1 and 7
capture()
{
	made=$1
	shift
	{
		printf '%s\n' 'session 18446744073709551615' 'cpu none' "$@" \
			'ring id=1 class=1 device=card0 name=gfx' 'cpu 0' \
			'task pid=5 tgid=5 comm=game ts=1000'
		for job in '1 1' '2 7'; do
			key="pid=5 ctx=9 seqno=${job% *} ring=${job#* }"
			printf '%s\n' "submit $key" "commit $key fence=3:${job% *}" "start $key" "end $key"
			[ "$job" = '1 1' ] && echo "complete $key" || echo "complete $key arg=-5"
		done
	} | "$synth" - "$made"
}

capture a 'info start=1000 real=1700000000000000000 boot=1 release=7.3.4' 'meta host render%207' \
	'meta tag mesa 26.1' 'meta tag app%22,%0A %FF'
capture unknown 'info start=1000 real=0 boot=0'

check "jobs" 0 '' export_to csv --fleet -o a.csv a
check "each row begins with where it comes from" 0 '^2$' grep -c \
	'^render 7,01000000-0000-0000-0000-000000000000,18446744073709551615,7.3.4,1700000000000000000,[0-9.]*,"{""mesa"":""26.1"",""app\\"",\\n"":""\\\\xff""}",a,' a.csv
python3 -B - a.csv > cells 2> err << 'PYTHON'
import csv, sys
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        print(row["ring"], row["ring_id"], row["comm"], row["label"], row["submit_ts"], row["submit_wall"], row["blocked_ts"], row["client_name"])
PYTHON
printf '%s\n' 'gfx 1 game ok 2000 1700000000000001000 NA ' ' 7 game failed 7000 1700000000000006000 NA ' > want
same "names are texts, an id has its own column, times are also wall-clock" cells want
check "another text for what is missing" 0 ',\\N,' export_to csv --fleet --null '\N' a
check "an empty one" 0 '^"",' export_to csv --fleet --null '' unknown
check "no wall clock, no boot, no host" 0 '^,,18446744073709551615,7.3.4,NA,' export_to csv --fleet unknown
check "JSON has the same" 0 '"session":"18446744073709551615","release":"7.3.4","capture_start":1700000000000000000' \
	export_to json --fleet a
check "one row for each capture" 0 '^3$' sh -c "\"$grtrace\" export --to csv --fleet --rows captures a unknown | wc -l"
check "with its counts" 0 ',mono,1000,2,11,10,0,0,0,0,0$' export_to csv --fleet --rows captures a
check "--null for events" 0 ',NULL,' export_to csv --null NULL a

check "events of jobs that were not ok" 0 '' export_to csv --rows events --slow-only a
cut -d, -f6,12 "$work/out" > seen
printf '%s\n' type,seqno submit,2 commit,2 start,2 end,2 complete,2 > want
same "are those of one" seen want
check "in JSON, too" 0 '^5$' sh -c "\"$grtrace\" export --to json --rows events --slow-only a | grep -c '\"row\":\"event\"'"
{
	printf '%s\n' 'session 1' 'ring id=1 class=1 device=card0 name=gfx' 'cpu 0'
	seq -f 'submit pid=5 ctx=9 seqno=%.0f ring=1' 65537
	printf '%s seqno=1\n' 'start ctx=9 ring=1' 'end ctx=9 ring=1' 'complete ctx=9 ring=1 arg=-5'
} | "$synth" - crowd
check "rows that could not wait are counted" 0 \
	'^grtrace export: --slow-only: 2 rows were dropped, .* within 65536 jobs .*: choose fewer jobs' \
	sh -c "\"$grtrace\" export --to csv --rows events --slow-only crowd 2>&1 > crowd.csv"
check "the others are there" 0 '^3$' sh -c "grep -c ',complete\|,start\|,end' crowd.csv"

for form in json clickhouse duckdb; do
	check "schema for $form" 0 'submit_wall' "$grtrace" export --schema $form
	check "of captures" 0 'lost_events' "$grtrace" export --schema $form --rows captures
done
check "another form" 2 '--schema knows json, clickhouse and duckdb, not "arrow"' "$grtrace" export --schema arrow
check "a schema reads nothing" 2 'reads nothing' "$grtrace" export --schema json a
check "events have no --fleet" 2 '--fleet has rows of jobs or of captures' export_to csv --fleet --rows events a
check "captures are of a fleet" 2 '--rows captures needs --fleet' export_to csv --rows captures a
check "--slow-only is for events" 2 '--slow-only needs --rows events' export_to csv --rows jobs --slow-only a
check "JSON has null" 2 '--null is for csv' export_to json --null x a
check "a comma for what is missing" 2 'cannot stand for a missing value' export_to csv --null , a
check "another format" 2 'sqlite has all rows' export_to sqlite --fleet -o a.db a
finish
