#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Queues that user space fills: when they are on and off. Fences of no job: whose they are.
# From other programs' traces, in text, tables and files of other formats.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# has NAME FILE LINE: the file has the line, as it is.
has()
{
	cp "$2" out
	grep -qxF -- "$3" "$2"
	result $? "$1"
}

# --- a queue of amdgpu is created, evicted, restored and destroyed
cat > userq.txt <<'TRACE'
# tracer: nop
            game-1200    [001] .....   100.000000: amdgpu_userq_create_start: queue=00000000aabbccdd, doorbell=4100, type=0, state=0, xcp_id=0
            game-1200    [001] .....   100.000100: amdgpu_userq_state_start: client_id=7, type=0, doorbell=4100, from=0
            game-1200    [001] .....   100.000150: amdgpu_userq_state_changed: client_id=7, type=0, doorbell=4100, to=1
            game-1200    [001] .....   100.000200: amdgpu_userq_create_end: queue=00000000aabbccdd, doorbell=4100, type=0, state=1, xcp_id=0, result=0
            game-1200    [001] .....   100.100000: amdgpu_userq_wait_deps: dev=0000:03:00.0, client_id=7, type=0, doorbell=4100, context=700 depends on fence=650:9
            game-1200    [001] .....   100.100100: amdgpu_userq_emit_fence: dev=0000:03:00.0, client_id=7, type=0, doorbell=4100, fence=700:1
          <idle>-0       [002] d.h1.   100.104000: dma_fence_signaled: driver=amdgpu_userq_fence timeline=game context=700 seqno=1
            game-1200    [001] .....   100.200000: amdgpu_userq_emit_fence: dev=0000:03:00.0, client_id=7, type=0, doorbell=4100, fence=700:2
     kworker/2:1-88      [002] .....   100.201000: amdgpu_userq_state_start: client_id=7, type=0, doorbell=4100, from=1
     kworker/2:1-88      [002] .....   100.202000: amdgpu_userq_state_changed: client_id=7, type=0, doorbell=4100, to=0
     kworker/2:1-88      [002] .....   100.700000: amdgpu_userq_state_start: client_id=7, type=0, doorbell=4100, from=0
     kworker/2:1-88      [002] .....   100.701000: amdgpu_userq_state_changed: client_id=7, type=0, doorbell=4100, to=1
          <idle>-0       [002] d.h1.   100.705000: dma_fence_signaled: driver=amdgpu_userq_fence timeline=game context=700 seqno=2
            game-1200    [001] .....   100.800000: amdgpu_userq_destroy_start: queue=00000000aabbccdd, doorbell=4100, type=0, state=1, xcp_id=0
            game-1200    [001] .....   100.800050: amdgpu_userq_state_changed: client_id=7, type=0, doorbell=4100, to=0
            game-1200    [001] .....   100.800100: amdgpu_userq_destroy_end: queue=00000000aabbccdd, doorbell=4100, type=0, state=0, xcp_id=0, result=0
TRACE
on err check "a trace of a queue" 0 '4 amdgpu_userq_state_changed.*; 5 others are left out' \
	"$grtrace" import -o userq userq.txt
run "$grparse" -q -f '%a %r %x:%S %m\n' userq
cp out lines
has "is on from its creation" lines "QS userq_gfx_4100 0:0 on created, client 7"
has "is evicted" lines "QS userq_gfx_4100 700:0 off evicted, client 7"
has "comes back" lines "QS userq_gfx_4100 700:0 on restored, client 7"
has "is destroyed" lines "QS userq_gfx_4100 700:0 off destroyed, client 7"
check "all of it on one ring, of one device" 0 '^1$' \
	sh -c "\"$grparse\" -q -a qs,q -f '%M %r\n' userq | sort -u | wc -l"
check "grparse counts them" 0 'Queue states: +4$' "$grparse" -s userq
check "and has no line where there are none" 1 '' \
	sh -c "\"$grparse\" -s -D \"$here/../captures/mock-7.3\" x | grep -q 'Queue states'"
check "by letter" 0 '^QS$' sh -c "\"$grparse\" -q -a qs -f '%a\n' userq | sort -u"
check "by name" 0 '^QS$' sh -c "\"$grparse\" -q -a queue_state -f '%a\n' userq | sort -u"
check "blktrace's queue is still a SUBMIT" 0 '^Q$' sh -c "\"$grparse\" -q -a queue -f '%a\n' userq | sort -u"
check "verify has no fault to find" 0 '' "$grtrace" verify userq

