#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Missing records: they are counted, and shown at their place.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
captures=$here/../captures

# A loss has its own time, also on a CPU that was quiet before it.
quiet=$captures/lost_quiet_cpu
check "a loss touches no job that was over" 0 \
	'^Touched by loss: 0 jobs' "$grtrace" report --full -D "$quiet" x
check "the ring is not known from then on" 0 \
	'^0000:01:00\.0 gfx .* 200\.000 us \*$' "$grtrace" report --busy -D "$quiet" x
check "LOST stands between its neighbours" 0 '' "$grparse" -q -f '%a %S\n' -D "$quiet" x
grep -A 1 '^C 2' out | grep -q '^mL '
result $? "behind the event before it"
check "of two captures as well" 0 '' \
	"$grparse" -q -f '%a %S %T\n' "$quiet/x" "$captures/truth-lost-quiet-cpu/x"
[ "$(grep -c '^mL ' out)" = 2 ] && ! sed '/^C 2 /q' out | grep -q '^mL '
result $? "and only behind what is older in both"

# A number that is in no file is lost, and everybody counts it.
hole=$captures/truth-known-gseq-hole
for word in "$grparse -O" "$grtrace report --full" "$grtrace verify"; do
	# shellcheck disable=SC2086
	on out check "${word##*/}: numbers in no file are lost" "$([ "${word##* }" != verify ]; echo $?)" \
		'^Lost: 4 records in 2 places' $word -D "$hole" x
	grep -Eq '^  CPU 1, 0\.000400001 to 0\.000440000: 2 records, in no file$' out
	result $? "${word##*/}: whose and when"
	grep -q '^Sequence: 4 numbers are in no file' out
	result $? "${word##*/}: and why"
done
on err check "grparse --strict" 3 'x: 4 records are in no file' "$grparse" --strict -q -O -D "$hole" x
on err check "report --strict" 3 'x: 4 records are in no file' "$grtrace" report --full --strict -D "$hole" x
check "diff --strict" 3 '' "$grtrace" diff --strict "$hole/x" "$hole/x"
check "export --strict" 3 '' "$grtrace" export --to json -o x.json --strict -D "$hole" x
grep -q '"row":"end".*"missing":4[,}]' x.json
result $? "the end row counts them"
grep -q '"row":"gap","capture":"x","cpu":1,"records":2,' x.json
result $? "and rows say where"
check "to SQLite" 0 '' "$grtrace" export --to sqlite -o x.db -D "$hole" x
[ "$(python3 -c 'import sqlite3
print(sqlite3.connect("x.db").execute("SELECT missing FROM capture").fetchone()[0])')" = 4 ]
result $? "its table counts them"
check "a page" 0 '' "$grtrace" report --html x.html -D "$hole" x
grep -q '"lost":4,' x.html
result $? "its header counts them"

# Two CPUs take turns; each has four packets of five records.
{
	printf 'cpu none\ninfo start=0 cpus=2\nring id=1 class=1 name=gfx\n'
	i=0
	while [ $i -lt 40 ]; do
		printf 'cpu %d\n' $((i % 2))
		[ $i -gt 1 ] && [ $((i % 10)) -lt 2 ] && echo packet
		printf 'submit ctx=1 ring=1 seqno=%d\n' $i
		i=$((i + 1))
	done
} > turns
"$synth" turns whole
packet=$((64 + 5 * 40))
tables=$(($(wc -c < whole.grtrace.0) - 4 * packet))

check "all that is there" 0 '^Lost: 0 records' "$grtrace" report --full --strict whole
# lost NAME BYTES0 BYTES1 RECORDS: of the files, so much is there.
lost()
{
	head -c "$2" whole.grtrace.0 > part.grtrace.0
	head -c "$3" whole.grtrace.1 > part.grtrace.1
	check "$1" 3 "^Lost: $4 records" "$grtrace" report --full --strict part
	"$grparse" -O part > out 2> err
	grep -q "^Lost: $4 records" out
	result $? "$1: to grparse"
}
# The number behind the last one is unknown.
lost "without the last packet" 100000 $((3 * packet)) 4
lost "a recorder was killed while a file lagged" 100000 "$packet" 14
lost "a file was copied earlier than the other" $((tables + 2 * packet)) 100000 10
lost "cut between records" 100000 $((3 * packet + 64 + 40)) 3
rm part.grtrace.*
cp whole.grtrace.0 alone.grtrace.0
on err check "the last CPU's file is not there" 3 \
	'^alone: 19 records are in no file: .*; there is no alone\.grtrace\.1, and the machine could have 2 CPUs$' \
	"$grparse" -q -O --strict alone
on err check "all are there, and records are not" 0 'copied earlier than the others$' "$grparse" -q -O -D "$hole" x
sed 's/cpus=2/cpus=8/' turns | "$synth" - eight
rm eight.grtrace.1
on err check "nor those of others" 0 'there is no eight\.grtrace\.1 to 7, and the machine could have 8' "$grparse" -q -O eight
{
	head -c $((tables + packet + 64)) whole.grtrace.0
	tail -c +$((tables + packet + 64 + 41)) whole.grtrace.0
} > part.grtrace.0
cp whole.grtrace.1 part.grtrace.1
check "a record cut out is lost once" 3 '^Lost: 1 records in 1 places' \
	"$grtrace" report --full --strict part
rm part.grtrace.*

# A finished recording has the end of each CPU. If that is cut off at a packet, it is damaged.
{ cat turns; printf 'cpu 0\nstop\ncpu 1\nstop\ncpu none\nmeta state stopped\n'; } | "$synth" - over
check "a finished recording" 0 '^Lost: 0 records' "$grtrace" report --full --strict over
check "says when it stopped" 0 '^Stopped: at 0\.00004' "$grparse" -O --strict over
check "to SQLite" 0 '' "$grtrace" export --to sqlite -o over.db over
[ "$(python3 -c 'import sqlite3
print(sqlite3.connect("over.db").execute("SELECT cpu, gseq, cseq, lost FROM stop").fetchall())')" = \
	'[(0, 40, 20, 0), (1, 40, 20, 0)]' ]
result $? "with the numbers of each end"
cp over.grtrace.0 cut.grtrace.0
head -c $((3 * packet)) over.grtrace.1 > cut.grtrace.1
for word in "$grparse -O --strict" "$grtrace report --strict"; do
	# shellcheck disable=SC2086
	check "${word##*/}: it was cut at a packet" 1 \
		'^[a-z ]*: cut\.grtrace\.1: damaged at offset '$((3 * packet))': the recording was finished, and CPU 1 has no STOP' \
		$word cut
done
"$grparse" -O cut > out 2> err
grep -q '^Lost: 5 records' out && grep -q 'damaged bytes in 1 places' out
result $? "and by how much"
on out check "verify names it" 1 'CPU 1 has no STOP: its end was cut off, or was not read \[damage damage\]$' \
	"$grtrace" verify cut
cp over.grtrace.0 ended.grtrace.0
head -c -40 over.grtrace.1 > ended.grtrace.1
on out check "an end without which no record is missing" 1 '^ended: ' \
	"$grtrace" report ended
absent "is not called nothing lost" 'nothing lost'
tr '\n' ' ' < out > line
grep -q ' jobs, the end of CPU 1 is missing  ' line
result $? "but named"
check "JSON and a page" 1 '' "$grtrace" report --json ended.json --html ended.html ended
grep -q '"row":"waiting".*,"cpus_without_end":"1"}' ended.json
result $? "name it, too"
grep -q '"missing_ends":"the end of CPU 1 is missing"' ended.html
result $? "and the other one"
"$synth" - late << 'END'
cpu none
info start=0 cpus=2
ring id=1 class=1 name=gfx
meta state stopped
cpu 1
submit pid=7 ctx=6 ring=1 seqno=1
cpu 0
start ctx=6 ring=1 seqno=1
complete ctx=6 ring=1 seqno=1
stop
END
on out check "nor is it known that nothing was late" 1 '^1 job waited 1\.00 us from SUBMIT to START, less than 1\.00 ms; the end of CPU 1$' \
	"$grtrace" report late
head -c -128 over.grtrace.0 > ended.grtrace.0
tail -c 88 over.grtrace.0 >> ended.grtrace.0
check "two ends" 1 '' "$grtrace" report ended
tr '\n' ' ' < out > line
grep -q ' jobs, the ends of 2 CPUs are missing  ' line
result $? "are counted"
head -c $((tables + 2 * packet)) over.grtrace.0 > cut.grtrace.0
tail -c 88 over.grtrace.0 >> cut.grtrace.0
on err check "both were" 1 'CPU 0 has no STOP' "$grparse" -q -O cut
grep -q 'CPU 1 has no STOP' err
result $? "and the other"
cat over.grtrace.1 over.grtrace.0 > stream
check "a pipe has all ends" 0 '^Lost: 0 records' sh -c "cat stream | '$grparse' -O --strict -i -"
cat whole.grtrace.1 whole.grtrace.0 > stream
check "a pipe that goes on needs none" 0 '^Lost: 0 records' sh -c "cat stream | '$grparse' -O --strict -i -"
for part in 'snapshot manual 5' 'segment 2'; do
	printf 'cpu none\nmeta %s\n' "$part" | "$synth" - part
	cat part.grtrace.0 stream > part
	tail -c 88 over.grtrace.0 >> part
	rm part.grtrace.0
	check "nor does a ${part%% *}" 0 '^Lost: 0 records' "$grparse" -O --strict part
done
check "a copy" 0 '' "$grparse" -q -O -d copy over
check "has the ends" 0 '^Stopped: at ' "$grparse" -O --strict copy
head -c -40 copy > copy.cut
on err check "and needs them" 1 'CPU 1 has no STOP' "$grparse" -O copy.cut

# Records that are left out of a copy are not lost, and lost records are not left out.
check "a copy of some events" 0 '' "$grparse" -q -O -a submit -w 0:0.00002 -d some whole
check "has nothing lost" 0 '^Lost: 0 records' "$grparse" -O --strict some
check "a copy of what has holes" 0 '' "$grparse" -q -O -d some -D "$hole" x
check "has them, too" 3 '^Lost: 4 records' "$grparse" -O --strict some
cat whole.grtrace.1 whole.grtrace.0 > stream
check "files behind each other have no holes" 0 '^Lost: 0 records' \
	sh -c "cat stream | '$grparse' -O --strict -i -"

# A number far from its neighbours is damage.
check "a far gseq is damage" 1 'x\.grtrace\.0: damaged at offset 784: a record whose gseq is' \
	"$grparse" -O -D "$captures/truth-known-gseq-byte" x
grep -q '^Lost: 1 records' out && grep -q ' 32 damaged bytes in 1 places$' out
result $? "of one record, which is lost"

# A packet that a file has twice is read once.
{
	head -c $((tables + 2 * packet)) whole.grtrace.0
	tail -c +$((tables + packet + 1)) whole.grtrace.0
} > twice.grtrace.0
cp whole.grtrace.1 twice.grtrace.1
on out check "a repeated packet" 1 '^Repeated: 1 packets' "$grparse" -O twice
grep -q '^Records: 40 read in 9 packets' out && grep -q '^Lost: 0 records' out
result $? "is counted once"
"$grparse" -q whole > want
"$grparse" -q twice 2> err | sed 's/^twice/whole/; s/(twice)/(whole)/' > got
same "and read once" want got
on out check "verify names it" 1 'it is repeated here, and read once \[damage damage\]$' "$grtrace" verify twice

finish
