#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Traces that other programs recorded: what grtrace import makes of them, and that every
# reader takes them directly.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# Root runs programs on traces as another user, who could not execute those of this test.
export SUDO_UID=0
foreign=$here/../foreign

import()
{
	"$grtrace" import "$@"
}

# --- the scheduler's three events alone give each job its times
cat > three.txt <<'TRACE'
# tracer: nop
            game-70      [000] .....    10.000100: drm_sched_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
            game-70      [000] .....    10.000200: drm_sched_job: entity=00000000557e7342, id=40, fence=0000000089440dd6, ring=gfx, job count:1, hw job count:0
   kworker/u8:0-12       [001] .....    10.000300: drm_run_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:1, hw job count:0
   kworker/u8:0-12       [001] .....    10.000400: drm_run_job: entity=00000000557e7342, id=40, fence=0000000089440dd6, ring=gfx, job count:0, hw job count:1
          <idle>-0       [001] d.h2.    10.001300: drm_sched_process_job: fence=0000000089440dd5 signaled
          <idle>-0       [001] d.h2.    10.003300: drm_sched_process_job: fence=0000000089440dd6 signaled
TRACE
on err check "a text of three events" 0 'import: three.txt: 2 drm_run_job, 2 drm_sched_job, 2 drm_sched_process_job' \
	import -o three three.txt
on err check "and what is missing" 0 '^grtrace import: three.txt: not in the file: when jobs were handed over and complete \(-e dma_fence_signaled\); who waited' \
	import -o three three.txt
on err check "as are processes" 0 '; processes: each thread counts as one \(trace option record-tgid\)$' \
	import -o three three.txt
on err check "keys are made, which is said once" 0 '2 jobs have no fence in the file: their keys are made' import -o three three.txt
check "-q says nothing" 0 '' import -q -o three three.txt
test ! -s both
result $? "on either stream"
"$grtrace" export --to csv --rows jobs -o three.csv three > out 2> err
python3 - three.csv > out 2> err <<'EOF'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 2, rows
for row, (queue, run) in zip(rows, ((200000, 1000000), (1100000, 2000000))):
    print(row)
    assert int(row["t_queue"]) == queue and int(row["t_exec"]) == run, row
    assert row["t_complete"] == "NA" and row["inferred"] == "start", row
    assert row["label"] == row["error"] == row["dependencies"] == "NA", row
EOF
code=$?
result $code "queue and execution times are there, no time of completion"
check "no job is called ok" 0 '^Labels: 2 unknown$' "$grtrace" report --full three
check "what is inferred is said on the first screen" 0 '^START is inferred, not recorded, for all jobs: queue times are at least,' \
	"$grtrace" report three
sed '/drm_sched_job:/d' three.txt > begun.txt
check "without submissions" 0 '^no job is known: the trace has no event of a submission; record again, with ' \
	"$grtrace" report begun.txt
cat > run.txt <<'TRACE'
   kworker/u8:0-12       [001] .....    10.000300: drm_sched_job_run: dev=0000:03:00.0, fence=17:1, ring=gfx, job count:0, hw job count:0, client_id:4
   kworker/u8:0-12       [001] .....    10.000900: drm_sched_job_done: fence=17:1 signaled
TRACE
check "nor with those of newer kernels" 0 '^Why jobs waited is not known: the trace has no event of their submission\.$' \
	"$grtrace" report run.txt
sed 's/drm_sched_process_job.*/drm_sched_job_wait_dep: job ring=gfx, id=39, depends fence=0000000089440dd6, context=9, seq=1/' \
	three.txt > blocked.txt
on err check "whether a fence blocked is not known" 0 'not in the file: .*; which jobs a fence blocked \(-e dma_fence_init\)' \
	import -o blocked blocked.txt
# The driver's event comes first, and says nothing that the scheduler's do not.
{ echo '            game-70      [000] .....    10.000050: msm_gpu_submit: id=7 pid=70 ring=0 bos=3 cmds=1'
  sed 1d three.txt; } > both.txt
