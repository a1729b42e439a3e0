#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Two captures side by side, and the verdict for a CI.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

differ()
{
	"$grtrace" diff "$@"
}

# jobs NAME NUMBER EXEC: on a ring that executes each for EXEC ns and a bit.
jobs()
{
	awk -v jobs="$2" -v exec="$3" 'BEGIN {
		print "cpu none\ninfo start=1000"
		print "ring id=1 class=1 device=card0 name=gfx"
		print "cpu 0\ntask pid=7 comm=a ts=2000"
		for (i = 1; i <= jobs; i++) {
			job = "ctx=5 ring=1 seqno=" i
			print "submit pid=7 " job " arg=1"
			print "pick pid=7 " job " arg=1"
			print "commit pid=7 " job " fence=9:" i
			print "start " job " flags=10"
			print "end " job " flags=9 ts=+" exec + i % 7 * 100
			print "complete " job " flags=9"
		}
	}' > text
	"$synth" text "$1"
}
jobs slower 1500 22000
jobs few 20 22000
jobs some 32 22000
jobs base 2000 20000
sed '/^submit.*seqno=1000 /i lost events=3' text | "$synth" - base_lossy
jobs nothing 40 0
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/two_cpus.txt" two
printf 'cpu none\ninfo start=0\nring id=9 device=card9 name=ce\ncpu 0
submit ctx=1 ring=9 seqno=1\ncomplete ctx=1 ring=9 seqno=1\n' | "$synth" - other

# The table
check "a ring" 0 '^card0 gfx$' differ base slower
check "numbers of jobs" 0 '^B2E   n            2000          1500       -25\.0$' differ base slower
check "a difference that is more than chance" 0 \
	'^      mean    20\.300 us     22\.300 us        \+9\.9  \+9\.8 to \+9\.9       !$' \
	differ base slower
check "none between equals" 0 '^      mean    20\.300 us     20\.300 us        \+0\.0  \+0\.0 to \+0\.0$' \
	differ base base
absent "so none is marked" '!$'
# 32 jobs are 32 blocks, 2000 are more than twice as many: the smaller side says how far off it may be.
check "an interval, with few jobs in the new capture" 0 ',B2E,mean,20300,22294,9\.821,9\.478,10\.152,1,' differ --csv base some
check "with few in the base" 0 ',B2E,mean,22294,20300,-8\.943,-9\.220,-8\.660,1,' differ --csv some base
check "with many in both" 0 ',B2E,mean,20300,20300,0\.000,-0\.026,0\.026,0,' differ --csv base base
check "few jobs have no interval" 0 '^      mean .* NA$' differ base few
check "stages of one only" 0 '^D2B +only the base has it$' differ two loss --all-rings
check "rings of one only" 0 '^Only in the new capture: card9 ce, 1 job$' differ base other
check "loss beside the figures" 0 '^      mean .* us \* +' differ loss loss
check "and what was lost" 0 '^Lost: 1,014 records' differ loss loss
check "--ring" 0 '^card0 gfx$' differ --ring gfx base slower
check "--ring with its device" 0 '^card0 gfx$' differ --ring 'card0 gfx' base slower
printf 'cpu none\ninfo start=0\nring id=9 device=card9 name=dma\ncpu 0\nsubmit ctx=1 ring=9 seqno=1\n' |
	"$synth" - open
check "a job of one only, without its end" 0 '^Only in the new capture: card9 dma, 1 job$' differ base open
check "loss of the base alone" 0 '^      mean +[0-9.]+ us \* +[0-9.]+ us +[-+0-9.]+ ' differ base_lossy base
check "loss of the new one alone" 0 '^      mean +[0-9.]+ us +[0-9.]+ us \* +[-+0-9.]+ ' differ base base_lossy
check "of the base, in CSV" 0 '^card0 gfx,B2E,mean,([^,]*,){6}1,0,' differ --csv base_lossy base
check "of the new one, in CSV" 0 '^card0 gfx,B2E,mean,([^,]*,){6}0,1,' differ --csv base base_lossy
check "in JSON" 0 '"stat":"mean",.*"base_lossy":0,"new_lossy":1\}$' differ --json base base_lossy
check "several" 0 '^Only in the new capture: card9 ce, 1 job$' differ --ring gfx,ce base other
check "by id" 0 '^card0 gfx$' differ --ring 1 base slower
check "--ring of none" 2 '^grtrace diff: --ring sdma: not in the capture; its rings, .*: card0/gfx \(1, render\)$' \
	differ -o absent --ring sdma base slower
