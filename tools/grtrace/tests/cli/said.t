#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Sentences that are printed once, if at all: each has a case that must print it.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
export COLUMNS=400

# capture NAME: from standard input, behind a ring of a device
capture()
{
	{
		printf '%s\n' 'cpu none' 'info start=0' 'ring id=1 class=1 device=card0 driver=mock name=gfx' \
			'ring id=2 class=3 device=card0 driver=mock name=copy' 'cpu 0' \
			'task pid=1 tgid=1 comm=game ts=500' 'task pid=2 tgid=2 comm=browser ts=600'
		cat
	} | "$synth" - "$1"
}

# job PID CTX:SEQNO RING SUBMIT START END: in us; $more has its other records.
job()
{
	key="ctx=${2%:*} seqno=${2#*:} ring=$3"
	echo "submit pid=$1 $key ts=${4}000"
	[ -z "$more" ] || echo "$more $key ts=${4}500"
	echo "start $key flags=10 ts=${5}000"
	echo "end $key flags=9 ts=${6}000"
	echo "complete $key flags=9 ts=${6}100"
}
more=

# finds NAME REGEX CAPTURE: a finding has this text
finds()
{
	check "$1" 0 "\"text\":\"$2" "$grtrace" report -o /dev/null --json - "$3"
}

# ------------------------------------------------------------------------------- findings

{
	job 1 5:1 1 1000 1001 9000
	job 2 6:1 1 1500 9000 9500
} | capture other
finds "another process" 'game \(1\) had the GPU on gfx: 1 job waited 7\.50 ms for its jobs\. Mostly for 5:1, which ran 8\.00 ms' other
check "and whose" 0 '^ +[0-9.]+ % +7\.500 ms  job 5:1 of game \(1\) ran on card0 gfx' "$grtrace" explain 6:1 other
{
	job 1 5:1 1 1000 1001 3000
	job 1 5:2 1 1000 3001 6000
	job 1 5:3 1 1000 6001 8000
	job 2 6:1 1 1500 8001 8500
} | capture many
finds "many jobs of it" 'game \(1\) had the GPU on gfx: 1 job waited 6\.50 ms for its jobs\. Longest for 5:2, which ran 3\.00 ms' many
{
	job 1 5:1 1 1000 1001 9000
	job 1 5:2 1 1500 9000 9500
} | capture own
finds "one's own queue" 'game \(1\) queued more on gfx than could run: 1 job waited 7\.50 ms for earlier jobs' own
{
	job 1 5:1 1 1000 1001 9000
	echo 'submit pid=2 ctx=6 seqno=1 ring=2 ts=1200000'
	echo 'blocked ctx=6 seqno=1 ring=2 fence=5:1 ts=1200100'
	echo 'pick ctx=6 seqno=1 ring=2 ts=9000200'
	echo 'commit ctx=6 seqno=1 ring=2 fence=60:1 ts=9000300'
	echo 'start ctx=6 seqno=1 ring=2 flags=10 ts=9000400'
	echo 'end ctx=6 seqno=1 ring=2 flags=9 ts=9900000'
	echo 'complete ctx=6 seqno=1 ring=2 flags=9 ts=9900100'
} | capture fence
finds "fences" '1 job on copy waited 7\.80 ms for fences of jobs of game \(1\)' fence
{
	printf '%s\n' 'submit pid=2 ctx=6 seqno=1 ring=2 ts=1200000' 'blocked ctx=6 seqno=1 ring=2 fence=5:1 ts=1200100'
	job 1 5:1 1 7000 7001 9000
	printf '%s\n' 'pick ctx=6 seqno=1 ring=2 ts=9000200' 'commit ctx=6 seqno=1 ring=2 fence=60:1 ts=9000300' \
		'start ctx=6 seqno=1 ring=2 flags=10 ts=9000400' 'end ctx=6 seqno=1 ring=2 flags=9 ts=9900000' \
		'complete ctx=6 seqno=1 ring=2 flags=9 ts=9900100'
} | capture late
finds "jobs that came late" '1 job on copy waited 5\.80 ms for jobs that game \(1\) had not yet submitted' late