check "that a job failed is in no event" 0 '^coverage: .*; failures of jobs and user-mode queues are not seen$' "$grtrace" report three
check "jobs of a driver that the scheduler has as well" 0 '^Labels: 2 unknown$' "$grtrace" report --full both.txt
cat > msm.txt <<'TRACE'
            game-70      [000] .....    10.000100: msm_gpu_submit: id=7 pid=70 ring=0 bos=3 cmds=1
        ring0-12         [001] .....    10.000300: msm_gpu_submit_flush: id=7 pid=70 ring=0:12 ticks=1000
   kworker/u8:0-13       [001] .....    10.001300: msm_gpu_submit_retired: id=7 pid=70 ring=0:12 elapsed=900000 ns mhz=500 start=1100 end=2100
TRACE
on err check "a file with nothing else has jobs" 0 '^grtrace import: msm.txt: 1 msm_gpu_submit, 1 msm_gpu_submit_flush, 1 msm_gpu_submit_retired$' \
	import -o msm msm.txt
on err check "what it lacks is said" 0 "not in the file: the scheduler's times .-e gpu_scheduler.;" import -o msm msm.txt
check "the job" 0 '^Q gpu-ring-0 1879048192:7 game$' "$grparse" -q -f '%a %r %x:%S %C\n' msm
"$grtrace" export --to csv --rows jobs -o msm.csv msm > out 2> err
python3 - msm.csv > out 2> err <<'EOF'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert len(rows) == 1, rows
assert rows[0]["t_queue"] == "290000" and rows[0]["t_exec"] == "900000", rows
EOF
code=$?
result $code "with its times"
cat > i915.txt <<'TRACE'
            game-70      [000] .....    10.000100: i915_request_queue: dev=0, engine=0:0, ctx=301, seqno=2, flags=0x0
            game-70      [000] .....    10.000110: i915_request_add: dev=0, engine=0:0, ctx=301, seqno=2, tail=240
   kworker/u8:0-12       [001] .....    10.001300: i915_request_retire: dev=0, engine=0:0, ctx=301, seqno=2, tail=240
TRACE
on err check "a kernel without the low level events of i915" 0 'not in the file: the begin and the end of execution \(-e i915_request_execute -e i915_request_out, which a kernel has with CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS\)' \
	import -o i915 i915.txt
check "has no event of when a job began" 0 '^Why jobs waited is not known: the trace has no event of their beginning\.$' \
	"$grtrace" report i915
! grep -q 'No record says\|more job' out
result $? "which is said once"
check "nor when it ended" 0 '^Labels: 1 unknown$' "$grtrace" report --full i915
cat > command.txt <<'TRACE'
            game-70      [000] .....    10.000100: virtio_gpu_cmd_queue: vdev=0 vq=0 name=control type=0x207 flags=0x1 fence_id=5 ctx_id=3 num_free=60 seqno=10
TRACE
on err check "commands without responses" 0 'not in the file: the end of execution \(-e virtio_gpu_cmd_response\)' \
	import -o command command.txt
cat > patched.txt <<'TRACE'
            game-70      [000] .....    10.000100: drm_sched_job_queue: dev=a, fence=11:3, ring=gfx, job count:0, hw job count:0, client_id:0
             gfx-12      [001] .....    10.000200: drm_sched_job_run: dev=a, fence=11:3, ring=gfx, job count:0, hw job count:1, client_id:0
             gfx-12      [001] .....    10.000250: drm_sched_job_hw_fence: dev=a, fence=11:3, ring=gfx, hw fence=9:7, error=0, client_id:0
             gfx-12      [001] .....    10.000260: dma_fence_signaled: driver=drm_sched timeline=gfx context=10 seqno=3
             gfx-12      [001] .....    10.000300: drm_sched_job_hw_fence: dev=a, fence=11:4, ring=gfx, hw fence=0:0, error=-5, client_id:0
