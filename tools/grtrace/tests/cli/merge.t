#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grtrace merge with several recordings.

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
on err check "one capture" 0 '^one +capture +m0 +mono +[0-9]+ +0 +\+0 ' merge -o same one
"$grparse" -q --csv one > before
"$grparse" -q --csv same > after
# Rings and tasks have their notes elsewhere, so records have other numbers.
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
"$grtrace" report --full one | sed '1,/^Report of/d' | grep -v '^Records\|^Cost\|^Lost' > before
"$grtrace" report --full same | sed '1,/^Report of/d' | grep -v '^Records\|^Cost\|^Lost\|^  merged from other captures$' > after
same "and its report says the same" before after
check "nothing is wrong with it" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify same
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
check "nothing is wrong with that" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify lossy
check "what is missing becomes a LOST" 0 '^Lost: 7 records' "$grparse" told
merge -q -o placed "$here/../captures/truth-known-gseq-hole/x" 2> err
for capture in "$here/../captures/truth-known-gseq-hole/x" placed; do
	"$grtrace" report --busy -i "$capture" 2> err | grep '^0000:\|^Touched'
	echo
done | awk 'BEGIN { RS = "" } { print > ("figures" NR) }'
test -s figures1 && same "where it is missing, so that the figures are the same" figures1 figures2

# --- no record is before 0, and none is put there
{ echo 'info start=1000000000'; echo 'cpu 0'
  echo 'submit ts=1000010000 ctx=1 ring=1 seqno=1'; echo 'complete ts=1000055000 ctx=1 ring=1 seqno=1'; } |
	tee later.txt | "$synth" - now
"$synth" later.txt later
check "what would lie before 0 is refused" 1 \
	'later: its time 1000000000 plus -1000030000 ns is before 0 on the clock of now, .* or give --clock-offset later=-1000000000 or more' \
	merge -o none --clock-offset later=-1000030000 now later
check "and nothing is written" 1 '' test -e none
check "at 0 there is room" 0 '' merge -o at0 --clock-offset later=-1000000000 now later
# shellcheck disable=SC2016
check "each time is moved by as much" 0 '' sh -c '"$1" -q -f "%x:%S %a %T.%9t\n" at0 | head -n 2 > times' - "$grparse"
printf '1:1 Q 0.000010000\n1:1 C 0.000055000\n' > wanted
same "to where it was said" times wanted
{ cat later.txt; echo 'lost events=3 first=500 last=1000060000'; } | "$synth" - loses
check "a loss that begins before 0" 1 'loses: its time 500 plus -1000000000 ns is before 0 .*; none is not written' \
	merge -o none --clock-offset loses=-1000000000 now loses
check "is not written either" 1 '' test -e none
{ echo 'info start=18000000000000000000'; echo 'cpu 0'; echo 'submit ts=18000000000000000001 ctx=1 ring=1 seqno=1'; } |
	"$synth" - later
check "a time that 64 bits do not hold" 1 'later: its time 18000000000000000000 plus 9223372036854775807 ns does not fit in 64 bits' \
	merge -o none --clock-offset later=9223372036854775807 now later

# --- two captures of one boot: the module's, and one of ioctls
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' \
	'ring id=1 name=gfx device=card0' 'ring id=2 name=copy device=card0' 'cpu 0' \
	'task ts=1500 pid=7 tgid=6 comm=game' \
	'submit ts=2000 pid=7 ctx=5 ring=1 seqno=1' 'submit ts=6000 pid=7 ctx=5 ring=2 seqno=2' | "$synth" - gpu
printf '%s\n' 'session 0xabc' 'cpu none' 'info start=3000 real=1000003000 boot=1' \
	'ring id=1 name=copy device=card0' 'cpu 0' 'task ts=3500 pid=7 tgid=6 comm=game' \
	'ioctl ts=4000 pid=7 cmd=0xc00c64b2 duration=100' \
	'complete ts=7000 ctx=5 ring=1 seqno=2' | "$synth" - calls