check "leaves nothing" 1 '' test -e absent
for words in "--dev card0" "--engine render" "--engine-mask 0x2" "--ctx 5" "--since 1ms --until 2ms"; do
	# shellcheck disable=SC2086
	check "$words" 0 '^card0 gfx$' differ $words base slower
done
check "--dev of none" 2 '^grtrace diff: --dev card7: not in the capture; its rings, ' \
	differ --dev card7 base slower
for words in "--ctx 6" "--pid 4242" "--client 9"; do
	# shellcheck disable=SC2086
	check "$words of none" 1 "^grtrace diff: $words: no .* was read" differ $words base slower
done
check "--since after --until" 2 'nothing can be between them' differ --since 2ms --until 1ms base slower
check "an interval of both" 0 '^B2E   n +395 +395 ' \
	differ -w 0:0.01 base base
check "one that ends before it begins" 2 'wants \[start:\]end' differ -w 1:0 base base
check "--all-rings" 0 '^all rings$' differ --all-rings base slower
differ --csv base slower > first 2> err
differ --csv base slower > again 2> err
same "the same twice" first again
differ --csv --seed 2 base slower > again 2> err
! cmp -s first again
result $? "--seed draws differently"
check "--csv" 0 '^card0 gfx,B2E,n,2000,1500,-25\.000,NA,NA,0,0,0,NA,NA,NA$' differ --csv base slower
check "--json" 0 '^\{"row":"figure","ring":"card0 gfx","stage":"B2E","stat":"n","base":2000,"new":1500,"diff_percent":-25\.000,"low_percent":null,' \
	differ --json base slower
if has_program "each line is JSON" python3; then
	differ --json base slower 2> err | python3 -c 'import json, sys
lines = [json.loads(line) for line in sys.stdin]
assert len(lines) == 36, len(lines)' > out 2> err
	result $? "each line is JSON"
fi

# A time near 2^64 is rounded to it.
printf '%s\n' 'cpu none' 'info start=1' 'ring id=1 name=gfx' 'cpu 0' 'submit ts=1 ctx=1 ring=1 seqno=1' \
	packet 'complete ts=18446744073709551613 ctx=1 ring=1 seqno=1' | "$synth" - ages
check "a job of centuries" 0 '^      mean  18446744073\.710 s  +18446744073\.710 s  ' differ ages ages
check "in ns" 0 ',Q2C,mean,18446744073709551614,18446744073709551614,' differ --csv ages ages
check "and in JSON" 0 '"stat":"mean","base":18446744073709551614,"new":18446744073709551614,' \
	differ --json ages ages

# Conditions
check "a condition that holds" 4 'card0 gfx: p99:B2E>\+5% holds' differ --fail-if 'p99:B2E>+5%' base slower
check "one that does not" 0 '' differ --fail-if 'p99:B2E>+15%' base slower
absent "is not told of" 'holds'
check "one of two" 4 '' differ --fail-if 'p99:B2E>+15%' --fail-if 'mean:B2E>22us' base slower
check "better is not worse" 0 '' differ --fail-if 'p99:B2E>+5%' slower base
check "--no-ci" 4 'holds' differ --no-ci --fail-if 'p99:B2E>+5%' base few

# A side that cannot be judged has not passed
check "too few jobs" 5 'card0 gfx: p99:B2E>\+5% cannot be judged: p99 can be judged from 1000 recorded jobs on in each capture, and the base has 2000, the new one 20$' \
	differ --fail-if 'p99:B2E>+5%' base few