TRACE
"$grparse" -q -f '%a %x:%S %f\n' patched.txt 2> err > got
printf '%s\n' 'Q 11:3 -' 'I 11:3 -' 'D 11:3 9:7' > want
same "a job is handed over once, with its hardware fence" want got
cat > gpuvis.txt <<'TRACE'
            game-70      [000] .....    10.000100: amdgpu_cs_ioctl: sched_job=39, timeline=gfx, context=11, seqno=3, ring_name=gfx, num_ibs=1
             gfx-12      [001] .....    10.000300: amdgpu_sched_run_job: sched_job=39, timeline=gfx, context=11, seqno=3, ring_name=gfx, num_ibs=1
          <idle>-0       [001] d.h..    10.001300: dma_fence_signaled: driver=drm_sched timeline=gfx context=11 seqno=3
TRACE
check "the events that gpuvis asks for" 0 '^I gfx 11:3 gfx$' "$grparse" -q -f '%a %r %x:%S %C\n' gpuvis.txt
grep -q '^Q gfx 11:3 game$' out && grep -q '^C gfx 11:3' out
result $? "are a whole job"
{ sed 1d three.txt; sed '1d; s/557e7342/99999999/; s/89440dd/77777dd/; s/00: drm/50: drm/' three.txt; } | sort -k 4 > two.txt
on err check "two GPUs with rings of one name" 0 'several GPUs have a ring of the same name, which the numbers of their jobs distinguish, because kernels before 6.17 do not name the device: gfx$' \
	import -o apart two.txt
sed '1d; s/557e7342/88888888/; s/89440dd/66666dd/; s/00: drm/60: drm/; s/id=39/id=41/; s/id=40/id=42/' three.txt | cat two.txt - | sort -k 4 > mixed.txt
on err check "and a job that may be of each of them" 0 'several GPUs have a ring of the same name, and it is not known whose some jobs are, because kernels before 6.17 do not name the device: gfx$' \
	import -o two mixed.txt
check "the record of that ring says so" 0 "gfx of .*, render, mixed$" "$grparse" -v -q -f "%m\n" two
sed 's/ring=gfx/ring=render0/' three.txt > class.txt
check "a ring that is named after its work" 0 ',render0,render,' "$grtrace" report --csv - class.txt
check "nothing is wrong with it" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify three
for word in grparse report timeline verify; do
	case $word in grparse) set -- "$grparse" -q ;; *) set -- "$grtrace" "$word" ;; esac
	"$@" three 2> err > want
	"$@" three.txt 2> err | sed 's/three\.txt/three/g' > got
	test -s want && same "$word takes the file directly" want got
done
# No heading: the text of trace_pipe and of perf script begins with a thread's name.
sed '1d; s/            game-/   Ünïty-Spïel-/' three.txt > letters.txt
check "a name of other letters in the first line" 0 '^Q gfx 1879048192:39 Ünïty-Spïel$' \
	"$grparse" -q -f '%a %r %x:%S %C\n' letters.txt
{ printf '\357\273\277'; cat three.txt; } > mark.txt
check "the mark that editors put before text" 0 '^Labels: 2 unknown$' "$grtrace" report --full mark.txt
session_of()
{
	"$grtrace" export --to csv --fleet "$1" 2> err | sed -n 2p | cut -d, -f3
}
sed 's/id=39/id=41/' three.txt > four.txt
session_of three.txt > out
[ -s out ] && [ "$(session_of three.txt)" = "$(cat out)" ] && [ "$(session_of four.txt)" != "$(cat out)" ]
result $? "the session has one number each time, another file has another"
check "text names no clock" 1 \
	'four.txt: the clock of three.txt, the first input, is not known, so nothing can be put on it: give --clock-offset four.txt=NS' \
	"$grtrace" merge -q -o no three.txt four.txt
