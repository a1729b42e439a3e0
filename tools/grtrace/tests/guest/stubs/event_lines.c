// SPDX-License-Identifier: GPL-2.0
/*
 * event_stub: trace events of GPU drivers without the drivers, for tests of what
 * reads them.  A line that is written to debugfs, event_stub/emit, is one event,
 * in the context of who writes it: its name, a word for its text where it has one,
 * and its numbers.
 *
 *	i915_gem_object_create OBJ SIZE
 *	amdgpu_cs_ioctl gfx_0.0.0 CONTEXT SEQNO [IBS]
 *
 * Numbers in brackets are optional, the last ones first, and default to 0.
 * i915_request CLASS INSTANCE is a whole request with a fence of its own: added,
 * waited for and, in an interrupt, signalled.  amdgpu_jobs RING COUNT are whole jobs
 * of amdgpu, which pass the DRM scheduler of this kernel; amdgpu_hold RING lets them
 * wait there until amdgpu_release RING, amdgpu_wait RING waits until all are done.
 *
 * It must not meet the drivers themselves, whose events have these names.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/dma-fence.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "event_jobs.h"

#define CREATE_TRACE_POINTS
#include "i915_stub_trace.h"
#include "amdgpu_stub_trace.h"
#include "nvidia_stub_trace.h"

#define STUB_NUMBERS	6
#define STUB_BYTES	SZ_64K

struct stub_line {
	const char *text;
	u64 n[STUB_NUMBERS];
};

struct stub_event {
	const char *name;
	bool has_text;
	int numbers;	/* that a line has at least; others are 0 */
	int optional;
	void (*emit)(const struct stub_line *line);
};

static struct dentry *stub_folder;

/* ------------------------------------------------------------ i915's requests */

struct stub_request {
	struct dma_fence fence;
	struct irq_work interrupt;
	struct completion signalled;
};

static const char *stub_driver_name(struct dma_fence *fence)
{
	return "i915";
}

static const char *stub_timeline_name(struct dma_fence *fence)
{
	return "event_stub";
}

static const struct dma_fence_ops stub_fence_ops = {
	.get_driver_name = stub_driver_name,
	.get_timeline_name = stub_timeline_name,
};

static DEFINE_SPINLOCK(stub_lock);	/* fences are signalled under it */
static DEFINE_MUTEX(stub_mutex);	/* the order of the seqnos */
static u64 stub_context;
static u64 stub_seqno;

static void stub_signal(struct irq_work *work)
{
	struct stub_request *request = container_of(work, struct stub_request, interrupt);

	dma_fence_signal(&request->fence);
	complete(&request->signalled);
}

/* The last reference frees the fence, with kfree_rcu(): it comes first. */
static void emit_request(const struct stub_line *line)
{
	struct stub_request *request = kzalloc(sizeof(*request), GFP_KERNEL);
	u64 seqno;

	if (!request)
		return;
	init_irq_work(&request->interrupt, stub_signal);
	init_completion(&request->signalled);
	mutex_lock(&stub_mutex);
	seqno = ++stub_seqno;
	dma_fence_init(&request->fence, &stub_fence_ops, &stub_lock, stub_context, seqno);
	trace_i915_request_add(stub_context, line->n[0], line->n[1], seqno);
	trace_i915_request_wait_begin(stub_context, line->n[0], line->n[1], seqno);
	irq_work_queue(&request->interrupt);
	wait_for_completion(&request->signalled);
	irq_work_sync(&request->interrupt);
	trace_i915_request_wait_end(stub_context, line->n[0], line->n[1], seqno);
	mutex_unlock(&stub_mutex);
	dma_fence_put(&request->fence);
}

/* --------------------------------------------------------------- other events */

static void emit_create(const struct stub_line *line)
{
	trace_i915_gem_object_create(line->n[0], line->n[1]);
}

static void emit_destroy(const struct stub_line *line)
{
	trace_i915_gem_object_destroy(line->n[0]);
}

static void emit_bind(const struct stub_line *line)
{
	trace_i915_vma_bind(line->n[0], line->n[1], line->n[2], line->n[3], line->n[4]);
}

static void emit_unbind(const struct stub_line *line)
{
	trace_i915_vma_unbind(line->n[0], line->n[1], line->n[2], line->n[3]);
}

static void emit_fault(const struct stub_line *line)
{
	trace_i915_gem_object_fault(line->n[0], line->n[1], line->n[2], line->n[3]);
}

static void emit_shrink(const struct stub_line *line)
{
	trace_i915_gem_shrink(line->n[0], line->n[1]);
}

static void emit_evict(const struct stub_line *line)
{
	trace_i915_gem_evict(line->n[0], line->n[1], line->n[2], line->n[3]);
}

static void emit_cs_ioctl(const struct stub_line *line)
{
	trace_amdgpu_cs_ioctl(line->text, line->n[0], line->n[1], line->n[2]);
}

static void emit_run_job(const struct stub_line *line)
{
	trace_amdgpu_sched_run_job(line->text, line->n[0], line->n[1]);
}

static void emit_bo_create(const struct stub_line *line)
{
	trace_amdgpu_bo_create(line->n[0], line->n[1], line->n[2], line->n[3], line->n[4],
			       line->n[5]);
}

static void emit_bo_move(const struct stub_line *line)
{
	trace_amdgpu_bo_move(line->n[0], line->n[1], line->n[2], line->n[3]);
}