# --- a job waits for a fence of nvidia.ko
cat > nv.txt <<'TRACE'
# tracer: nop
            Xorg-1200    [001] .....   100.000000: drm_sched_job_queue: dev=0000:71:00.0, fence=264:10, ring=gfx_0.0.0, job count:0, hw job count:0, client_id:7
     kworker/1:2-90      [001] .....   100.000010: drm_sched_job_run: dev=0000:71:00.0, fence=264:10, ring=gfx_0.0.0, job count:0, hw job count:1, client_id:7
          <idle>-0       [002] d.h1.   100.002000: dma_fence_signaled: driver=amdgpu timeline=gfx_0.0.0 context=3 seqno=54
          <idle>-0       [002] d.h1.   100.002002: drm_sched_job_done: fence=264:10 signaled
          <idle>-0       [002] d.h1.   100.002003: dma_fence_signaled: driver=drm_sched timeline=gfx_0.0.0 context=264 seqno=10
   kworker/u64:3-252     [004] .....   100.010000: dma_fence_wait_start: driver=nvidia timeline=nvidia.prime:ce43 context=9001 seqno=77
            Xorg-1200    [001] .....   100.020000: drm_sched_job_queue: dev=0000:71:00.0, fence=264:11, ring=gfx_0.0.0, job count:0, hw job count:0, client_id:7
            Xorg-1200    [001] .....   100.020001: drm_sched_job_add_dep: fence=264:11 depends on fence=9001:77
     kworker/1:2-90      [001] .....   100.020005: drm_sched_job_unschedulable: fence=264:11 depends on unsignalled fence=9001:77
          <idle>-0       [003] d.h1.   101.220000: dma_fence_signaled: driver=nvidia timeline=nvidia.prime:ce43 context=9001 seqno=77
   kworker/u64:3-252     [004] .....   101.220100: dma_fence_wait_end: driver=nvidia timeline=nvidia.prime:ce43 context=9001 seqno=77
     kworker/1:2-90      [001] .....   101.220110: drm_sched_job_run: dev=0000:71:00.0, fence=264:11, ring=gfx_0.0.0, job count:0, hw job count:1, client_id:7
          <idle>-0       [002] d.h1.   101.222000: dma_fence_signaled: driver=amdgpu timeline=gfx_0.0.0 context=3 seqno=55
          <idle>-0       [002] d.h1.   101.222002: drm_sched_job_done: fence=264:11 signaled
          <idle>-0       [002] d.h1.   101.222003: dma_fence_signaled: driver=drm_sched timeline=gfx_0.0.0 context=264 seqno=11
TRACE
run "$grtrace" import -o nv nv.txt
check "says whose fence it was" 0 '^#1 Foreign fence  +1 job on gfx_0\.0\.0 waited 1\.20 s for fences of driver$' \
	"$grtrace" report nv
check "with its timeline" 0 ' nvidia \(nvidia\.prime:ce43\), which are' "$grtrace" report nv
check "and no longer that nothing is known" 1 '' sh -c "\"$grtrace\" report nv | grep -q 'No record shows'"
check "before the wait, on its CPU" 0 '^4 mT 4 FN 4 WE 4 WX $' \
	sh -c "\"$grparse\" -v -q -f '%c %a\n' nv | grep '^4' | tr '\n' ' '"
check "on another CPU before the dependency, once" 0 ' DP UN ' \
	sh -c "\"$grparse\" -v -q -f '%c %a\n' nv | sed -n 's/^1 //p' | tr '\n' ' '"
check "not as text, unless one asks" 1 '' sh -c "\"$grparse\" nv | grep -q ' FN '"
check "the kernel's own text has the names again" 0 \
	'dma_fence_wait_start: driver=nvidia timeline=nvidia.prime:ce43 context=9001 seqno=77$' \
	"$grtrace" export --to text nv

# --- the same in other programs
"$synth" "$fixtures/queues.txt" queues
check "CTF declares both" 0 'queue_state' sh -c "\"$grtrace\" export --to ctf -o ctf queues &&
	grep -q 'enum queue_reason reason' ctf/*/metadata && grep -o 'queue_state' ctf/*/metadata"
check "Perfetto has an instant" 0 'off: evicted' \
	sh -c "\"$grtrace\" export --to perfetto -o queues.pftrace queues && grep -ao 'off: evicted' queues.pftrace"
check "text has the state" 0 'grtrace_queue_state: .*, state=off, reason=evicted, client=7$' \
	"$grtrace" export --to text queues
if has_program "SQLite" sqlite3; then
	run "$grtrace" export --to sqlite -o queues.db queues
	check "a table of names" 0 '^9001\|nvidia\|nvidia\.prime:ce43$' \
		sqlite3 queues.db 'SELECT ctx, driver, timeline FROM fence_name ORDER BY ctx'
	check "rows of states" 0 '^1\|on\|created\|7$' \
		sqlite3 queues.db "SELECT ring, state, reason, client FROM event_row WHERE letter = 'QS'"
	check "also of one that means nothing" 0 '^1\|\?\|\?\|$' \
		sqlite3 queues.db "SELECT ring, state, reason, client FROM event_row WHERE letter = 'QS'"
	check "as notes" 0 '^nvidia\|nvidia\.prime:ce43$' \
		sqlite3 queues.db "SELECT driver, timeline FROM event_row WHERE type = 'fence_name'"
	check "the fence that a job waited for has a name" 0 '^264\|11\|nvidia$' sqlite3 queues.db \
		"SELECT wait.ctx, seqno, driver FROM wait JOIN fence_name
		 ON fence_name.ctx = fence_ctx WHERE who = 'job'"
fi
check "and a merge keeps them apart" 0 '^2$' sh -c "\"$grtrace\" import -q -o guest nv.txt && \"$grtrace\" merge -o both --clock-offset guest=0 nv vm=guest 2> err &&
	\"$grparse\" -v -q -f '%a %x\n' both | grep FN | sort -u | wc -l"
finish