test ! -e no
result $? "and nothing is merged then"
on err check "with an offset it is" 0 '^four.txt +capture +m0 +other +' "$grtrace" merge -o no --clock-offset four.txt=0 three.txt four.txt
rm -f no
on err check "and says what was taken" 0 '^grtrace import: three.txt: 2 drm_run_job' "$grparse" three.txt
import -o - three.txt 2> err | "$grparse" -q - > got
"$grparse" -q three > want
same "through a pipe" want got
import -q -o got - < three.txt
"$grparse" -q got > got.text
same "from a pipe" want got.text

# --- other columns, other clocks
sed 's/ \[00\([01]\)\] [.dh2]* / (     70) [00\1] ..... /' three.txt > tgid.txt
on err check "with TGID" 0 '2 drm_run_job' import -o tgid tgid.txt
sed 's/ \(10\.[0-9]*\):/ \1123:/' three.txt > ns.txt
on err check "nanoseconds" 0 '2 drm_run_job' import -o ns ns.txt
"$grparse" -q ns > out
grep -q '0\.000200000' out
result $? "are kept"
sed 's/ 10\.\([0-9]*\):/ 10\1:/' three.txt > tsc.txt
check "a counter is no time" 1 'its times are no times, but a counter: record with the clock mono' import -o tsc tsc.txt
test ! -e tsc
result $? "and nothing is written"

{ echo '<!DOCTYPE html>'; echo '<script class="trace-data" type="application/text">'; cat three.txt
  echo '</script></html>'; } > page.html
on err check "in a page of systrace" 0 'page.html: 2 drm_run_job' import -o page page.html

# --- Perfetto: three events on two CPUs, the later of which comes first
python3 - > three.pftrace << 'EOF'
import sys

def number(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])

def part(field, data):
    return number(field << 3 | 2) + number(len(data)) + data

def value(field, data):
    return number(field << 3) + number(data)

def event(ts, pid, kind, message):
    return part(2, value(1, ts) + value(2, pid) + part(kind, message))

job = value(1, 14) + value(2, 0xf1) + value(4, 39) + part(6, b'gfx')
sys.stdout.buffer.write(part(1, part(1, value(1, 1) + event(2000, 12, 412, job) + event(9000, 0, 413, value(1, 0xf1)))) +
                        part(1, part(1, value(1, 0) + event(1000, 70, 411, job))))
EOF
on err check "a trace of Perfetto" 0 'three.pftrace: 1 drm_run_job, 1 drm_sched_job, 1 drm_sched_process_job' "$grparse" -q three.pftrace
head -c 60 three.pftrace > cut.pftrace
on err check "a cut one" 0 'cut.pftrace: its end is cut off' import -o x cut.pftrace
gzip -c three.pftrace > three.gz
on err check "a compressed one" 0 'three.gz: 1 drm_run_job, 1 drm_sched_job, 1 drm_sched_process_job' import -o x three.gz
for packer in xz zstd bzip2; do
	has_program "a file by $packer" $packer || continue
	$packer -qc < three.txt > packed
	check "one by $packer" 0 '^Q gfx 1879048192:39 game$' "$grparse" -q -f '%a %r %x:%S %C\n' packed
	check "which may be missing" 1 "packed: is compressed, and $packer cannot be run: " \
		env PATH=/nonexistent "$grtrace" import -o x packed
done
printf '\037\213 and no more' > broken.gz
check "a damaged one" 1 'broken.gz: is compressed, and gzip cannot unpack it' import -o x broken.gz
"$grparse" -q three.pftrace > want
for file in three.pftrace three.gz; do
	tail -c +1 "$file" | "$grparse" -q - > got
	same "the same from a pipe: $file" want got
