#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The same two jobs on each clock that a session may have, and by the wall clock: times since
# the start are the same, and each reader names the clock and finds the time of day.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# on_clock NAME CLOCK START REAL [MORE]: stages.txt on another clock, which began earlier or
# later; MORE is added to the contexts, so that a merge has two jobs to choose from
on_clock()
{
	awk -v clock="$2" -v start="$3" -v real="$4" -v more="$5" '
		/^info/ { sub(/start=[0-9]*/, "start=" start); sub(/real=[0-9]*/, "real=" real " boot=1 clock=" clock) }
		{ for (i = 1; i <= NF; i++) {
			if ($i ~ /^ts=/) $i = sprintf("ts=%d", substr($i, 4) - 1000000 + start)
			if ($i ~ /^ctx=/) $i = sprintf("ctx=%d", substr($i, 5) + more)
		} }
		{ print }' "$fixtures/stages.txt" | "$synth" - "$1"
}

# texts NAME CAPTURE...: whatever prints times in words or pictures, without the capture's
# name and the line that names its clock
texts()
{
	for words in timeline 'timeline --jobs' 'timeline -w 0.001:0.01' 'explain 5:1' 'explain 6:3' 'report --full' \
		report 'report -w 0.001:0.05' verify; do
		# shellcheck disable=SC2086
		"$grtrace" $words "$2" 2>&1 || echo "$words: exit $?"
	done | sed -e "s/\\b$2\\b/NAME/g" -e '/^Clock: /d' > "$1"
}

# perfetto_walls CAPTURE...: time of day of each packet, in ns since 1700000000, as Perfetto
# computes it: by the two clocks in the snapshot of the packet's sequence
perfetto_walls()
{
	"$grtrace" export --to perfetto "$@" |
	protoc -I"$here/../../src/words/export" --decode perfetto.protos.Trace perfetto.proto |
	awk '
		/^packet/ { at = ""; clocks = 0 }
		# The last digits: the number has more of them than an awk can compute with.
		/^      timestamp:/ { time[++clocks] = substr($2, length($2) - 11) }
		/^  timestamp:/ { at = $2 }
		/^  trusted_packet_sequence_id:/ { sequence = $2 }
		/^}/ && clocks { offset[sequence] = time[2] - time[1] }
		/^}/ && at != "" { printf "%d\n", at + offset[sequence] }'
}

# perfetto_clocks CAPTURE: the ids of the clocks in the snapshot, and of what packets have
perfetto_clocks()
{
	"$grtrace" export --to perfetto "$1" |
	protoc -I"$here/../../src/words/export" --decode perfetto.protos.Trace perfetto.proto |
	awk '/clock_id:|primary_trace_clock:/ { printf "%s ", $2 }'
}

on_clock mono 1 1000000 1700000000000000000
on_clock boot 7 5000000 1700000000000000000
on_clock later 7 5000000 1700000000001000000
on_clock nowhere 1 1000000 0
on_clock others 7 5000000 1700000000001000000 2
texts mono.texts mono
perfetto_walls mono > mono.perfetto
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
	texts "$clock.texts" "$clock"
	same "$clock: timeline, explain, report and verify" "$clock.texts" mono.texts
	! grep ': exit' "$clock.texts" > out
	result $? "$clock: all of them without a failure"
	perfetto_walls "$clock" > "$clock.perfetto"
	same "$clock: times of day in Perfetto" "$clock.perfetto" mono.perfetto
	"$grparse" -q -w 0.001:0.023 -f '%T.%9t %a %x:%S\n' "$clock" > events
	awk '$1 >= 0.001 && $1 <= 0.023' mono.events > want
	same "$clock: an interval" events want
	case $clock in mono) ;; *)
		check "$clock: is said" 0 "^Clock: $clock\$" "$grtrace" report --full "$clock" ;;
	esac