{
	printf '%s\n' 'submit pid=2 ctx=6 seqno=1 ring=2 ts=1000000' 'pick ctx=6 seqno=1 ring=2 ts=1100000' \
		'commit ctx=6 seqno=1 ring=2 fence=60:1 ts=4600000' 'start ctx=6 seqno=1 ring=2 flags=10 ts=4600100' \
		'end ctx=6 seqno=1 ring=2 flags=9 ts=5000000' 'complete ctx=6 seqno=1 ring=2 flags=9 ts=5000100'
} | capture slow_driver
finds "the driver" '1 job waited 3\.50 ms in the driver on copy, from PICK until it handed them over\.' slow_driver
check "no sources" 0 '^Coverage: the capture names no sources' "$grtrace" report --full own
check "nor on the screen" 0 '^coverage: the capture names no sources' "$grtrace" report own

# hung SEQNO RING CTX FROM TO: a job that hangs and completes a ms after its END
hung()
{
	printf '%s\n' "submit pid=1 ctx=$3 seqno=$1 ring=$2 ts=$4" "commit ctx=$3 seqno=$1 ring=$2 fence=7$3:$1 ts=+100" \
		"start ctx=$3 seqno=$1 ring=$2 flags=10 ts=+100" "error ctx=$3 seqno=$1 ring=$2 kind=1 code=-62 ts=$5" \
		"end ctx=$3 seqno=$1 ring=$2 flags=9 ts=$5" "complete ctx=$3 seqno=$1 ring=$2 flags=9 arg=-62 ts=$(($5 + 1000000))"
}
{
	hung 1 1 5 1000000 5000000
	hung 2 1 5 20000000 24000000
	hung 3 1 5 30000000 34000000
} | capture hangs
check "a hang ends at its END" 0 '^5:1 of game \(1\) began at 0\.00[0-9]* s and ran 4\.00 ms on gfx, until its timeout' "$grtrace" report hangs
grep -q 'No other job waited for it\. 2 more hung like that\.$' out
result $? "more hangs"
{
	printf '%s\n' 'submit pid=1 ctx=5 seqno=1 ring=1 ts=1000000' 'commit ctx=5 seqno=1 ring=1 fence=75:1 ts=1000100' \
		'start ctx=5 seqno=1 ring=1 flags=10 ts=1000200' 'submit pid=2 ctx=6 seqno=1 ring=1 ts=2000000' \
		'pick ctx=6 seqno=1 ring=1 ts=2000100' 'commit ctx=6 seqno=1 ring=1 fence=75:2 ts=2000200' \
		'error ctx=5 seqno=1 ring=1 kind=1 code=-62 ts=9000000' 'end ctx=5 seqno=1 ring=1 flags=9 ts=9000000' \
		'complete ctx=5 seqno=1 ring=1 flags=9 arg=-62 ts=10000000' 'start ctx=6 seqno=1 ring=1 flags=10 ts=12000000' \
		'end ctx=6 seqno=1 ring=1 flags=9 ts=13000000' 'complete ctx=6 seqno=1 ring=1 flags=9 ts=13000100'
} | capture held
check "who waited for a hang" 0 '5:1 of game \(1\) ran 8\.00 ms on gfx, until its timeout' "$grtrace" report held
check "for how long, to its END" 0 '"kind":"hang","ns":7000000,' "$grtrace" report -o /dev/null --json - held

# That it hung is known from its COMPLETE alone, a ms after its END, when another job was over.
{
	printf '%s\n' 'submit pid=1 ctx=5 seqno=1 ring=1 ts=1000000' 'commit ctx=5 seqno=1 ring=1 fence=75:1 ts=1000100' \
		'start ctx=5 seqno=1 ring=1 flags=10 ts=1000200' 'end ctx=5 seqno=1 ring=1 flags=9 ts=9000000' \
		'submit pid=2 ctx=6 seqno=1 ring=1 ts=9100000' 'commit ctx=6 seqno=1 ring=1 fence=76:1 ts=9100100' \
		'start ctx=6 seqno=1 ring=1 flags=10 ts=9100200' 'end ctx=6 seqno=1 ring=1 flags=9 ts=9500000' \
		'complete ctx=6 seqno=1 ring=1 flags=9 ts=9600000' 'complete ctx=5 seqno=1 ring=1 flags=9 arg=-62 ts=10000000'
} | capture silent
check "a hang that only COMPLETE knows of" 0 '^5:1 of game \(1\) .* ran 8\.00 ms on gfx, until its timeout' "$grtrace" report silent

# ----------------------------------------------------------------------- one job's story