done
"$grparse" -q - < three.gz > got
same "and from a file on stdin" want got
mkfifo fifo
cat three.txt > fifo &
"$grparse" -q fifo > got
"$grparse" -q three.txt > want
same "a FIFO" want got
tail -c +1 three.txt | "$grparse" -q - > got
same "text from a pipe" want got
# The writer stays, and six events are there.
: > got
{ cat three.txt; echo '  game-70 [000] ..... 11.0: drm_sched_process_job: fence=1 signaled'; exec sleep 60; } > fifo &
writer=$!
"$grparse" -q fifo > got 2> err &
for _ in $(seq 250); do
	[ "$(grep -c gfx got)" != 6 ] || break
	sleep 0.2
done
[ "$(grep -c gfx got)" = 6 ] && kill -0 "$writer"
result $? "a live pipe is printed while it lasts"
kill "$writer" "$!"
wait

# --- a kind of events that begins late
python3 - > late.txt << 'EOF'
for n in range(20000):
    at = 10 + n / 1000
    print(f"  game-70 [000] ..... {at:.6f}: drm_sched_job_queue: dev=a, fence=17:{n + 1}, ring=gfx, job count:0, hw job count:0, client_id:4")
    print(f"  gfx-12 [001] ..... {at + .0001:.6f}: drm_sched_job_run: dev=a, fence=17:{n + 1}, ring=gfx, job count:0, hw job count:0, client_id:4")
print(f"  game-70 [000] ..... {at + 1:.6f}: dma_fence_wait_start: driver=drm_sched timeline=gfx context=17 seqno=20000")
EOF
on err check "a kind of events that begins late" 0 'late.txt: begins too late in the file, after 1 MiB of records without it, so that what needs it is NA: dma_fence_wait_start$' \
	import -o late late.txt

# --- losses
awk '/drm_run_job.*id=40/ { print "CPU:1 [LOST 12 EVENTS]" } { print }' three.txt > lost.txt
on err check "lost events are reported" 3 '12 events were lost' import --strict -o lost lost.txt
check "at their place" 0 'Lost: 12 records' "$grparse" lost

{ echo '# tracer: nop'; echo '#'; echo '# entries-in-buffer/entries-written: 6/106   #P:2'; sed 1d three.txt; } > old.txt
on err check "what was overwritten is lost" 3 'old.txt: 100 events were lost while it was recorded' import --strict -o old old.txt
check "before the first event" 0 '100 records lost here .100 events, 0 notes., from 0\.000000000 to 0\.000000000' "$grparse" old
"$grtrace" report old.txt > out 2>&1
! grep -qE 'channel|modprobe|\(-b\)|load ' out
result $? "nothing in a report is about the module"

# --- markers
cat > marks.txt <<'TRACE'
            game-70      [000] .....    10.000100: tracing_mark_write: B|70|frame 1
            game-70      [000] .....    10.000100: drm_vblank_event: crtc=0, seq=7
            game-70      [000] .....    10.000300: tracing_mark_write: E|70
            game-70      [000] .....    10.000400: print: tracing_mark_write: C|70|fps|60
TRACE
on err check "markers" 0 '1 drm_vblank_event, 3 markers' import -o marks marks.txt
"$grparse" -q marks > out
grep -q 'mark kind=begin pid=70 name=frame 1' out && grep -q 'mark kind=counter pid=70 value=60 name=fps' out
result $? "become messages with kind and value"

# --- what cannot be read
printf 'This is a letter, not a trace.\n' > letter
check "no trace" 1 'letter: has no event: it is neither the text of a trace' import -o x letter
printf 'This letter has no end' > open
check "nor its end" 1 '^grtrace import: open: has no event' import -o x open
[ "$(wc -l < err)" = 1 ]
result $? "in one sentence"
{ echo '# tracer: nop'; echo '#'; echo '# entries-in-buffer/entries-written: 0/0   #P:2'; } > heading.txt
check "a heading alone" 1 'heading.txt: is the heading of a trace without events: none was enabled, or a reader of trace_pipe took them' \
	import -o x heading.txt
