# SPDX-License-Identifier: GPL-2.0
#
# The text of a trace with that many events (-v events=N): six of a kernel from 6.17 on
# for each job, as /sys/kernel/tracing/trace prints them.
function line(cpu, task, us, text) {
	printf "%16s [%03d] %s %5d.%06d: %s\n", task, cpu, task ~ /idle/ ? "d.h2." : ".....", 10 + int(us / 1e6), us % 1e6, text
}
BEGIN {
	for (job = 1; job <= events / 6; job++) {
		us = job * 20; ctx = 10 + 2 * (job % 8); seqno = int(job / 8) + 1; cpu = job % 8
		what = sprintf("dev=0000:03:00.0, fence=%d:%d, ring=gfx_0.0.0, job count:1, hw job count:0, client_id:%d", ctx + 1, seqno, 5 + job % 4)
		line(cpu, "game-" (100 + job % 4), us, "drm_sched_job_queue: " what)
		line(cpu, "kworker/u16:1-77", us + 4, "drm_sched_job_run: " what)
		line(cpu, "kworker/u16:1-77", us + 5, sprintf("dma_fence_signaled: driver=drm_sched timeline=gfx_0.0.0 context=%d seqno=%d", ctx, seqno))
		line(cpu, "<idle>-0", us + 15, sprintf("dma_fence_signaled: driver=amdgpu timeline=gfx_0.0.0 context=3 seqno=%d", job))
		line(cpu, "<idle>-0", us + 15, sprintf("drm_sched_job_done: fence=%d:%d signaled", ctx + 1, seqno))
		line(cpu, "<idle>-0", us + 16, sprintf("dma_fence_signaled: driver=drm_sched timeline=gfx_0.0.0 context=%d seqno=%d", ctx + 1, seqno))
	}
}
