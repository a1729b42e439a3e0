#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What grtrace merge makes of several recordings.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

merge()
{
	"$grtrace" merge "$@"
}

# lines NAME: all that grparse shows of a capture, without numbers of its own.
lines()
{
	"$grparse" -q -f '%T.%9t %c %a %R %x:%S %f %p %e %n\n' "$1"
}

# --- one capture stays what it is
"$workload" --jobs 2000 --cpus 3 --rings 3 --depend 200 --wait 100 --fail 20 --processes 3 one 2> err
check "one capture" 0 '^one +capture +m0 +mono +[0-9]+ +0 +\+0 ' merge -o same one
"$grparse" -q --csv one > before
"$grparse" -q --csv same > after
# Rings and tasks are told elsewhere, so records have other numbers.
for file in before after; do
	python3 - "$file" <<'EOF' > "$file.facts"
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    for number in ("gseq", "cseq"):
        row.pop(number, None)
    if row.get("action", row.get("type")) not in ("m", "RING", "ring", "TASK", "task"):
        print(sorted((key, value) for key, value in row.items() if key != "capture"))
EOF
done
test -s before.facts && same "each event is still there, with all it says" before.facts after.facts
"$grtrace" report one | tail -n +2 | grep -v '^Records\|^Cost\|^Lost' > before
"$grtrace" report same | tail -n +2 | grep -v '^Records\|^Cost\|^Lost' > after
same "and its report says the same" before after
check "nothing is wrong with it" 0 ' 0 damages, 0 faults,' "$grtrace" verify same
merge -q -o again same
lines same > before
lines again > after
same "it can be merged again" before after

# --- losses stay
"$workload" --jobs 2000 --cpus 2 --drop 60 dropped 2> err
check "a capture with losses" 3 '' merge -o lossy --strict dropped
"$grparse" dropped | grep -o '^Lost: [0-9,]* records' | tail -n 1 > before
"$grparse" lossy | grep -o '^Lost: [0-9,]* records' | tail -n 1 > after
test -s before && same "as many are lost in the result" before after
{ echo 'info start=1000 real=5000 boot=1'; echo 'cpu 0'
  echo 'submit ts=2000 ctx=1 ring=1 seqno=1'; echo 'overwritten 7'
  echo 'packet'; echo 'complete ts=9000 ctx=1 ring=1 seqno=1'; } | "$synth" - holes
merge -q -o told holes
check "nothing is wrong with that" 0 ' 0 damages, 0 faults,' "$grtrace" verify lossy
check "what is missing becomes a LOST" 0 '^Lost: 7 records' "$grparse" told

# --- two captures of one boot: the module's, and one of ioctls
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' \
	'ring id=1 name=gfx device=card0' 'ring id=2 name=copy device=card0' 'cpu 0' \
	'task ts=1500 pid=7 tgid=6 comm=game' \
	'submit ts=2000 pid=7 ctx=5 ring=1 seqno=1' 'submit ts=6000 pid=7 ctx=5 ring=2 seqno=2' | "$synth" - gpu
printf '%s\n' 'session 0xabc' 'cpu none' 'info start=3000 real=1000003000 boot=1' \
	'ring id=1 name=copy device=card0' 'cpu 0' 'task ts=3500 pid=7 tgid=6 comm=game' \
	'ioctl ts=4000 pid=7 cmd=0xc00c64b2 duration=100' \
	'complete ts=7000 ctx=5 ring=1 seqno=2' | "$synth" - calls
check "two captures of one boot" 0 '^calls +capture +m0 +mono .* \+-0 ns \(the same clock of the same boot\)$' \
	merge -o beside gpu calls
"$grparse" -q -f '%9t %a %R %r %x:%S\n' beside | grep -v ' m ' > after
printf '%s\n' '000001000 Q 1 gfx 5:1' '000003000 IO 0 - 0:0' '000005000 Q 2 copy 5:2' \
	'000006000 C 2 copy 5:2' > before
same "in order, and a ring is one by its name" before after

# Another clock of the same boot: by the wall clock.
printf '%s\n' 'session 0xabd' 'cpu none' 'info start=903000 real=1000003000 boot=1 clock=7' 'cpu 1' \
	'ioctl ts=904000 pid=7 cmd=0xc00c64b2 duration=100' | "$synth" - boottime
check "CLOCK_BOOTTIME beside CLOCK_MONOTONIC" 0 \
	'^boottime +capture +m0 +boot +1 +0 +-900000 \+-2000 ns \(by the wall clock' merge -o clocks gpu boottime
check "its event stands where it was" 0 '^000003000 IO$' "$grparse" -q -f '%9t %a\n' clocks

# --- another machine
printf '%s\n' 'session 0xabe' 'cpu none' 'info start=50000 real=1000004000 boot=2' \
	'ring id=1 name=gfx device=card0' 'cpu 3' 'task ts=51000 pid=7 tgid=7 comm=game' \
	'submit ts=52000 pid=7 ctx=5 ring=1 seqno=1' | "$synth" --stream - guest
