#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The pictures of grtrace timeline.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

workload=$build/workload

timeline()
{
	"$grtrace" timeline "$@"
}

# widest COLUMNS: no line of the last output is wider, some is nearly so.
widest()
{
	awk -v columns="$1" '
		length($0) > columns { bad = 1 }
		length($0) > columns * 8 / 9 - 2 { near = 1 }
		END { exit bad || !near }' out
}

"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/two_gpus.txt" gpus
"$synth" "$fixtures/loss.txt" loss
"$synth" "$fixtures/sampling.txt" sampled
"$workload" --jobs 2000 --processes 40 --fail 20 --seed 3 many > /dev/null 2>&1
"$workload" --jobs 2000 --stream stream > /dev/null 2>&1

# Rings
check "a ring" 0 '^card0 gfx \(render\)  2 jobs, depth to 2\.0, 1 failed, 100 % of starts inferred  A 93\.8 %$' \
	timeline --width 100 two
check "its process" 0 '^A  glxgears +690 +2 +136\.000 us$' timeline two
check "who was on it" 0 '^   run \.+AAAA' timeline two
check "an error" 0 '^ error .*!' timeline two
check "how long" 0 '^two: .* from 0\.[0-9]{9} s on, a column is ' timeline two
check "loss" 3 '^  lost .*/' timeline --strict loss
check "sampling" 0 '^Sampled 1/1 to 1/4' timeline sampled
check "two captures" 0 '^gpus: ' timeline two gpus
check "a stream from stdin" 0 '^stdin: .* a column is ' sh -c \
	"'$grtrace' timeline - < stream"
check "-D" 0 '^two: ' timeline -D "$work" two
check "-o" 0 '' timeline -o drawing two
grep -q '^A  glxgears' drawing
result $? "is in the file"

# Jobs
check "a job" 0 '^5:1 +glxgears +gfx +60\.000 us  -' timeline --jobs two
check "of several devices" 0 '^7:1 +browser +1/gfx ' timeline --jobs gpus
check "that failed" 0 '^5:2 .*!$' timeline --jobs two
check "--limit" 0 '^two: 1 of 2 jobs' timeline --jobs --limit 1 two
absent "the others" '^5:2'

# The choice of rings and times
check "--ring" 0 '^card0 copy ' timeline --ring card0/copy gpus
absent "no other ring" '^card0 gfx '
check "--dev" 0 '^0000:03:00\.0 gfx ' timeline --dev 0000:03:00.0 gpus
absent "no other device" '^card0'
check "--ring of none" 2 '^grtrace timeline: --ring vcn: not in the capture; its rings, .*: card0/gfx \(1, ' \
	timeline --ring vcn gpus
[ ! -s out ]
result $? "draws nothing"
check "--dev of none" 2 '--dev card7: not in' timeline -o absent --dev card7 gpus
check "--engine of none" 2 '--engine video_encode: not in' timeline -o absent --engine video_encode gpus
check "leaves nothing" 1 '' test -e absent
check "--engine" 0 '^card0 copy ' timeline --engine copy gpus
absent "no other class" 'gfx'
check "--pid" 0 '^two: 2 of 2 jobs' timeline --jobs --pid 690 two
check "none of it" 0 'no job in this interval' timeline --jobs --pid 4711 two
on err check "and why" 0 '--pid 4711: no event' timeline --pid 4711 two
check "--ctx" 0 '^two: 2 of 2 jobs' timeline --jobs --ctx 5 two
check "-w" 0 '^two: 10\.000 us from 0\.000010000 s on' \
	timeline -w 0.00001:0.00002 two
# The legend has the signs that were drawn.
legend='info start=0\nring id=1 class=1 device=card0 name=gfx\ncpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=1000\n
commit ctx=1 ring=1 seqno=1 fence=2:1\nfence ctx=2 seqno=1 ts=8000\ncomplete ctx=1 ring=1 seqno=1 ts=9000\n'
# shellcheck disable=SC2059
printf "$legend"'message late\n' | "$synth" - plain
check "no sign but those of a run" 0 '\.: idle, depth: .* \+ is 10 or more$' timeline --width 200 plain
check "nor what comes behind the end" 0 '' timeline plain
absent "is named" 'note|vblank|lost|ERROR'
# shellcheck disable=SC2059
printf "$legend"'lost events=1 first=9500 last=9500\nmessage hello\nerror ctx=1 ring=1 seqno=1 kind=1 code=-62\nirq ring=1\n' |
	"$synth" - signs
check "what is drawn is named" 0 '/: records were lost, .*!: an ERROR, or a job failed, note: how many' \
	timeline --width 300 signs
absent "and nothing else" 'vblank'
check "outside of the interval" 0 '' timeline -w 0:0.0000085 signs
absent "it is not" 'lost|ERROR|note:'
check "-w behind the end" 2 \
	'^grtrace timeline: nothing was recorded from 5\.000 s to 6\.000 s: two covers 3\.000 us to 148\.000 us; choose a time in it with -w' \
	timeline -w 5:6 two
[ ! -s out ]
code=$?
result $code "and no empty drawing"
check "before the beginning" 2 'recorded from 0 ns to 2.000 us: two covers ' timeline -w 0:0.000002 two
# Names of tasks are no events, but what was lost may have been some.
printf 'info start=0\nring id=1 class=1 name=gfx\ncpu 0\ntask pid=7 tgid=7 comm=a ts=1000\nlost events=1 first=4000 last=5000\nsubmit ctx=1 ring=1 seqno=1 ts=9000\nirq ring=1 ts=9500\n' |
	"$synth" - begins
