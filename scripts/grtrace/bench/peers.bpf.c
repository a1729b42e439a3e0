// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs on the benchmark's tracepoint. Each stores what a record of grtrace's
 * holds and a tracepoint has: time, task, context, seqno; 32 bytes. They copy no
 * strings, and no reader is woken for a record.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} records SEC(".maps");

struct record {
	__u64 time;
	__u64 task;
	__u64 context;
	__u64 seqno;
};

/* As grtrace_bench_job_run/format has it. */
struct job_run {
	__u64 common;
	__u32 name;
	__u32 job_count;
	__s32 hw_job_count;
	__u32 dev;
	__u64 fence_context;
	__u64 fence_seqno;
	__u64 client_id;
};

static __always_inline struct record *begin(void)
{
	struct record *record = bpf_ringbuf_reserve(&records, sizeof(*record), 0);

	if (record) {
		record->time = bpf_ktime_get_ns();
		record->task = bpf_get_current_pid_tgid();
	}
	return record;
}

SEC("tp/grtrace_bench/grtrace_bench_job_run")
int bpf(struct job_run *event)
{
	struct record *record = begin();

	if (!record)
		return 0;
	record->context = event->fence_context;
	record->seqno = event->fence_seqno;
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("raw_tp/grtrace_bench_job_run")
int bpf_raw(struct bpf_raw_tracepoint_args *event)
{
	struct record *record = begin();
	void *fence = NULL;

	if (!record)
		return 0;
	/* The job is the first argument, its fence is first in that; see bench.h. */
	bpf_probe_read_kernel(&fence, sizeof(fence), (void *)event->args[0]);
	bpf_probe_read_kernel(&record->context, 2 * sizeof(__u64), fence);
	bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