{
	printf '%s\n' 'sampling 4' 'submit pid=1 ctx=5 seqno=1 ring=1 ts=1000000' 'start ctx=5 seqno=1 ring=1 flags=10' \
		'ctx_switch ctx=5 seqno=1 ring=1 fence=9:3' 'irq ctx=5 seqno=1 ring=1' 'end ctx=5 seqno=1 ring=1 flags=9' \
		'complete ctx=5 seqno=1 ring=1 flags=9'
} | capture story
check "a sampled job" 0 '^Sampled: it stands for 4 jobs\.$' "$grtrace" explain 5:1 story
grep -q 'the ring switched to it from 9:3' out && grep -q 'its interrupt came' out
result $? "steps that few jobs have"
"$build/workload" --jobs 400 --preempt 200 preempted 2> err
job=$("$grtrace" report -o /dev/null --csv - preempted 2> err | awk -F, '$(NF - 1) == 1 { print $4 ":" $5; exit }')
check "a job that was preempted" 0 'the ring left its context while it ran' "$grtrace" explain "$job" preempted

# steps SUBMIT PICK COMMIT START END COMPLETE: one job of game on gfx, in us
steps()
{
	key='ctx=5 seqno=1 ring=1'
	printf '%s\n' "submit pid=1 $key ts=${1}000" "pick $key ts=${2}000" "commit $key fence=75:1 ts=${3}000" \
		"start $key flags=10 ts=${4}000" "end $key flags=9 ts=${5}000" "complete $key flags=9 ts=${6}000"
}
steps 1000 9000 9001 9002 9500 9501 | capture unpicked
check "a job that was not picked" 0 '^It took 8\.501 ms, 8\.000 ms \(94 %\) of that as the scheduler did not pick 5:1 for card0 gfx, no record says why\.$' \
	"$grtrace" explain 5:1 unpicked
steps 1000 1001 9000 9001 9500 9501 | capture unhanded
check "that was not handed over" 0 '^It took 8\.501 ms, 7\.999 ms \(94 %\) of that as the driver did not hand 5:1 to card0 gfx\.$' \
	"$grtrace" explain 5:1 unhanded
steps 1000 1001 1002 9000 9500 9501 | capture unbegun
check "that did not begin" 0 '^It took 8\.501 ms, 7\.998 ms \(94 %\) of that as card0 gfx had 5:1 and did not begin it\.$' \
	"$grtrace" explain 5:1 unbegun
steps 1000 1001 1002 1003 1500 9501 | capture untold
check "that had ended" 0 '^It took 8\.501 ms, 8\.001 ms \(94 %\) of that after it had ended, until it was complete\. Before that it waited 3\.000 us, longest 1\.000 us \(0 %\) as the scheduler did not pick' \
	"$grtrace" explain 5:1 untold
{
	steps 1000 1001 1002 1003 1500 8000 | sed '$d'
	printf '%s\n' 'submit pid=2 ctx=6 seqno=1 ring=2 ts=1600000' 'blocked ctx=6 seqno=1 ring=2 fence=5:1 ts=1600100'
	steps 1000 1001 1002 1003 1500 8000 | tail -n 1
	printf '%s\n' 'pick ctx=6 seqno=1 ring=2 ts=8000200' 'commit ctx=6 seqno=1 ring=2 fence=60:1 ts=8000300' \
		'start ctx=6 seqno=1 ring=2 flags=10 ts=8000400' 'end ctx=6 seqno=1 ring=2 flags=9 ts=8900000' \
		'complete ctx=6 seqno=1 ring=2 flags=9 ts=8900100'
} | capture behind
check "that needed one which had ended" 0 'of that as job 5:1 of game \(1\) had ended and was not complete\.$' \
	"$grtrace" explain 6:1 behind

# --------------------------------------------------------------------------------- tables

{
	for i in $(seq 50); do
		echo "task pid=$((100 + i)) tgid=$((100 + i)) comm=p$i"
	done
	job 101 51:1 1 1000 1001 9000
	for i in $(seq 2 50); do
		job $((100 + i)) $((50 + i)):1 1 1500 $((9000 + i * 100)) $((9050 + i * 100))
	done
} | capture crowd
check "processes below the table" 0 '^and [0-9]+ more processes, which waited [0-9.]+ m?s$' "$grtrace" report --delays crowd
for i in $(seq 27); do
	echo "task pid=$((100 + i)) tgid=$((100 + i)) comm=p$i"
	job $((100 + i)) $((50 + i)):1 1 1000 1001 9000