for word in report timeline; do
	check "$word: before the first event" 2 'recorded from 0 ns to 2\.000 us: begins covers 4\.000 us to 9\.500 us; ' \
		"$grtrace" $word -w 0:0.000002 begins
	check "$word: what was lost is covered" 0 '' "$grtrace" $word -w 0:0.0000045 begins
done
check "one of two captures has it" 0 '^two: nothing in this interval$' timeline -w 0.002:0.003 two gpus

# No wait is longer than the capture, though the ends of some were lost.
"$build/workload" --seed 3 --jobs 2000 --rings 2 --devices 1 --processes 3 --cpus 4 --depend 200 --wait 50 \
	--endless 5 --drop 10 lost > /dev/null
check "waits whose end was lost" 0 '^app-[0-9]+ .* waits [0-9.]+ %' timeline --width 100 lost
absent "do not go on" 'waits [1-9][0-9][0-9]'

# A narrow terminal: whole numbers or none
check "as narrow as can be" 0 '' timeline --width 40 gpus
absent "no part of a number" 'depth to [0-9]*\.?$'

# Latency, of three loads with losses
for seed in 1 2 3; do
	python3 "$here/timeline_load.py" $seed session.txt calls.txt
	"$synth" session.txt session
	"$synth" calls.txt calls
	"$grtrace" merge -q -o merged session calls 2> err
	"$grparse" -q --csv merged > csv 2> err
	check "--latency-only" 0 '^  all ' timeline --latency-only merged
	cp out table
	check "is right for load $seed" 0 ' waited for$' \
		python3 "$here/timeline.py" csv table
done
check "jobs of no ioctl" 0 '^[0-9]+ of [0-9,]+ jobs have no ioctl' timeline --latency-only merged
check "a loss beside the figures" 3 '^  SUBMIT to COMPLETE .* \*$' \
	timeline --latency-only --strict merged
check "latency below the drawing" 0 '^merged: latency' timeline merged
check "of a capture that has ioctls" 0 '' timeline two
absent "only" 'latency'
check "NA where there are none" 0 '^  all  +0  +0  +NA ' timeline --latency-only two
check "of a process" 0 '^  all ' timeline --latency-only --pid 72 merged

# Threads
check "ioctls of a thread" 0 '^load71 71 of 70  [0-9]+ ioctls [0-9.]+ %, ' timeline merged
check "and its waits" 0 '^  wait .*W' timeline merged
check "ioctls by name" 0 '^1  mock 0xc01044' timeline merged
check "of one process" 0 '^load72 72 ' timeline --pid 72 merged
absent "only" '^load7[01]'
check "of an interval" 0 '^merged: 500\.000 us ' timeline -w 0.001:0.0015 merged
# Width
for width in 40 80 100 1000; do
	check "--width $width" 0 '' timeline --width "$width" many
	widest "$width"
	result $? "is as wide"
	check "--jobs --width $width" 0 '' timeline --jobs --width "$width" many
	widest "$width"
	result $? "is as wide"
done
check "COLUMNS" 0 '' env COLUMNS=66 "$grtrace" timeline many
widest 66
result $? "is as wide"
check "80 where nobody tells" 0 '' env -u COLUMNS "$grtrace" timeline many
widest 80
result $? "is as wide"

# Colours and blocks
esc=$(printf '\033')
check "--color=always" 0 "$esc\[0;32mA" timeline --color=always two
check "no colours in a pipe" 0 '' env TERM=xterm "$grtrace" timeline two
absent "none" "$esc"
check "blocks in UTF-8" 0 '█' env LC_ALL=C.UTF-8 "$grtrace" timeline two
check "digits elsewhere" 0 '^ depth +[12]+$' env LC_ALL=C "$grtrace" timeline two
if has_program "a terminal" script; then
	draw="stty cols 90; '$grtrace' timeline many"
	env -u COLUMNS -u NO_COLOR TERM=xterm LC_ALL=C \
		script -qec "$draw" /dev/null < /dev/null > screen
	grep -q "$esc\[0;32mA" screen
	result $? "colours on a terminal"
	sed "s/$esc\[[0-9;]*m//g" screen | tr -d '\r' > out
	widest 90
	result $? "its width"
	env -u COLUMNS NO_COLOR=1 TERM=xterm \
		script -qec "$draw" /dev/null < /dev/null > screen
	grep -q '^many: ' screen && ! grep -q "$esc" screen
	result $? "NO_COLOR"
fi

# Wrong input and usage
check "no such capture" 1 'nope: no such capture' timeline nope
mkdir none
check "nothing named" 2 'name a capture; see --help: there is none in none' timeline -D none
check "bad --width" 2 '--width wants' timeline --width 39 two
check "bad --color" 2 '--color knows' timeline --color red two
check "bad --limit" 2 '--limit wants' timeline --limit 0 two
check "bad -w" 2 '-w wants' timeline -w 2:1 two
check "--pid is a name" 0 '^two: 2 of 2 jobs' timeline --jobs --pid glxgears two
check "bad --pid" 2 '^grtrace timeline: --pid glxgear: not in the capture \(did you mean glxgears\?\); its processes: glxgears, kworker/1:1$' \
	timeline --pid glxgear two
[ ! -s out ]
code=$?
result $code "draws nothing"
check "unknown option" 2 'unknown option' timeline --zap two
check "two kinds of output" 2 'choose one' timeline --jobs --latency-only two
check "a limit for a drawing" 2 "is for --jobs: " timeline --limit 5 two
check "disk full" 1 'cannot write' timeline -o /dev/full two
check "--help" 0 '--jobs' timeline --help
check "-V" 0 '^grtrace timeline [0-9.]+$' timeline -V
check "the overview names it" 0 '^  timeline ' "$grtrace" help
head -c 300 two.grtrace.1 > cut.grtrace.0
on out check "a cut capture is still drawn" 1 '^ring 1  2 jobs' timeline cut

finish