on err check "two captures of one boot" 0 '^calls +capture +m0 +mono .* \+-0 ns \(the same clock of the same boot\)$' \
	merge -o beside gpu calls
"$grparse" -q -f '%9t %a %R %r %x:%S\n' beside | grep -v ' m ' > after
printf '%s\n' '000001000 Q 1 gfx 5:1' '000003000 IO 0 - 0:0' '000005000 Q 2 copy 5:2' \
	'000006000 C 2 copy 5:2' > before
same "in order, and a ring is one by its name" before after

# Another clock of the same boot: by the wall clock.
printf '%s\n' 'session 0xabd' 'cpu none' 'info start=903000 real=1000003000 boot=1 clock=7' 'cpu 1' \
	'ioctl ts=904000 pid=7 cmd=0xc00c64b2 duration=100' | "$synth" - boottime
on err check "CLOCK_BOOTTIME beside CLOCK_MONOTONIC" 0 \
	'^boottime +capture +m0 +boot +1 +0 +-900000 \+-2000 ns \(by the wall clock, if it was not set between the two\)' merge -o clocks gpu boottime
check "its event stands where it was" 0 '^000003000 IO$' "$grparse" -q -f '%9t %a\n' clocks

# --- another machine
printf '%s\n' 'session 0xabe' 'cpu none' 'info start=50000 real=1000004000 boot=2' \
	'ring id=1 name=gfx device=card0' 'cpu 3' 'task ts=51000 pid=7 tgid=7 comm=game' \
	'submit ts=52000 pid=7 ctx=5 ring=1 seqno=1' | "$synth" --stream - guest
on err check "a guest" 0 '^guest +capture +vm +mono .* not known \(by the wall clocks of two machines' \
	merge -o machines gpu vm=guest
check "nothing of it is taken for ours" 0 '^3 vm/card0 gfx 4099 4194311 vm/game 281474976710661:1$' \
	"$grparse" -q -f '%R %v %r %c %p %C %x:%S\n' machines
on err check "without a name it is m1" 0 '^guest +capture +m1 ' merge -o machines gpu guest

# A loss that begins long after its CPU's last record holds nothing up.
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' 'ring id=1 name=gfx device=card0' 'cpu 0' \
	'submit ts=2000 pid=7 ctx=5 ring=1 seqno=1' 'cpu 1' 'submit ts=2500 pid=7 ctx=5 ring=1 seqno=2' \
	'lost events=3 first=900000 last=900500' 'cpu 0' 'submit ts=6000 pid=7 ctx=5 ring=1 seqno=3' \
	'submit ts=8000 pid=7 ctx=5 ring=1 seqno=4' | "$synth" - late
check "a late loss" 0 '' merge -q -o held late calls
"$grparse" -q -f '%9t %a %x:%S\n' held | grep -v ' m' > after
printf '%s\n' '000001000 Q 5:1' '000001500 Q 5:2' '000003000 IO 0:0' '000005000 Q 5:3' '000006000 C 5:2' \
	'000007000 Q 5:4' > before
same "all others stand in order" before after
cut -d' ' -f2- before > want
"$grparse" -q -f '%a %x:%S\n' late calls | grep -v '^m' > after
same "and where grparse reads both" want after
"$grtrace" verify held > both 2>&1
absent "no CPU's time runs backwards" backwards

# Rings of one name, one that is known better later, and one without a job.
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' 'ring id=1 name=js device=card0 class=0' \
	'ring id=2 name=js device=card0 class=2' 'ring id=3 name=js device=card0 class=2' \
	'ring id=4 name=idle device=card0 class=3' 'cpu 0' \
	'submit ts=2000 pid=7 ctx=5 ring=1 seqno=1' 'submit ts=2100 pid=7 ctx=6 ring=3 seqno=1' \
	'ring id=1 name=js device=card0 class=1 ts=2200' 'submit ts=2300 pid=7 ctx=7 ring=2 seqno=1' | "$synth" - twins