static void emit_iv(const struct stub_line *line)
{
	trace_amdgpu_iv(line->n[0], line->n[1], line->n[2], line->n[3], line->n[4]);
}

static void emit_vm_flush(const struct stub_line *line)
{
	trace_amdgpu_vm_flush(line->text, line->n[0]);
}

static void emit_xid(const struct stub_line *line)
{
	trace_nvidia_dev_xid("0000:01:00", line->n[0], line->text);
}

static void emit_jobs(const struct stub_line *line)
{
	stub_jobs_push(line->text, line->n[0]);
}

static void emit_hold(const struct stub_line *line)
{
	stub_jobs_hold(line->text, true);
}

static void emit_release(const struct stub_line *line)
{
	stub_jobs_hold(line->text, false);
}

static void emit_wait(const struct stub_line *line)
{
	stub_jobs_wait(line->text);
}

#ifdef STUB_USER_QUEUES
static void emit_userq_fence(const struct stub_line *line)
{
	stub_userq_fence(line->n[0], line->n[1]);
}

static void emit_userq_state(const struct stub_line *line)
{
	trace_amdgpu_userq_state_changed(line->n[0], line->n[1], line->n[2]);
}

static void emit_userq_destroy(const struct stub_line *line)
{
	trace_amdgpu_userq_destroy_end(line->n[0], line->n[1]);
}
#endif

static const struct stub_event stub_events[] = {
	{ "i915_gem_object_create", false, 2, 0, emit_create },
	{ "i915_gem_object_destroy", false, 1, 0, emit_destroy },
	{ "i915_vma_bind", false, 2, 3, emit_bind },
	{ "i915_vma_unbind", false, 2, 2, emit_unbind },
	{ "i915_gem_object_fault", false, 2, 2, emit_fault },
	{ "i915_gem_shrink", false, 1, 1, emit_shrink },
	{ "i915_gem_evict", false, 1, 3, emit_evict },
	{ "i915_request", false, 2, 0, emit_request },
	{ "amdgpu_cs_ioctl", true, 2, 1, emit_cs_ioctl },
	{ "amdgpu_sched_run_job", true, 2, 0, emit_run_job },
	{ "amdgpu_bo_create", false, 2, 4, emit_bo_create },
	{ "amdgpu_bo_move", false, 4, 0, emit_bo_move },
	{ "amdgpu_iv", false, 2, 3, emit_iv },
	{ "amdgpu_vm_flush", true, 1, 0, emit_vm_flush },
	{ "amdgpu_jobs", true, 1, 0, emit_jobs },
	{ "amdgpu_hold", true, 0, 0, emit_hold },
	{ "amdgpu_release", true, 0, 0, emit_release },
	{ "amdgpu_wait", true, 0, 0, emit_wait },
#ifdef STUB_USER_QUEUES
	{ "amdgpu_userq_fence", false, 2, 0, emit_userq_fence },
	{ "amdgpu_userq_state_changed", false, 3, 0, emit_userq_state },
	{ "amdgpu_userq_destroy_end", false, 2, 0, emit_userq_destroy },
#endif
	{ "nvidia_dev_xid", true, 1, 0, emit_xid },
};

/* ----------------------------------------------------------------------- lines */

static int stub_emit(char *text)
{
	const char *name = strsep(&text, " ");
	const struct stub_event *event = stub_events;
	struct stub_line line = {};
	int i;

	while (event < stub_events + ARRAY_SIZE(stub_events) && strcmp(event->name, name))
		event++;
	if (event == stub_events + ARRAY_SIZE(stub_events))
		return -ENOENT;
	if (event->has_text)
		line.text = strsep(&text, " ");
	if (event->has_text && !line.text)
		return -EINVAL;
	for (i = 0; i < event->numbers + event->optional; i++) {
		const char *number = strsep(&text, " ");

		if (!number && i >= event->numbers)
			break;
		if (!number || kstrtou64(number, 0, &line.n[i]))
			return -EINVAL;
	}
	if (text)
		return -EINVAL;
	event->emit(&line);
	return 0;
}

static ssize_t emit_write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	char *all, *rest, *line;
	int ret = 0;

	if (count > STUB_BYTES)
		return -E2BIG;
	all = memdup_user_nul(from, count);
	if (IS_ERR(all))
		return PTR_ERR(all);
	rest = all;
	while (!ret && (line = strsep(&rest, "\n"))) {
		if (*line)
			ret = stub_emit(line);
	}
	kfree(all);
	return ret ?: count;
}

static const struct file_operations emit_fops = {
	.owner = THIS_MODULE,
	.write = emit_write,
};

static int __init stub_init(void)
{
	int ret = stub_jobs_init();

	if (ret)
		return ret;
	stub_context = dma_fence_context_alloc(1);
	stub_folder = debugfs_create_dir("event_stub", NULL);
	debugfs_create_file("emit", 0200, stub_folder, NULL, &emit_fops);
	return 0;
}

static void __exit stub_exit(void)
{
	debugfs_remove_recursive(stub_folder);
	stub_jobs_exit();
	/* a fence's freeing by RCU needs none of this module, its names do */
	synchronize_rcu();
}

module_init(stub_init);
module_exit(stub_exit);
MODULE_DESCRIPTION("Trace events of GPU drivers, for tests of their readers");
MODULE_LICENSE("GPL");