check "to a reader" 1 'letter: is not a capture, and grtrace import cannot read it' "$grparse" letter
echo '  game-70 [000] .....  10.000100: sched_waking: comm=x pid=1' > none.txt
check "no event that is known" 1 'has no event that is known; it has 1 sched_waking; grtrace import --events lists what is known' import -o x none.txt
sed '/drm_sched_process_job/d; s/ring=/queue=/' three.txt > new.txt
check "fields of an unknown kernel" 1 'has .* with other fields than those of a kernel that is known' import -o x new.txt
{ cat three.txt; sed -n '2s/ring=/queue=/p' three.txt; } > some.txt
on err check "of some events" 0 '1 of drm_sched_job are left out: their fields are not those of a kernel that is known' import -o x some.txt
head -c 800 three.txt > cut.txt
on err check "a cut end" 0 'cut.txt: its last line is cut off' import -o x cut.txt
if [ -x "$build/grtrace-tracedat" ]; then
	python3 -B "$here/tracedat.py" t.dat
	on err check "a trace.dat, by its library" 0 't.dat: 2 drm_run_job, 2 drm_sched_job, 2 drm_sched_process_job' import -o dat t.dat
	"$grparse" -q -f '%a %r %x:%S %C\n' dat > got
	printf '%s\n' 'Q gfx 1879048192:1 game' 'I gfx 1879048192:1 gfx' 'E gfx 1879048192:1 swapper' \
		'Q gfx 1879048192:2 game' 'I gfx 1879048192:2 gfx' 'E gfx 1879048192:2 swapper' > want
	same "the numbers and the texts of its events" want got
	check "text on the clock of a capture" 1 'three.txt: it does not say which clock its time stamps use: record it again with the clock mono .*, or give --clock-offset three.txt=NS' \
		"$grtrace" merge -q -o no dat three.txt
	check "with the kernel's release" 0 '^dat: 35\.0 us, Linux 6\.12\.48, ' "$grtrace" report dat
	check "and its clock" 0 '^dat +capture +m0 +mono ' "$grtrace" merge --stats-only dat
	sed 's/local global \[mono\] boot/local global mono [boot]/' t.dat > boot.dat
	import -q -o boot boot.dat
	check "which may be another one" 0 '^boot +capture +m0 +boot ' "$grtrace" merge --stats-only boot
	sed 's/local global \[mono\] boot/[local] global mono boot/' t.dat > local.dat
	import -q -o local local.dat
	check "or none that captures have" 0 '^local +capture +m0 +[^mb]' "$grtrace" merge --stats-only local
	gzip -c t.dat > t.dat.gz
	"$grparse" -q dat > want
	"$grparse" -q t.dat.gz > got 2> err
	same "through gzip" want got
	python3 -B "$here/tracedat.py" big.dat 400
	# The last of seven pages of the second CPU is not whole.
	head -c "$(($(wc -c < big.dat) - 100))" big.dat > end.dat
	on err check "one without its end" 0 'end.dat: its end is cut off, 100 bytes are missing: the last events of CPU 1 are lost' \
		import -o end end.dat
	grep -q 'end.dat: 360 drm_run_job, 400 drm_sched_job, 360 drm_sched_process_job' err
	code=$?
	result $code "all before is read"
	! grep -q 'while it was recorded' err
	result $? "nothing was lost while it was recorded"
	check "it counts as a loss" 3 '^Lost: 1 ' "$grtrace" report --full --strict end
	check "also from a pipe" 3 '^Lost: 1 ' sh -c "'$grtrace' report --full --strict - < end.dat"
	head -c 1500 t.dat > head.dat
	check "one without its pages" 1 'head.dat: cannot be read: it is damaged' import -o no head.dat
	# A place behind the end, where no page begins.
	python3 -B - << 'EOF'