merge -q -o rings twins calls
"$grtrace" export --to json rings | grep -c '"row":"ring".*"ring_name":"js"' > count
check "rings of one name stay apart" 0 '^3$' cat count
check "what is told later counts" 0 '"row":"ring".*"ring":1,"ring_name":"js".*"engine":"render"' \
	"$grtrace" export --to json rings
"$grtrace" export --to json rings | sed -n 's/^{"row":"event".*"ts":\([0-9]*\),"type".*/\1/p' > rings.ts
test "$(wc -l < rings.ts)" = 12 && sort -n -c rings.ts 2> err
result $? "all in order"
check "a ring without a job is there" 0 '"row":"ring".*"ring_name":"idle"' "$grtrace" export --to json rings
for at in 3000 2000; do
	printf '%s\n' 'cpu none' "info start=$at real=1000003000 boot=1" \
		'ring id=4 name=idle device=card0 class=3' | "$synth" - "idle$at"
done
on err check "nor does another one need any" 0 '^1 records in one capture$' merge -o idle idle3000 idle2000
"$grparse" -q --json idle | sed 's/.*"cpu":\([0-9]*\),.*"ts":\([0-9]*\),.*"ring_name":"\([a-z]*\)".*/\2 \1 \3/' > placed
check "whose rings stand where it begins" 0 '^2000 0 idle$' cat placed

# Names that would be cut, and what idle is on another machine.
printf '%s\n' 'session 0xabf' 'cpu none' 'info start=50000 real=1000004000 boot=2' \
	'ring id=1 name=gfx device=0000:01:00.0' 'ring id=2 name=gfx device=0000:02:00.0' 'cpu 3' \
	'task ts=51000 pid=7 tgid=7 comm=glxgears' 'submit ts=52000 pid=7 ctx=5 ring=1 seqno=1' \
	'submit ts=52100 pid=7 ctx=5 ring=2 seqno=2' 'ctx_switch ts=53000 ctx=0 ring=1 seqno=0 fence=5:1' | "$synth" --stream - far
check "a long name of a machine" 0 '' merge -q -o long gpu render-node-17.lab.example=far
check "keeps devices apart" 0 '^m1/0000:02:00.0 m1/glxgears$' "$grparse" -q -f '%v %C\n' long
check "and the other one" 0 '^m1/0000:01:00.0 m1/glxgears$' "$grparse" -q -f '%v %C\n' long
check "idle of that machine, after a context of it" 0 \
	'"type":"ctx_switch".*"ctx":"281474976710656",.*"fence_ctx":"281474976710661",' "$grparse" -q --json long

# --- what trace-cmd and perf read
mkdir bin
cat > bin/trace-cmd <<'EOF'
#!/bin/sh
case "$1" in
dump) echo '		[Option TRACECLOCK, 67 bytes]'; echo "local global ${CLOCK-[mono]} boot" ;;
report)
	echo 'cpus=2'
	[ -z "$EARLY" ] || echo "CPU:1 [$EARLY EVENTS DROPPED]"
	echo " my game-2-70    [001]     0.00${LATER:-00}03000: sched_switch: prev_comm=my game prev_pid=7"
	[ -z "$MARKED" ] || cat "$MARKED"
	[ -z "$JOBS" ] || cat "$JOBS"
	echo 'CPU:1 [12 EVENTS DROPPED]'
	echo "          <idle>-0     [000] d..1.     0.00${LATER:-00}05500: drm_vblank_event: crtc=0, seq=9"
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
# Root runs them as another user.
chmod 755 .
PATH=$PWD/bin:$PATH
printf '\027\010\104tracing6' > trace.dat
printf 'PERFILE2........' > perf.data
on err check "trace.dat" 0 '^trace.dat +trace.dat +m0 +mono +4 +12 +\+0 \+-0 ns \(the same clock; assumed' merge -o dat gpu trace.dat
# With standard input closed, the file that is looked into has the number 0.
check "which cannot be the first" 1 '^grtrace merge: trace.dat: the first input has to be a capture' \
	sh -c "'$grtrace' merge -q -o none trace.dat gpu <&-"
