// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a hook where it runs. A file in debugfs for each case
 * and context: reading grtrace_bench/<context>/<case> runs it and prints what
 * it took. The configuration, and what else is attached, is user space's
 * business.
 *
 *	case CASE context CONTEXT unit UNIT events N batches N min N sum N max N
 *
 * N events in each batch; min, sum and max are over the batches, of the whole
 * batch. Interrupts come as they like, so the least of many batches is the cost
 * of the code alone, and the sum has all there is.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>

#include "bench.h"
#include "bench_buffers.h"

/* as many as threads that may write at once, see bench_drive.c */
#define BENCH_LOADS	64
#define BENCH_ROUNDS_MAX	100000

bool grtrace_bench_cycles;
module_param_named(cycles, grtrace_bench_cycles, bool, 0444);
MODULE_PARM_DESC(cycles, "count processor cycles, not nanoseconds");

enum bench_context {
	BENCH_TASK,
	BENCH_SOFTIRQ,
	BENCH_HARDIRQ,
	BENCH_CONTEXTS,
};

static const char * const bench_context_names[] = { "task", "softirq", "hardirq" };

static_assert(ARRAY_SIZE(bench_context_names) == BENCH_CONTEXTS);

/* One batch, and the ways to interrupts that it takes. */
static struct {
	const struct grtrace_bench_case *test;
	u32 rounds;
	u64 took;
	struct irq_work work;
	struct timer_list timer;
	struct completion done;
} bench_batch;

static DEFINE_MUTEX(bench_lock);	/* also load 0 of bench_batch */
static struct grtrace_bench_load bench_loads[BENCH_LOADS];
static struct platform_device *bench_device;
static struct dentry *bench_dir;
static u32 bench_rounds = 1000;
static u32 bench_batches = 20;

/**
 * grtrace_bench_load - what a thread makes events of
 * @number: which thread
 */
struct grtrace_bench_load *grtrace_bench_load(unsigned int number)
{
	return &bench_loads[number % BENCH_LOADS];
}

/* ------------------------------------------------------------- batches */

static void bench_batch_here(void)
{
	bench_batch.took = bench_batch.test->run(&bench_loads[0], bench_batch.rounds);
	complete(&bench_batch.done);
}

static void bench_batch_hardirq(struct irq_work *work)
{
	bench_batch_here();
}

static void bench_batch_softirq(struct timer_list *timer)
{
	bench_batch_here();
}

static u64 bench_batch_run(const struct grtrace_bench_case *test,
			   enum bench_context context, u32 rounds)
{
	bench_batch.test = test;
	bench_batch.rounds = rounds;
	reinit_completion(&bench_batch.done);
	switch (context) {
	case BENCH_HARDIRQ:
		irq_work_queue(&bench_batch.work);
		break;
	case BENCH_SOFTIRQ:
		mod_timer(&bench_batch.timer, jiffies + 1);
		break;
	default:
		bench_batch_here();
	}
	wait_for_completion(&bench_batch.done);
	return bench_batch.took;
}

static int bench_run_show(struct seq_file *m, enum bench_context context)
{
	const struct grtrace_bench_case *test = m->private;
	u64 took, min = U64_MAX, max = 0, sum = 0;
	/* read once, because they may be written at any time */
	u32 rounds = READ_ONCE(bench_rounds), batches = READ_ONCE(bench_batches);
	u32 i;

	if (!rounds || rounds > BENCH_ROUNDS_MAX || !batches)
		return -ERANGE;
	guard(mutex)(&bench_lock);
	/* the first is not counted: names are recorded, caches filled */
	bench_batch_run(test, context, rounds);
	for (i = 0; i < batches; i++) {
		took = bench_batch_run(test, context, rounds);
		min = min(min, took);
		max = max(max, took);
		sum += took;
		cond_resched();
		if (signal_pending(current))
			return -EINTR;
	}
	seq_printf(m, "case %s context %s unit %s events %u batches %u min %llu sum %llu max %llu\n",
		   test->name, bench_context_names[context],
		   grtrace_bench_cycles ? "cycles" : "ns",
		   rounds * test->events, batches, min, sum, max);
	return 0;
}

static int bench_task_show(struct seq_file *m, void *data)
{
	return bench_run_show(m, BENCH_TASK);
}
DEFINE_SHOW_ATTRIBUTE(bench_task);

static int bench_softirq_show(struct seq_file *m, void *data)
{
	return bench_run_show(m, BENCH_SOFTIRQ);
}
DEFINE_SHOW_ATTRIBUTE(bench_softirq);

static int bench_hardirq_show(struct seq_file *m, void *data)
{
	return bench_run_show(m, BENCH_HARDIRQ);
}
DEFINE_SHOW_ATTRIBUTE(bench_hardirq);

static const struct file_operations * const bench_context_fops[] = {
	&bench_task_fops, &bench_softirq_fops, &bench_hardirq_fops,
};

/* -------------------------------------------------------------- module */

static void bench_load_init(struct grtrace_bench_load *load, unsigned int n)
{
	snprintf(load->name, sizeof(load->name), "gfx_0.0.%u", n);
	load->job = (struct grtrace_job) {
		.ctx = 1000 + n,
		.fence_ctx = 2000 + n,
		.fence_seqno = 1,
	};
	load->fence = (struct grtrace_bench_fence) {
		.context = 1000 + n,
		.seqno = 1,
		.drm_client_id = 1,
	};
	load->sched.name = load->name;
	load->sched.dev = &bench_device->dev;
	load->sched_job.sched = &load->sched;
	load->sched_job.s_fence = &load->fence;
}

static void bench_files_create(void)
{
	const struct grtrace_bench_case *test;
	struct dentry *dir;
	unsigned int i;

	bench_dir = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_u32("rounds", 0600, bench_dir, &bench_rounds);
	debugfs_create_u32("batches", 0600, bench_dir, &bench_batches);
	for (i = 0; i < BENCH_CONTEXTS; i++) {
		dir = debugfs_create_dir(bench_context_names[i], bench_dir);
		for (test = grtrace_bench_cases; test->name; test++)
			debugfs_create_file(test->name, 0400, dir, (void *)test,
					    bench_context_fops[i]);
	}
	grtrace_bench_drive_init(bench_dir);
}

static int __init bench_init(void)
{
	unsigned int i;
	int ret;

	ret = grtrace_bench_buffers_init();
	if (ret)
		goto err_buffers;
	/* has a name like a GPU's, because tracepoints copy the name */
	bench_device = platform_device_register_simple("0000:03:00.0",
						       PLATFORM_DEVID_NONE,
						       NULL, 0);
	ret = PTR_ERR_OR_ZERO(bench_device);
	if (ret)
		goto err_buffers;
	init_completion(&bench_batch.done);
	bench_batch.work = IRQ_WORK_INIT_HARD(bench_batch_hardirq);
	timer_setup(&bench_batch.timer, bench_batch_softirq, 0);
	for (i = 0; i < BENCH_LOADS; i++)
		bench_load_init(&bench_loads[i], i);
	bench_files_create();
	return 0;

err_buffers:
	grtrace_bench_buffers_exit();
	return ret;
}

static void __exit bench_exit(void)
{
	debugfs_remove(bench_dir);
	timer_shutdown_sync(&bench_batch.timer);
	irq_work_sync(&bench_batch.work);
	tracepoint_synchronize_unregister();
	platform_device_unregister(bench_device);
	grtrace_bench_buffers_exit();
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("grtrace: microbenchmarks of the hooks");
MODULE_LICENSE("GPL");