data = bytearray(open("t.dat", "rb").read())
at = data.index(b"flyrecord\0") + 10
data[at + 16:at + 24] = ((1 << 30) + 1).to_bytes(8, "little")
open("cut.dat", "wb").write(data)
EOF
	check "one that is cut off" 1 'cut.dat: cannot be read: it is cut off or damaged' import -o no cut.dat
	test ! -e no && [ "$(wc -l < err)" = 1 ]
	result $? "in one sentence, and nothing is written"
	check "or to a reader" 1 'cut.dat: cannot be read: it is cut off or damaged' "$grparse" cut.dat
else
	skip "a trace.dat, by its library" "libtracecmd was not there when this was built"
fi
printf '\027\010Dtracing6\0' > damaged.dat
check "a damaged trace.dat" 1 'damaged.dat: ' import -o damaged damaged.dat
test ! -e damaged && [ "$(wc -l < err)" = 1 ]
result $? "in one sentence"
printf 'PERFILE2 and no more' > damaged.data
mkdir -p fake
printf '#!/bin/sh\necho "$*" > perf.args; cp three.txt perf.read; case "$*" in *-i*) cat three.txt ;; esac\n' > fake/perf
chmod +x fake/perf
gzip -c damaged.data > data.gz
PATH=$PWD/fake:$PATH on err check "perf.data is read by perf, also where it is compressed" 0 'data.gz: 2 drm_run_job, 2 drm_sched_job' import -o x data.gz
check "which is asked for losses, in ns" 0 '^script --ns --show-lost-events -F comm,pid,tid,cpu,time,event,trace -i /proc/self/fd/[0-9]+$' cat perf.args
# shellcheck disable=SC2016
printf '#!/bin/sh\nhead -c 9 "$(eval echo \$$#)" > perf.bytes; cat three.txt\n' > fake/perf
PATH=$PWD/fake:$PATH import -q -o x data.gz
check "from a file that gzip unpacked" 0 '^PERFILE2' cat perf.bytes
PATH=$PWD/fake:$PATH import -q -o y damaged.data
"$grparse" -q x > want
"$grparse" -q y > got
same "the same as without gzip" want got
check "without perf" 1 'damaged.data: cannot run perf: .*: install it' env PATH=/nonexistent "$grtrace" import -o x damaged.data
check "no such file" 1 'nothing.txt: cannot open' import -o x nothing.txt
check "no output" 2 'is missing: name the file for the capture' import three.txt
cp three.txt own.txt
check "onto itself" 1 'own.txt: -o ./own.txt: that is the input' import -o ./own.txt own.txt
cmp own.txt three.txt > out 2>&1
result $? "which stays as it was"
check "a full disk" 1 'No space left' sh -c "\"$grtrace\" import -o - three.txt > /dev/full"
check "the table of events" 0 '^gpu_scheduler:drm_sched_job_queue +6.17 on +SUBMIT' import --events
pages=$here/../../../../Documentation/gpu/grtrace
if [ -d "$pages" ]; then
	import --events | sed -E 's/^(.{43})(.{13})/\1|\2|/; s/ *\|/|/g' |
		awk -F'|' -v OFS=, '{ for (i = 1; i <= NF; i++) if ($i ~ /,/) $i = "\"" $i "\""; $1 = $1; print }' > want
	same "its page has the same" want "$pages/import-events.csv"
fi
mkdir alone
ln -s "$grparse" alone/grparse
check "a reader without the word" 1 \
	'three.txt: is not a capture; if it is a trace of another program, install the word import, which reads it' \
	env "GRTRACE_EXEC_PATH=$work/alone" "$grparse" three.txt

# A thread, whose process is named after its leader in each CPU's file.
cat > leader.txt <<'TRACE'
           chief-70      (     70) [000] .....    10.000050: drm_sched_job: entity=00000000557e7342, id=38, fence=0000000089440dd4, ring=gfx, job count:0, hw job count:0
          worker-71      (     70) [001] .....    10.000100: drm_sched_job: entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job count:0, hw job count:0
TRACE
import -q -o leader leader.txt
check "a thread's leader" 0 '^  -,- +1 .* mT +- task 70 is chief of process 70$' "$grparse" -q -v leader
grep -qE '^  -,- +1 .* mT +- task 71 is worker of process 70$' out
result $? "and the thread"