done
sort -n mono.perfetto | sed -n '1p;$p' > got
printf '%s\n' 10000 62000000 > want
same "the first and the last time of day in Perfetto" got want
check "Perfetto's clocks: mono, the wall clock" 0 '^3 1 BUILTIN_CLOCK_MONOTONIC 3 $' perfetto_clocks mono
check "Perfetto's clocks: boot" 0 '^6 1 BUILTIN_CLOCK_BOOTTIME 6 $' perfetto_clocks boot
check "Perfetto's clocks: no wall clock" 0 '^3 BUILTIN_CLOCK_MONOTONIC 3 $' perfetto_clocks nowhere
# A text of trace events has the time of the clock itself.
check "text: on mono" 0 '^ +browser-200 .* 0\.002000000: drm_sched_job_queue: .*fence=6:3,' "$grtrace" export --to text mono
check "text: on boot" 0 '^ +browser-200 .* 0\.006000000: drm_sched_job_queue: .*fence=6:3,' "$grtrace" export --to text boot
check "no wall clock: none in a fleet" 0 ',(NA,){7}NA$' "$grtrace" export --to csv --fleet nowhere
check "nor a day" 0 '' "$grparse" -O nowhere
absent "which is not said" 'Trace started'

# A ms later by the wall clock, on another clock of that boot.
check "merge: by how much the clocks differ" 0 '^later +capture +m0 +boot +20 +0 +-3000000 ' "$grtrace" merge --stats-only mono later
"$grtrace" merge -q -o both mono later
check "merge: the later event" 0 '^0\.002000000 Q 6:3$' "$grparse" -q -a submit -f '%T.%9t %a %x:%S\n' both

# The same jobs, as 7:1 and 8:3, a ms later by the wall clock. Each output of both captures shows
# that ms, and each of the merged capture.
"$grtrace" merge -q -o joined mono others
for event in 'Q 6:3' 'Q 8:3' 'C 6:3' 'C 8:3'; do
	"$grparse" -q -f '%T.%9t %a %x:%S\n' joined | grep "$event"
done > got
printf '%s\n' '0.001000000 Q 6:3' '0.002000000 Q 8:3' '0.062000000 C 6:3' '0.063000000 C 8:3' > want
same "merged: events" got want
check "merged: text" 0 ' 0\.003000000: drm_sched_job_queue: .*fence=8:3,' "$grtrace" export --to text joined
check "merged: explain" 0 '^ +0\.002000000  browser .* submitted it$' "$grtrace" explain 8:3 joined
check "merged: explain to the end" 0 '^ +0\.063000000  its completion is visible' "$grtrace" explain 8:3 joined
# A column is a ms: what happens to the second job is one column to the right.
check "merged: timeline" 0 '^6:3 +browser +1/copy +61\.000 ms  -{4}={17}#{17}$' \
	"$grtrace" timeline --jobs -w 0.001:0.039 --width 76 joined
check "merged: timeline, the other job" 0 '^8:3 +browser +1/copy +61\.000 ms   -{4}={17}#{16}$' \
	"$grtrace" timeline --jobs -w 0.001:0.039 --width 76 joined
perfetto_walls joined | sort -n | uniq > got
sort -n mono.perfetto | awk '{ print; print $1 + 1000000 }' | sort -n | uniq > want
same "merged: Perfetto" got want
{ cat mono.perfetto; awk '{ print $1 + 1000000 }' mono.perfetto; } | sort -n | uniq > want
perfetto_walls mono others | sort -n | uniq > got
same "both: Perfetto" got want
perfetto_walls others mono | sort -n | uniq > got
same "both, the other way round: Perfetto" got want
"$grtrace" report --html both.html -o /dev/null mono others
"$grtrace" report --html turned.html -o /dev/null others mono
for page in both turned; do
	grep -o '"name":"\(mono\|others\)"\|"offset":[0-9]*' "$page.html"
done > got
printf '%s\n' '"name":"mono"' '"offset":0' '"name":"others"' '"offset":1000000' \
	'"name":"others"' '"offset":1000000' '"name":"mono"' '"offset":0' > want
same "both, and the other way round: the page" got want
check "several captures are in the order of the wall clock" 0 '' "$grparse" -q --csv -a submit later mono
grep ',submit,' out | cut -d, -f1,11 | tr '\n' ' ' > got
printf 'mono,5 mono,6 later,5 later,6 ' > want
same "whichever is named first" got want

finish