check "a guest" 0 '^guest +capture +vm +mono .* not known \(by the wall clocks of two machines' \
	merge -o machines gpu vm=guest
check "nothing of it is taken for ours" 0 '^3 vm/card0 gfx 4099 4194311 vm/game 281474976710661:1$' \
	"$grparse" -q -f '%R %v %r %c %p %C %x:%S\n' machines
check "without a name it is m1" 0 '^guest +capture +m1 ' merge -o machines gpu guest

# --- what trace-cmd and perf read
mkdir bin
cat > bin/trace-cmd <<'EOF'
#!/bin/sh
case "$1" in
dump) echo '		[Option TRACECLOCK, 67 bytes]'; echo "local global ${CLOCK-[mono]} boot" ;;
report)
	echo 'cpus=2'
	echo ' my game-2-70    [001]     0.000003000: sched_switch: prev_comm=my game prev_pid=7'
	echo 'CPU:1 [12 EVENTS DROPPED]'
	echo '          <idle>-0     [000] d..1.     0.000005500: drm_vblank_event: crtc=0, seq=9'
	[ -z "$FAIL" ] || { echo 'the file is cut' >&2; exit 3; }
esac
EOF
cat > bin/perf <<'EOF'
#!/bin/sh
case "$*" in
*--header-only*)
	echo '# clockid: boottime (7)'
	echo '# reference time: 2026-11-21 = 1.000001 (TOD) = 0.000901000 (boottime)' ;;
*)
	echo '    my app      9/8     [001]     0.000904500: drm:drm_vblank_event: crtc=0, seq=9'
	echo '    my app      9/8     [001]     0.000905000: PERF_RECORD_LOST lost 4' ;;
esac
EOF
chmod +x bin/*
PATH=$PWD/bin:$PATH
printf '\027\010\104tracing6' > trace.dat
printf 'PERFILE2........' > perf.data
check "trace.dat" 0 '^trace.dat +trace.dat +m0 +mono +4 +12 +\+0 \+-0 ns \(the same clock; taken' merge -o dat gpu trace.dat
check "an event is a line" 0 '^000002000 1 70 my game-2 sched_switch: prev_comm=my game prev_pid=7$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' dat
check "the next one, too" 0 '^000004500 0 0 \? drm_vblank_event: crtc=0, seq=9$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' dat
check "what it lost is lost" 0 '^Lost: 12 records' "$grparse" dat
check "perf.data, by its reference" 0 '^perf.data +perf.data +m0 +boottime +3 +4 +-900000 \+-2000 ns' \
	merge -o data gpu perf.data
check "its events" 0 '^000003500 1 8 my app drm:drm_vblank_event: crtc=0, seq=9$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' data
check "its losses" 0 '^Lost: 4 records' "$grparse" data
check "all at once" 0 '^[0-9]+ records in one capture' merge -o all gpu calls trace.dat perf.data vm=guest
check "it is a right capture" 0 ' 0 damages, 0 faults,' "$grtrace" verify all
check "the timeline takes it" 0 'gfx' "$grtrace" timeline all

# --- clocks by hand, and what cannot be
CLOCK='[local]' check "a clock of its own" 1 \
	'trace.dat: its clock "local" has nothing in common with mono: record it again with the clock mono' \
	merge -o none gpu trace.dat
check "nothing is written then" 1 '' test -e none
CLOCK='[local]' check "--clock-offset" 0 '^trace.dat .* -1000 \+-0 ns \(--clock-offset\)' \
	merge -o hand --clock-offset trace.dat=-1000 gpu trace.dat
check "it counts" 0 '^000001000 sched_switch' "$grparse" -q -f '%9t %m\n' hand
check "before all time" 0 '' merge -q -o early --clock-offset trace.dat=-9000000000 gpu trace.dat
check "is still a capture" 0 'sched_switch' "$grparse" early
FAIL=1 check "the program fails" 1 'trace.dat: trace-cmd failed with status 3: the file is cut' \
	merge -o none gpu trace.dat
check "half a result is none" 1 '' test -e none
check "the program is missing" 1 'cannot run trace-cmd: .*: install it' env PATH=/nonexistent "$grtrace" merge -o none gpu trace.dat
check "no capture in front" 1 'trace.dat: the first input has to be a capture' merge -o none trace.dat gpu
check "no such file" 1 'nothere: no such capture' merge -o none gpu nothere
check "no output" 2 '-o is missing' merge gpu
check "no input" 2 'no input' merge -o none
check "an offset that is none" 2 '--clock-offset wants FILE=NS' merge -o none --clock-offset gpu=x gpu
check "an offset for nobody" 2 'there is no such input' merge -o none --clock-offset x=1 gpu
# shellcheck disable=SC2016
check "to stdout" 0 '' sh -c '"$1" merge -q -o - gpu | "$2" -q -i - > out2 && grep -q " Q " out2' - "$grtrace" "$grparse"
"$grparse" -q -O -d - gpu | "$grtrace" merge -q -o piped - && lines gpu > before && lines piped > after
same "from a pipe" before after

finish