done | capture at_once
check "more processes at a time than lines" 0 '^A: .*\+: more processes than these' "$grtrace" timeline --width 100 at_once
check "more processes than letters" 0 '^\*  1 more$' "$grtrace" timeline --width 100 at_once

# Two culprits: the one with the larger number delayed longer.
{
	job 1 5:1 1 1000 1001 2000
	job 2 6:1 1 1000 2000 9000
	echo 'task pid=3 tgid=3 comm=victim ts=9100000'
	job 3 7:1 1 1000 9000 9500
} | capture culprits
check "culprits, the longest first" 0 '^VICTIM .* browser +game' "$grtrace" report --delays culprits

# ------------------------------------------------------------------------ notes and faults

{
	printf '%s\n' 'sample n=4 previous=1 reason=0 fill=0 ts=1000' 'sample n=1 previous=4 reason=2 fill=10 ts=2000' \
		'submit pid=1 ctx=5 seqno=1 ring=1 ts=3000'
} | capture changes
check "why sampling changed" 0 'before it was every job: the configuration was changed' "$grparse" -v changes
grep -q 'before it was 1 job of 4: the channel empties again (10 % full)' out
result $? "and why again"
# damaged NAME REGEX BYTES...
damaged()
{
	damaged_name=$1 damaged_regex=$2
	shift 2
	printf '%s\n' 'submit pid=1 ctx=5 seqno=1 ring=1' "raw $*" | capture damage
	on out check "$damaged_name" 1 "$damaged_regex" "$grtrace" verify damage
}
damaged "a short record" 'a record shorter than 8 bytes' 01 00 04 00 00 00 00 00
damaged "an odd size" 'a record whose size is not a multiple of 8' 01 00 0c 00 00 00 00 00 00 00 00 00
damaged "type 0" 'a record of type 0' 00 00 08 00 00 00 00 00
damaged "a record too short for its type" 'a record too short for its type' 01 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00
damaged "an event too short" 'an event too short' 14 00 08 00 00 00 00 00
damaged "a later note too short" 'a note too short' 00 02 08 00 00 00 00 00
# twice NAME SEVERITY SENTENCE BETWEEN: a SUBMIT comes again, behind another record of its job
twice()
{
	printf '%s\n' 'submit pid=1 ctx=5 seqno=1 ring=1' "$4" 'submit pid=1 ctx=5 seqno=1 ring=1' | capture twice
	on out check "$1" "$2" "submit 5:1 ring 1 \\(CPU 0, gseq 4\\): $3" "$grtrace" verify twice
}
twice "a SUBMIT of a job in flight" 1 'the job is in flight: a seqno is used once' 'pick ctx=5 seqno=1 ring=1'
twice "a context that begins again" 0 'its context begins again: its number was given to another context' \
	'complete ctx=5 seqno=1 ring=1 flags=9'
printf '%s\n' 'lost events=0 notes=0 first=100 last=200' | capture nothing
on out check "a LOST of nothing" 1 'LOST of no records' "$grtrace" verify nothing
printf '%s\n' 'lost events=2 first=900 last=800' | capture backwards
on out check "a LOST that ends before it begins" 1 'LOST from 900 to 800: it ends before it begins' "$grtrace" verify backwards
printf 'cpu none\ninfo start=0\nring id=0 class=1 name=gfx\ncpu 0\nmessage a\n' | "$synth" - zero
on out check "ring 0" 1 'ring id 0, which means "no ring"' "$grtrace" verify zero
check "the same capture twice" 1 'own: is named twice' "$grtrace" merge -o x own own

# -------------------------------------------------------------------------- wrong options

# One a line: the options, then the sentence about them.
while IFS='|' read -r words regex; do
	words=${words% }
	# shellcheck disable=SC2086
	check "$words" 2 "$regex" "$build"/$words own
