// SPDX-License-Identifier: GPL-2.0
/*
 * DRM ioctls and waits for fences, with who made them.
 *
 * The ioctls are seen in drm_ioctl() itself, which all drivers call. The
 * syscalls' tracepoints would slow down every syscall of the system, and do not
 * tell of 32-bit programs at all.
 *
 * Kprobes, and not the cheaper fentry and fexit: the kernel does not run a program
 * of that kind on a CPU where the scheduler has interrupted the same one, and since
 * it may preempt itself everywhere (7.0), every twentieth call went missing on a
 * busy machine. A kprobe's program is not interrupted by another task.
 */
#include <linux/bpf.h>
#include <linux/ioctl.h>
#include <linux/ptrace.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "annotate.h"
#include "kernel_types.h"

/* Set before loading. */
const volatile bool some_tasks = false;	/* those in the map, not all */

struct call {
	__u64 ts;
	unsigned long arg;
	struct file *file;
	__u32 cmd;
};

/* A wait may be made of others: the outermost counts. */
struct wait {
	__u64 ctx;
	__u64 seqno;
	__u32 depth;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22);
} records SEC(".maps");

/* Set before loading: bytes in the buffer from which on the reader is woken. */
const volatile __u64 wake_at = 1 << 20;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct annotate_counts);
} counts SEC(".maps");

/* Tasks that are in an ioctl, by thread id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct call);
} calls SEC(".maps");

/* Tasks that wait, by thread id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct wait);
} waits SEC(".maps");

/* Threads and processes that are wanted. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, __u8);
} tasks SEC(".maps");

static bool is_wanted(void)
{
	__u64 id = bpf_get_current_pid_tgid();
	__u32 tid = id;
	__u32 tgid = id >> 32;

	return !some_tasks || bpf_map_lookup_elem(&tasks, &tid) ||
	       bpf_map_lookup_elem(&tasks, &tgid);
}

static void fill_head(struct annotate_head *head, __u32 kind)
{
	__u64 id = bpf_get_current_pid_tgid();

	head->ts = bpf_ktime_get_ns();
	head->kind = kind;
	head->cpu = bpf_get_smp_processor_id();
	head->tid = id;
	head->tgid = id >> 32;
	head->cgroup = bpf_get_current_cgroup_id();
	bpf_get_current_comm(head->comm, sizeof(head->comm));
}

/* The reader comes by itself every now and then: no need to wake it each time. */
static __u64 wakeup(void)
{
	return bpf_ringbuf_query(&records, BPF_RB_AVAIL_DATA) >= wake_at ?
		       BPF_RB_FORCE_WAKEUP :
		       BPF_RB_NO_WAKEUP;
}

static struct annotate_counts *my_counts(void)
{
	__u32 key = 0;

	return bpf_map_lookup_elem(&counts, &key);
}

static void count_loss(void)
{
	struct annotate_counts *mine = my_counts();
	__u64 now = bpf_ktime_get_ns();

	if (!mine)
		return;
	if (!mine->loss.records)
		mine->loss.first_ts = now;
	mine->loss.records++;
	mine->loss.last_ts = now;
}

/* What this CPU has lost stands before what it writes next. */
static void tell_loss(void)
{
	struct annotate_counts *mine = my_counts();
	struct annotate_lost *lost;

	if (!mine || !mine->loss.records)
		return;
	lost = bpf_ringbuf_reserve(&records, sizeof(*lost), 0);
	if (!lost)
		return;
	fill_head(&lost->head, ANNOTATE_LOST);
	lost->loss = mine->loss;
	mine->loss.records = 0;
	bpf_ringbuf_submit(lost, wakeup());
}

SEC("kprobe/drm_ioctl")
int BPF_KPROBE(enter_ioctl, struct file *file, unsigned int cmd,
	       unsigned long arg)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call call = {
		.ts = bpf_ktime_get_ns(),
		.arg = arg,
		.file = file,
		.cmd = cmd,
	};

	if (!is_wanted())
		return 0;
	if (bpf_map_update_elem(&calls, &tid, &call, BPF_ANY)) {
		struct annotate_counts *mine = my_counts();

		if (mine)
			mine->crowded++;
		count_loss();
	}
	return 0;
}

static void fill_ioctl(struct annotate_ioctl *out, const struct call *call)
{
	struct file *file = call->file;
	struct drm_file *drm = BPF_CORE_READ(file, private_data);
	struct drm_minor *minor = BPF_CORE_READ(drm, minor);
	const char *driver = BPF_CORE_READ(minor, dev, driver, name);
	__u32 size = _IOC_SIZE(call->cmd);

	out->cmd = call->cmd;
	out->minor = BPF_CORE_READ(minor, index);
	if (bpf_probe_read_kernel_str(out->driver, sizeof(out->driver),
				      driver) < 0)
		out->driver[0] = 0;
	if (size > sizeof(out->argument))
		size = sizeof(out->argument);
	out->pad = 0;
	out->argument_size = size;
	if (bpf_probe_read_user(out->argument, size, (void *)call->arg))
		out->argument_size = 0;
}

SEC("kretprobe/drm_ioctl")
int BPF_KRETPROBE(exit_ioctl, long result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call *found = bpf_map_lookup_elem(&calls, &tid);
	struct annotate_ioctl *out;
	struct call call;

	if (!found) {
		struct annotate_counts *mine = my_counts();

		if (mine && is_wanted())
			mine->unpaired++;
		return 0;
	}
	call = *found;
	bpf_map_delete_elem(&calls, &tid);
	tell_loss();
	out = bpf_ringbuf_reserve(&records, sizeof(*out), 0);
	if (!out) {
		count_loss();
		return 0;
	}
	fill_head(&out->head, ANNOTATE_IOCTL);
	out->duration = out->head.ts - call.ts;
	out->result = result;
	fill_ioctl(out, &call);
	bpf_ringbuf_submit(out, wakeup());
	return 0;
}

static void tell_wait(__u64 ctx, __u64 seqno, long result, __u32 kind)
{
	struct annotate_wait *out;

	tell_loss();
	out = bpf_ringbuf_reserve(&records, sizeof(*out), 0);
	if (!out) {
		count_loss();
		return;
	}
	fill_head(&out->head, kind);
	out->ctx = ctx;
	out->seqno = seqno;
	out->result = result;
	bpf_ringbuf_submit(out, wakeup());
}

SEC("kprobe/dma_fence_wait_timeout")
int BPF_KPROBE(enter_wait, struct dma_fence *fence)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct wait *outer = bpf_map_lookup_elem(&waits, &tid);
	struct wait wait = {
		.ctx = BPF_CORE_READ(fence, context),
		.seqno = BPF_CORE_READ(fence, seqno),
	};

	if (outer) {
		outer->depth++;
		return 0;
	}
	if (!is_wanted())
		return 0;
	if (bpf_map_update_elem(&waits, &tid, &wait, BPF_ANY)) {
		count_loss();
		return 0;
	}
	tell_wait(wait.ctx, wait.seqno, 0, ANNOTATE_WAIT_ENTER);
	return 0;
}

SEC("kretprobe/dma_fence_wait_timeout")
int BPF_KRETPROBE(exit_wait, long result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct wait *wait = bpf_map_lookup_elem(&waits, &tid);

	if (!wait)
		return 0;
	if (wait->depth) {
		wait->depth--;
		return 0;
	}
	tell_wait(wait->ctx, wait->seqno, result, ANNOTATE_WAIT_EXIT);
	bpf_map_delete_elem(&waits, &tid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
