#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A recorder that runs for weeks: captures that roll, and --at. The packets of a large
# capture come from FIFOs in place of debugfs, as the kernel returns them.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

"$build/workload" --jobs 60000 --cpus 2 --subbuf 262144 "$work/all" 2> made || cat made
"$grtrace" export --to csv --rows events -o "$work/all.rows" "$work/all"

# kernel CPU...: a fresh directory, and FIFOs that are the trace files of two CPUs
kernel()
{
	fresh
	python3 -B "$here/trickle.py" --tables "$work/all.grtrace.0" > "$work/d/grtrace/metadata"
	rm "$work/d/grtrace/trace0" "$work/d/grtrace/trace1"
	mkfifo "$work/d/grtrace/trace$1" "$work/d/grtrace/trace$2"
	# Opened for both, so as not to wait for a reader.
	exec 3<> "$work/d/grtrace/trace$1" 4<> "$work/d/grtrace/trace$2"
	cat > "$work/plays" <<-END
		cp "$work/d/grtrace/config" seen
		exec python3 -B "$here/trickle.py" "$work/d/grtrace/trace$1" "$work/all.grtrace.0" \
			"$work/d/grtrace/trace$2" "$work/all.grtrace.1"
	END
}

# roll ARGS...: records all that the FIFOs return
roll()
{
	run "$grtrace" record -r "$work/d" -o roll --max-size 4M "$@" -- sh "$work/plays"
}

# joined NAME CAPTURE...: the captures as one
joined()
{
	whole=$1
	shift
	for cpu in 0 1; do
		for one in "$@"; do
			cat "$one.grtrace.$cpu"
		done > "$whole.grtrace.$cpu"
	done
}

check_word 'too small a capture' 2 "--max-size: '3M' is not 4M to 1024G" --max-size 3M
check_word 'an unknown unit' 2 "'8T' is not 4M" --max-size 8T
check_word 'no number' 2 "'M' is not 4M" --max-size M
check_word 'more than fits' 2 "'99999999999G' is not 4M" --max-size 99999999999G
check_word '--keep alone' 2 '--keep needs --max-size' --keep 3
check_word '--keep 0' 2 "--keep: '0' is not 1 to" --max-size 4M --keep 0
check_word 'no files' 2 '--max-size needs files' --max-size 4M -o -

kernel 0 1
roll
expect 'a recording that rolls' "$code" = 0
expect 'in captures of that size' "$(echo roll.*.grtrace.1)" = \
	'roll.000001.grtrace.1 roll.000002.grtrace.1 roll.000003.grtrace.1 roll.000004.grtrace.1'
grep -qx mode=overwrite seen
result $? 'each of which has all names'
! grep -q removed "$work/err"
result $? 'of which none is removed without --keep'
joined all roll.000001 roll.000002 roll.000003 roll.000004
check 'together' 0 '' "$grtrace" export --to csv --rows events -o rows all
cmp -s rows "$work/all.rows"
result $? 'they are the whole recording'
check 'the last alone is without faults' 0 ' 0 faults' "$grtrace" verify roll.000004
grep -q '^Lost: [1-9][0-9,]* records in 2 places; reported lost: 0 events' "$work/out" &&
	[ "$(grep -c ' records, overwritten by later ones$' "$work/out")" = 2 ]
result $? 'and says what was before'
check 'one in the middle also what comes later' 0 'numbers are in no file' \
	"$grparse" -i roll.000003
check 'and reported' 0 'coverage: drm_sched' "$grtrace" report roll.000003
truncate -s 300001 roll.000004.grtrace.1
check 'also when the power was cut' 1 'the file ends inside a record' "$grtrace" report roll.000004

kernel 0 1
: > roll.1.grtrace.0
: > roll.snapshot.grtrace.0
: > roll.000006.grtrace.0
: > roll.000007.grtrace.3
roll --keep 2
expect 'an older one of that name is continued' "$code" = 0 -a "$(echo roll.0*.grtrace.1)" = \
	'roll.000010.grtrace.1 roll.000011.grtrace.1'
expect 'the oldest are removed' "$(echo roll.0*.grtrace.[03])" = \
	'roll.000010.grtrace.0 roll.000011.grtrace.0'
expect 'and nothing else' -e roll.1.grtrace.0 -a -e roll.snapshot.grtrace.0
grep -qx '2 older captures were removed (--keep 2): their events count as overwritten' "$work/err"
result $? 'which is said'
joined kept roll.000010 roll.000011
"$grtrace" verify "$work/all" | sed -n 's/^Records: \([0-9,]*\) read.*/\1/p' | tr -d , > want
"$grtrace" verify kept | sed -n 's/^Records: \([0-9,]*\) read.*/\1/p; s/^Lost: \([0-9,]*\) .*/\1/p' |
	tr -d , | awk '{ sum += $1 } END { print sum }' > got
same 'what was removed counts as lost, to the record' got want

kernel 0 2
roll --keep 3
expect 'a CPU that was never there has a file in each' "$code" = 0 -a \
	"$(echo roll.*.grtrace.1)" = 'roll.000002.grtrace.1 roll.000003.grtrace.1 roll.000004.grtrace.1'
grep -aq "host $(uname -n)" roll.000003.grtrace.1
result $? 'with the tables'

kernel 0 1
sed -i '1i ln -s /dev/full roll.000002.grtrace.1' "$work/plays"
roll
expect 'a full disk ends it' "$code" = 1 -a "$(state)" = stop
grep -q 'roll.000002.grtrace.1: No space left.*its first 0 bytes are safe' "$work/err"
result $? 'and is said'
check 'what was before can be read' 0 'coverage: drm_sched' "$grtrace" report roll.000001

kernel 0 1
"$grtrace" record -r "$work/d" -o roll --max-size 4M > "$work/out" 2> "$work/err" &
pid=$!
until_true grep -q start "$work/d/grtrace/control"
python3 -B "$here/trickle.py" "$work/d/grtrace/trace0" "$work/all.grtrace.0" \
	"$work/d/grtrace/trace1" "$work/all.grtrace.1"
kill -TERM $pid
wait $pid
expect 'SIGTERM ends it well' $? = 0
joined all roll.000001 roll.000002 roll.000003 roll.000004
check 'with all records' 0 "^Records: [0-9,]* read in [0-9]* packets" \
	"$grtrace" verify all
exec 3>&- 4>&-

# ------------------------------------------------------------ starting together

check_word 'no slash' 2 "--at: '10s' is not /S, as in /10s" --at 10s
check_word 'no number of seconds' 2 "--at: 'x' is not 1 to 86400 seconds" --at /x
check_word 'none' 2 "'0' is not 1 to" --at /0s
fresh
run "$grtrace" record -r "$work/d" --at /3s -- date +%s
expect 'it starts with a full 3 s' "$code" = 0 -a $(($(head -n 1 "$work/out") % 3)) = 0
fresh
"$grtrace" record -r "$work/d" --sample 2 --at /86400 > "$work/out" 2> "$work/err" &
pid=$!
until_true grep -qx sample=2 "$work/d/grtrace/config"
kill -TERM $pid
wait $pid
expect 'a signal before ends it' $? = 1 -a "$(state)" = idle
grep -q 'nothing was recorded: a signal came before the time of --at' "$work/err"
result $? 'and says so'
expect 'nothing is left of it' "$(echo *)" = '*' -a \
	"$(cat "$work/d/grtrace/config")" = sample=1
finish