check "and what to do" 5 'does not pass: record longer' differ --fail-if 'p99:B2E>+5%' base few
check "before --strict" 5 '' differ --strict --fail-if 'p99:Q2C>1s' loss loss
check "behind one that holds" 4 'cannot be judged' differ --fail-if 'p99:B2E>+5%' --fail-if 'n:B2E<-5%' base few
check "a stage without jobs" 5 '^grtrace diff: mean:C2W>\+5% cannot be judged: no ring has jobs with C2W in both captures' \
	differ --fail-if 'mean:C2W>+5%' base slower
check "percent of nothing" 5 'card0 gfx: min:B2E>\+5% cannot be judged: the base is 0' \
	differ --fail-if 'min:B2E>+5%' nothing base

# Programs see the verdicts, too
on out check "holds in CSV" 4 '^card0 gfx,B2E,p99,NA,NA,NA,NA,NA,NA,NA,NA,p99:B2E>\+5%,holds,NA$' \
	differ --csv --fail-if 'p99:B2E>+5%' base slower
check "does not hold in CSV" 0 '^card0 gfx,B2E,p99,(NA,){8}p99:B2E>\+15%,does_not_hold,NA$' \
	differ --csv --fail-if 'p99:B2E>+15%' base slower
on out check "is not known in CSV" 5 '^card0 gfx,B2E,p99,(NA,){8}p99:B2E>\+5%,not_known,"p99 can be judged from 1000 recorded jobs on in each capture, and the base has 2000, the new one 20"$' \
	differ --csv --fail-if 'p99:B2E>+5%' base few
on out check "of no ring" 5 '^NA,C2W,mean,(NA,){8}mean:C2W>\+5%,not_known,no ring has jobs with C2W in both captures$' \
	differ --csv --fail-if 'mean:C2W>+5%' base slower
on out check "holds in JSON" 4 '^\{"row":"verdict","ring":"card0 gfx","stage":"B2E","stat":"p99","condition":"p99:B2E>\+5%","verdict":"holds","why":null\}$' \
	differ --json --fail-if 'p99:B2E>+5%' base slower
on out check "is not known in JSON" 5 '^\{"row":"verdict","ring":null,"stage":"C2W","stat":"mean","condition":"mean:C2W>\+5%","verdict":"not_known","why":"no ring has' \
	differ --json --fail-if 'mean:C2W>+5%' base slower
check "an interval without jobs" 1 'diff: the base base: has no jobs to compare' differ -w 500:600 base slower
"$build/workload" --jobs 400 --rings 2 --devices 1 all > /dev/null
"$grparse" -q -O --ring 1 -d gone all 2> err
check "a ring that is gone" 4 ': n:Q2C<-10% holds' differ --csv --fail-if 'n:Q2C<-10%' all gone
check "is told" 4 'ring[0-9]*: only the base has jobs on it' differ --json --fail-if 'n:Q2C<-10%' all gone
on err check "and one that is new" 0 'ring[0-9]*: only the new capture has jobs on it' differ --csv gone all
check "and why" 1 'slower: ends [0-9.]+ m?s after its start, before the chosen interval begins' differ -w 500:600 base slower
check "two forms" 2 'give one of them' differ --csv --json base slower
check "a bad condition" 2 'at character 5: "B2X" is not one of the stages Q2I, I2D, RESET, D2B, B2E, E2C, Q2C, C2W$' \
	differ --fail-if 'p99:B2X>+5%' base slower

# Wrong input and usage
check "one capture" 2 'name two captures' differ base
check "three captures" 2 'name two captures' differ base base base
check "no such capture" 1 'nope: no such capture' differ base nope
check "stdin for both" 2 'only one of the two' differ - -
check "bad --seed" 2 '--seed wants a number' differ --seed x base base
check "disk full" 1 'cannot write' differ -o /dev/full base slower
check "--strict" 3 '' differ --strict base loss
check "a condition comes before --strict" 4 '' differ --strict --fail-if 'n:Q2C<+1%' loss loss
check "--help" 0 'p99:Q2C>\+5%' differ --help
check "among the words" 0 '^  diff ' "$grtrace" help

finish