check "an event is a line" 0 '^000002000 1 70 my game-2 sched_switch: prev_comm=my game prev_pid=7$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' dat
check "the next one, too" 0 '^000004500 0 0 \? drm_vblank_event: crtc=0, seq=9$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' dat
check "what it lost is lost" 0 '^Lost: 12 records' "$grparse" dat
EARLY=5 check "dropped before its first event" 0 '' merge -q -o early gpu trace.dat
check "is lost until that" 0 '^  CPU 1, 0.000002000 to 0.000002000: 5 records' "$grparse" early
check "why, was told there" 0 'records, not in the captures that were merged$' "$grparse" early
check "both are lost" 0 '^Lost: 17 records' "$grparse" early
check "a trace.dat of another machine" 1 '^grtrace merge: trace.dat: its clock "mono" has nothing in common with mono: record it again .*, or give --clock-offset trace.dat=NS$' \
	merge -q -o none gpu vm=trace.dat
check "before the first input's clock began" 1 'trace.dat: its time 3000 plus -46000 ns is before 0' \
	merge -q -o none gpu vm=guest vm=trace.dat
LATER=01 on err check "is on the clock of a capture of it" 0 'trace.dat +trace.dat +vm .* \(with guest: the same clock' \
	merge -o guests gpu vm=guest vm=trace.dat
on err check "perf.data, by its reference" 0 '^perf.data +perf.data +m0 +boottime +3 +4 +-900000 \+-2000 ns' \
	merge -o data gpu perf.data
check "its events" 0 '^000003500 1 8 my app drm:drm_vblank_event: crtc=0, seq=9$' \
	"$grparse" -q -f '%9t %c %p %C %m\n' data
check "its losses" 0 '^Lost: 4 records' "$grparse" data
on err check "all at once" 0 '^[0-9]+ records in one capture' merge -o all gpu calls trace.dat perf.data vm=guest
check "it is a right capture" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify all
check "the timeline takes it" 0 'gfx' "$grtrace" timeline all

# --- jobs that they recorded are jobs in the result
cat > jobs.txt <<'EOF'
            game-71    [001]     0.000003100: drm_sched_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
   kworker/0:1-12      [001]     0.000003200: drm_run_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
          <idle>-0     [001]     0.000003900: drm_sched_process_job: fence=0000000089440dd5 signaled
          <idle>-0     [001]     0.000003900: drm_sched_process_job: fence=0000000089440dd6 signaled
EOF
JOBS=$PWD/jobs.txt on err check "jobs of a trace.dat" 0 '^  submit +1 ' merge --verbose -o withjobs gpu trace.dat
"$grparse" -q -f '%9t %a %R %r %x:%S %C %m\n' withjobs | grep ' [QIE] \|process_job' > after
printf '%s\n' '000001000 Q 1 gfx 5:1 game ' '000002100 Q 2 gfx 1879048192:39 game ' \
	'000002200 I 2 gfx 1879048192:39 kworker/0:1 ' '000002900 E 2 gfx 1879048192:39 ? ' \
	'000002900 m 0 - 0:0 ? drm_sched_process_job: fence=0000000089440dd6 signaled' '000005000 Q 3 copy 5:2 game ' > before
