#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The faults of a capture, and the word with which grtrace verify ends.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

verify()
{
	"$grtrace" verify "$@"
}

for name in two_cpus loss virtio sampling future notes; do
	"$synth" "$fixtures/$name.txt" "$name"
done

# Captures that are right
check "two CPUs" 0 '^two_cpus: 0 damaged places, 0 faults, 0 notes$' verify two_cpus
check "virtio-gpu" 0 ' 0 damaged places, 0 faults, 0 notes$' verify virtio
check "losses" 0 ' 0 damaged places, 0 faults,' verify loss
check "sampling" 0 ' 0 damaged places, 0 faults,' verify sampling
check "a later version" 0 ' 0 damaged places, 0 faults,' verify future
"$workload" --jobs 3000 --cpus 3 --depend 200 --wait 100 --preempt 50 --fail 20 big 2> err
check "a workload" 0 '^big: 0 damaged places, 0 faults, 0 notes$' verify big
"$workload" --jobs 3000 --cpus 3 --depend 200 --drop 30 --stream dropped 2> err
check "one with losses" 0 '^dropped: 0 damaged places, 0 faults, ' verify dropped
"$grparse" -q -O -d copied dropped
check "what grparse -d wrote of it" 0 '^copied: 0 damaged places, 0 faults, ' verify copied
check "--strict" 3 '' verify --strict dropped
check "nothing lost, nothing wrong" 0 '' verify --strict big
check "--strict, and only the first lost some" 3 '' verify --strict dropped big
check "--strict, and only the second did" 3 '' verify --strict big dropped

# And those that are not
on out check "what nobody described" 1 \
	'^notes\.grtrace\.0:[0-9]+: commit 4294967301:4294967295 ring 7 \(CPU 0, gseq [0-9]+\): ring 7 has no RING record' \
	verify notes
on out check "a kind of error" 1 'its kind is 99, the last one is 6 \[fault bad-value\]$' verify notes
on out check "a summary" 1 '^ +[0-9]+ fault  unknown-ring    a ring without a RING record$' verify notes
printf 'cpu none\ninfo start=0\nring id=1 name=gfx\ncpu 0\ntask pid=1 comm=a
submit pid=1 ctx=1 ring=1 seqno=1\ncomplete ctx=1 ring=1 seqno=1 flags=9
complete ctx=1 ring=1 seqno=2 flags=9\n' | "$synth" - unsubmitted
on out check "complete without submit" 1 \
	'^unsubmitted\.grtrace\.0:[0-9]+: complete 1:2 ring 1 .*\[fault no-submit\]$' verify unsubmitted
check "one bad among good ones" 1 '' verify big unsubmitted two_cpus
for _ in 1 2 3 4 5 6; do
	printf 'irq ring=1 flags=0xd\n'
done > irqs
printf 'info start=0\nring id=1 name=gfx\n' | cat - irqs | "$synth" - many
on out check "--limit" 1 '^ +6 fault  bad-value ' verify --limit 2 many
[ "$(grep -c ' \[fault bad-value\]$' out)" = 2 ]
result $? "two lines of six"
head -c 300 two_cpus.grtrace.1 > cut.grtrace.0
on out check "a cut file" 1 '^cut\.grtrace\.0:[0-9]+: the file ends inside a record' verify cut
rm big.grtrace.1
on out check "a missing file" 1 'big\.grtrace\.1 is missing' verify big
absent "is no fault of a job's" ' fault '

# A capture that continues
mkfifo live; : > found
"$synth" --stream "$fixtures/notes.txt" notes.stream
{ cat notes.stream; exec sleep 60; } > live &
writer=$!
"$grtrace" verify - < live > found 2> err &
reader=$!
# Until the reader has slept for ten seconds in all: a busy machine may let it wait longer.
slept=0
while ! grep -q 'its kind is 99' found && [ $slept -lt 50 ]; do
	! grep -q '^State:.*S' /proc/$reader/status || slept=$((slept + 1))
	sleep 0.2
done
grep -q 'its kind is 99' found && kill -0 "$writer"
result $? "what is wrong is told while it lasts"
kill "$writer" "$reader"
wait

# Wrong input and usage
check "no such capture" 1 'nope: no such capture' verify nope
on out check "no capture" 1 'not a grtrace capture' verify /bin/sh
mkdir none
check "nothing named" 2 'name a capture; see --help: there is none in none' verify -D none
check "bad --limit" 2 '--limit wants a number' verify --limit x two_cpus
check "disk full" 1 'cannot write' verify -o /dev/full notes
"$synth" --stream "$fixtures/two_cpus.txt" stream
check "stdin" 0 '^stdin: 0 damaged places, 0 faults' sh -c "\"$grtrace\" verify - < stream"
check "--help" 0 '^      --limit N' verify --help
check "among the words" 0 '^  verify ' "$grtrace" help

finish