done << 'OPTIONS'
grparse -f \ |it ends with a
grparse -f \q |there is no escape .q; known are
grparse -A xyz |-A wants a hexadecimal number
grparse -A 11111111111111111 |-A wants a hexadecimal number of at most 64 bits
grparse -b x |-b wants a number of events from 1 to 16777216, not "x"
grparse --limit 0 |--limit wants a number
grparse -w 1:x |-w wants .start:.end in seconds, .* not "1:x"
grparse --since 1y |--since wants a time .* not "1y"
grparse -a submit,nothing |there is no event "nothing"
grparse -a nothing,submit |there is no event "nothing"
grparse -F Q,%x -F QQQ,%x |-F wants an action and a format, .* not "QQQ,%x"
grparse -F QQQ,%x -F Q,%x |-F wants an action and a format, .* not "QQQ,%x"
grparse --csv --json |choose one of --csv and --json
grparse -S z |-S wants one of N, q, Q, c, C, w, W and f, not "z"
grparse --ring gfx,gfx9 |--ring gfx9: not in the capture; .*card0/gfx \(1, render\), card0/copy \(2, copy\)
grparse --ring gfx9,gfx |--ring gfx9: not in the capture
grparse --engine render,warp |--engine warp: not in the capture
grparse --engine warp,render |--engine warp: not in the capture
grparse --dev card0,card9 |--dev card9: not in the capture
grparse --dev card9 --engine copy |--dev card9
grparse --ctx 5,x |--ctx: "x" is not a number from 0 to 18446744073709551615
grparse --client 5,x |--client: "x" is neither a number nor
grtrace report --color=some |--color knows auto, always and never, not "some"
grtrace report --width 5 |--width wants .* from 40 to 1000, not "5"
grtrace report --share 101 |percentage from 0 to 100
grtrace report --topn 0 |--topn wants
grtrace report --hist lat --hist all |--hist knows lat, queue, exec, size and result, not "all"
grtrace report --hist all --hist lat |--hist knows
grtrace report --proofs x |--proofs wants
grtrace report --gaps many |not "many"
grtrace timeline --color=some |--color knows
grtrace timeline --limit 3 |--limit is for --jobs
grtrace timeline --jobs --latency-only |choose one
grtrace verify --limit x |--limit wants a number
grtrace diff --seed x |--seed wants a number
grtrace diff own --fail-if p99 |"p99": at character 4: a colon and a stage are missing
grtrace diff own --fail-if p98:B2E>1us |at character 1: "p98" is not one of n, mean, min, max, p50, p90, p99, p99.9
grtrace diff own --fail-if p99:B2E=1us |at character 8: one of .* is missing
grtrace diff own --fail-if p99:B2E>1us --fail-if p99:B2X>1us |at character 5: "B2X" is not one of the stages
grtrace diff own --fail-if p99:B2X>1us --fail-if p99:B2E>1us |at character 5: "B2X" is not one of the stages
grtrace export --to arrow |--to knows sqlite, csv, json, ctf, perfetto, text, text-old, not "arrow"
grtrace export --rows lines --to csv |--rows knows events, jobs, all and .* not "lines"
grtrace merge -o x --clock-offset own=x |--clock-offset wants FILE=NS
grtrace merge |-o is missing
grtrace explain 5 |a job as ctx:seqno, .* not "5"
grtrace explain 5:x |a job as ctx:seqno, .* not "5:x"
grtrace explain --root 5:1 - |--root reads the capture again
grtrace import |-o is missing: name the file for the capture
grtrace import -o x one |one trace at a time: one or own
grtrace record --at /0 |'0' is not 1 to 86400 seconds
grtrace record --at /86401 |'86401' is not 1 to 86400 seconds
grtrace record --at 10 |'10' is not /S
grtrace record --at /x |'x' is not 1 to 86400 seconds
grtrace record -w 0 |is not 1 to
grtrace record -a submit,write |'write' is not an event; there are: submit
grtrace record -a write,submit |'write' is not an event; there are: submit
grtrace record --engine render,warp |'warp' is not an engine class; there are: unknown, render
grtrace record --ctx 5,x |'x' is not a number of up to 64 bits: give watch_ctx_add
grtrace record --pid 5,-1 |'-1' has a sign: give watch_pid_add
grtrace record --tag a=b --tag ab |'ab' is not KEY=VALUE
grtrace record --tag ab --tag a=b |'ab' is not KEY=VALUE
grtrace record --rate x |give max_events_per_sec 0 to 100000000
grtrace record --snapshot-on error,nothing |'nothing' is not one of its values: give snapshot_on none, or of slow_queue,slow_exec,error
grtrace monitor nothing |'nothing' is not a monitor
grtrace monitor sched -i 0 |'0' is not 0.1 to 86400 seconds
grtrace annotate -b 3 |'3' is not a power of 2 from 4 to 262144
OPTIONS
for word in record start stop msg report diff verify merge export import timeline explain status config snapshot annotate monitor; do
	check "$word --version" 0 '^grtrace' "$grtrace" "$word" --version