same "each with its ring, and what is none stays a line" before after
check "it is a right capture, too" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify withjobs
sed 's/0\.0000/0.0001/' jobs.txt > later.txt
LATER=01 JOBS=$PWD/later.txt merge -q -o vmjobs gpu vm=guest vm=trace.dat
check "of another machine" 0 '^vm/[?] gfx 281476855758848:39 vm/game$' \
	"$grparse" -q -f '%v %r %x:%S %C\n' vmjobs
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' 'meta source drm_sched 5 5' \
	'ring id=1 name=gfx device=card0' 'cpu 0' 'submit ts=2000 pid=7 ctx=5 ring=1 seqno=1' | "$synth" - module
JOBS=$PWD/jobs.txt merge -q -o once module trace.dat
"$grparse" -q -f '%a\n' once | grep -c '^[QIE]' > count
check "those that a capture has are there once" 0 '^1$' cat count

# --- clocks by hand, and what cannot be
CLOCK='[local]' check "a clock of its own" 1 \
	'trace.dat: its clock "local" has nothing in common with mono: record it again with the clock mono' \
	merge -o none gpu trace.dat
check "nothing is written then" 1 '' test -e none
cat > marked <<'EOF'
           record-9     [000]     0.000001200: print: tracing_mark_write: grtrace_sync mono=2000 boot=9000 tai=9000
           record-9     [000]     0.000001300: print: tracing_mark_write: grtrace_sync mono=2220 boot=9200 tai=9200
EOF
CLOCK='[local]' MARKED=$PWD/marked on err check "unless record put its marks there" 0 \
	'^trace.dat .* \+910 \+-110 ns \(by the marks that record wrote into the trace\)' \
	merge -o marks gpu trace.dat
check "its events are on the clock then" 0 '^000002910 sched_switch' "$grparse" -q -f '%9t %m\n' marks
CLOCK='[local]' on err check "--clock-offset" 0 '^trace.dat .* -1000 \+-0 ns \(--clock-offset\)' \
	merge -o hand --clock-offset trace.dat=-1000 gpu trace.dat
check "it counts" 0 '^000001000 sched_switch' "$grparse" -q -f '%9t %m\n' hand
check "no program's events lie before 0" 1 'trace.dat: its time 3000 plus -9000000000 ns is before 0 on the clock of gpu' \
	merge -q -o none --clock-offset trace.dat=-9000000000 gpu trace.dat
FAIL=1 check "the program fails" 1 'trace.dat: trace-cmd failed with status 3: the file is cut' \
	merge -o none gpu trace.dat
check "half a result is none" 1 '' test -e none
chmod 777 .
mkdir other
cat > other/trace-cmd <<'EOF'
#!/bin/sh
for file; do :; done
head -c 10 "$file" > seen
id -u >> seen
exit 3
EOF
chmod +x other/trace-cmd
chmod 600 trace.dat
PATH=$PWD/other:$PATH SUDO_UID=65534 run "$grtrace" merge -o none gpu trace.dat
if [ "$(id -u)" = 0 ]; then
	grep -qa tracing65534 seen
	result $? "root runs the program as the user who called sudo, on a copy"
else
	skip "the program's user" "this is not root"
fi
check "the program is missing" 1 'cannot run trace-cmd: .*: install it' env PATH=/nonexistent "$grtrace" merge -o none gpu trace.dat
check "no capture in front" 1 'trace.dat: the first input has to be a capture' merge -o none trace.dat gpu
head -c 100 /dev/zero > junk
echo before > kept
check "none of it is a capture" 1 'junk: .*not a grtrace capture' merge -o kept junk
check "one of them is none" 1 'kept: is not written' merge -o kept gpu junk
[ "$(cat kept)" = before ]
result $? "what was there is still there"
check "one capture twice" 1 'gpu: is named twice' merge -o none gpu gpu
cp gpu.grtrace.0 shadow.grtrace.0
check "a name that another capture is read by" 1 \
	'-o shadow: there is shadow.grtrace.0, which would be read instead of it' merge -o shadow gpu
check "-d by such a name" 1 '-d shadow: there is shadow.grtrace.0' "$grparse" -q -O -d shadow gpu
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
