#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The same two jobs on each clock that a session may have, and by the wall clock: times since
# the start are the same, and each reader names the clock and finds the time of day.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# on_clock NAME CLOCK START REAL: stages.txt on another clock, which began earlier or later
on_clock()
{
	awk -v clock="$2" -v start="$3" -v real="$4" '
		/^info/ { sub(/start=[0-9]*/, "start=" start); sub(/real=[0-9]*/, "real=" real " boot=1 clock=" clock) }
		{ for (i = 1; i <= NF; i++) if ($i ~ /^ts=/) $i = sprintf("ts=%d", substr($i, 4) - 1000000 + start) }
		{ print }' "$fixtures/stages.txt" | "$synth" - "$1"
}

on_clock mono 1 1000000 1700000000000000000
on_clock boot 7 5000000 1700000000000000000
on_clock later 7 5000000 1700000000001000000
on_clock nowhere 1 1000000 0
"$grtrace" export --to csv --fleet mono 2> err | cut -d, -f45- > mono.walls
"$grparse" -q -f '%T.%9t %a %x:%S\n' mono > mono.events
"$grtrace" report -o /dev/null --csv - mono | cut -d, -f14-18 > mono.durations
for clock in mono boot; do
	"$grparse" -q -f '%T.%9t %a %x:%S\n' "$clock" > events
	same "$clock: times since the start" events mono.events
	"$grtrace" report -o /dev/null --csv - "$clock" | cut -d, -f14-18 > durations
	same "$clock: durations" durations mono.durations
	"$grtrace" export --to csv --fleet "$clock" 2> err | cut -d, -f45- > walls
	same "$clock: wall clocks of a fleet" walls mono.walls
	check "$clock: its name in JSON" 0 "^\\{\"row\":\"capture\".*\"clock\":\"$clock\"" "$grtrace" export --to json "$clock"
	check "$clock: its name in a fleet" 0 ",$clock,[0-9]+,2,20,18,0,0,0,0,0\$" \
		"$grtrace" export --to csv --fleet --rows captures "$clock"
	check "$clock: the day" 0 '^Trace started at Tue Nov 14 22:13:20 2023$' "$grparse" -O "$clock"
	"$grtrace" export --to sqlite -o "$clock.db" "$clock"
	check "$clock: in SQLite" 0 "^$clock 1700000000000000000\$" \
		sqlite3 -separator ' ' "$clock.db" 'SELECT clock, start_real FROM capture'
	"$grtrace" export --to ctf -o "$clock.ctf" "$clock"
	check "$clock: in CTF" 0 '^\[22:13:20\.001000000\] .*submit' babeltrace2 --no-delta --clock-gmt "$clock.ctf"
	check "$clock: the time of day of an event" 0 '^22:13:20\.001000 Q 6:3$' "$grparse" -q -a submit -f '%z %a %x:%S\n' "$clock"
	check "$clock: as the clock of a merge" 0 "^$clock +capture +m0 +$clock +20 +0 +\\+0 " "$grtrace" merge --stats-only "$clock"
	case $clock in mono) ;; *)
		check "$clock: is said" 0 "^Clock: $clock\$" "$grtrace" report --full "$clock" ;;
	esac
done
check "no wall clock: none in a fleet" 0 ',(NA,){7}NA$' "$grtrace" export --to csv --fleet nowhere
check "nor a day" 0 '' "$grparse" -O nowhere
absent "which is not said" 'Trace started'

# A ms later by the wall clock, on another clock of that boot.
check "merge: by how much the clocks differ" 0 '^later +capture +m0 +boot +20 +0 +-3000000 ' "$grtrace" merge --stats-only mono later
"$grtrace" merge -q -o both mono later
check "merge: the later event" 0 '^0\.002000000 Q 6:3$' "$grparse" -q -a submit -f '%T.%9t %a %x:%S\n' both
check "several captures are in the order of the wall clock" 0 '' "$grparse" -q --csv -a submit later mono
grep ',submit,' out | cut -d, -f1,11 | tr '\n' ' ' > got
printf 'mono,5 mono,6 later,5 later,6 ' > want
same "whichever is named first" got want

finish