done
check "record -V" 0 '^grtrace' "$grtrace" record -V

# -------------------------------------------------------------- figures of the help texts

# One a line: the words, and a figure with its unit and meaning, however lines are broken.
while IFS='|' read -r words figure; do
	# shellcheck disable=SC2086
	run "$build"/${words% } --help
	tr -s ' \n' ' ' < out | grep -Eq -- "${figure# }"
	result $? "$words --help: $figure"
done << 'FIGURES'
grparse | at most N events \(131072\)
grparse | from TIME on, since the start: 1\.5 \(s\), 200ms, 70us, 5ns
grparse | the low 32 bits
grparse | time of the step to each line, in us
grtrace explain | at most N events \(131072\)
grtrace explain | below 2\^32 selects all jobs whose seqno has these lower 32 bits
grtrace report | delayed jobs longest \(5\)
grtrace report | for a victim and a culprit \(3; 1 without --delays\)
grtrace report | long queue: SUBMIT to START takes more than US \(500\)
grtrace report | dependency: first BLOCKED to PICK takes more than US \(500\)
grtrace report | END to COMPLETE together take more than US \(500\)
grtrace report | more than 100 us and 1\.5 times the 90th percentile of the ring's jobs so far, once there were 20
grtrace report | in percent \(50\)
grtrace report | --per-ring --busy --topn 5
grtrace report | 32 buckets to the octave: at most 3 % too high\. MIN, AVG, MAX and N are exact
grtrace timeline | the first N of them \(50\)
grtrace timeline | N, MIN, AVG and MAX are exact, percentiles at most 3 % too high
grtrace timeline | a capital letter for half of the column or more
grtrace verify | N lines of each kind \(10\)
grtrace verify | two CPUs may differ by 100 us, and the clock of one .* back by 10 us; .* up to 1 ms before
grtrace diff | exit 4 if CONDITION holds .*, 5 if that cannot be judged
grtrace diff | a probability of 95 %
grtrace diff | up to 128 blocks of jobs
grtrace diff | fewer than 30 jobs, nor with fewer than 10 above a percentile \(1000 jobs for p99
grtrace diff | 30 for mean and p50, 100 for p90, 1000 for p99, 10000 for p99\.9
grtrace record | 4 to 16384 KiB; by default 512
grtrace record | sub-buffers per CPU, 2 to 1024; by default 4
grtrace record | up to N snapshots, 1 to 1000; default 1
grtrace monitor | seconds between two tables, 0\.1 to 86400; default is 1
grtrace monitor | for each CPU, 32 to 1048576; default is 1024
grtrace annotate | a power of 2 from 4 to 262144; default is 4096
grtrace merge | CPU \+ n \* 4096, pid \+ n \* 4194304, context \+ n \* 2\^48
grtrace config | subbuf_size \* 524288 4096 to 16777216
grtrace config | slow_queue_us 0 0 to 3600000000 mark jobs that queue for more than this many us
grtrace config | above this fill level in percent
FIGURES
# And those that are easily tried.
seq 12 | sed 's/.*/irq ring=1 flags=0xd/' | capture twelve
run "$grtrace" verify twelve
[ "$(grep -c ' \[fault bad-value\]$' out)" = 10 ] && grep -q '^ *12 fault  bad-value ' out
result $? "verify: ten lines of a kind"
for i in $(seq 7); do
	job 1 "5:$i" 1 "$((i * 1000))" "$((i * 1000 + 10))" "$((i * 1000 + 20))"
done | capture seven
check "report: five gaps" 0 '^The 5 idle gaps that held jobs up longest' "$grtrace" report --busy seven
check "report: five jobs" 0 '^Top 5 by total time' "$grtrace" report --full seven
for i in $(seq 60); do
	job 1 "5:$i" 1 "$((i * 1000))" "$((i * 1000 + 10))" "$((i * 1000 + 20))"
done | capture sixty
check "timeline: fifty jobs" 0 '^sixty: 50 of 60 jobs' "$grtrace" timeline --jobs sixty

finish