# Two processes of one thread each, whose jobs are not of one process.
xz -dc "$here/../foreign/7.3/trace.txt.xz" > threads.txt
check "two threads of unknown processes" 0 '^ +[1-9][0-9]* mockload +30 ' \
	"$grtrace" report --per-process threads.txt
[ "$(grep -cE '^ +[1-9][0-9]* mockload +30 ' out)" = 2 ] && ! grep -qE '^ +0 [^ ]+ +60 ' out
result $? "are two processes"

# equal_rows NAME: got has the rows of want, as a check and as a bar.
equal_rows()
{
	[ -s want ] && same "$1 has the jobs of a live recording" want got
	printf '# BAR import_equal_rows_%s %s rows %s %s\n' "$(echo "$1" | tr -c 'a-zA-Z0-9.\n' _)" \
		"$(comm -12 want got | wc -l)" "$(wc -l < want)" "$(cmp -s want got && echo ok || echo short)"
}

# --- one run in a guest, recorded by several programs
# jobs NAME: each event without its time, which has other digits
jobs()
{
	"$grparse" -q -f '%a %R %x:%S %p\n' "$1" | grep -v '^m' | sort
}
if has_program "files of a guest" xz; then
	for kernel in 6.12 7.3; do
		mkdir -p live
		for cpu in 0 1; do
			xz -dc "$foreign/$kernel/tracefs/x.grtrace.$cpu.xz" > "live/$kernel.grtrace.$cpu"
		done
		jobs "live/$kernel" > want
		# Its jobs are those of another run of the same load.
		for file in perf perf-ns; do
			[ ! -e "$foreign/$kernel/$file.txt.xz" ] ||
				{ xz -dc "$foreign/$kernel/$file.txt.xz" > file.txt
				  on err check "$kernel: $file" 0 ' 60 drm_sched_process_job' import -o file file.txt
				  check "and nothing is wrong with it" 0 ' 0 damaged places, 0 faults,' "$grtrace" verify file; }
		done
		for file in trace trace-cmd trace-cmd-R; do
			xz -dc "$foreign/$kernel/$file.txt.xz" > file.txt
			import -q -o file file.txt
			jobs file > got
			equal_rows "$kernel $file"
		done
		# Perfetto's recorder would have written this.
		xz -dc "$foreign/$kernel/trace-cmd-R.txt.xz" > raw.txt
		for how in "typed" "copied" "described" "typed --pack zlib" "described --pack zlib --every 2"; do
			# shellcheck disable=SC2086
			python3 -B "$here/../perfetto.py" --events $how < raw.txt > run.pftrace
			import -q -o file run.pftrace
			jobs file > got
			equal_rows "$kernel Perfetto $how"
		done
		if has_program "Perfetto's packets of zstd" zstd; then
			python3 -B "$here/../perfetto.py" --events described --pack zstd < raw.txt > run.pftrace
			import -q -o file run.pftrace
			jobs file > got
			equal_rows "$kernel Perfetto zstd"
		fi
	done
fi
# A shell of Windows saves text in UTF-16.
for order in LE BE; do
	{
		[ $order = LE ] && printf '\377\376' || printf '\376\377'
		iconv -f UTF-8 -t UTF-16$order three.txt
	} > wide.txt
	for word in "report" "import -o converted"; do
		# shellcheck disable=SC2086
		check "UTF-16$order: $word" 1 'wide.txt: is text in UTF-16: convert it by iconv -f UTF-16 -t UTF-8' \
			"$grtrace" $word wide.txt
		[ ! -s out ] && [ ! -e converted ]
		result $? "prints and writes nothing"
	done
done
iconv -f UTF-16 -t UTF-8 wide.txt > converted.txt
check "what iconv makes of it is read" 0 '^Labels: 2 unknown$' "$grtrace" report --full converted.txt

finish
