// SPDX-License-Identifier: GPL-2.0
/*
 * Events from several CPUs at once, as fast as they can or at a given rate. A
 * file in debugfs for each case: reading grtrace_bench/drive/<case> runs @cpus
 * threads, each on a CPU of its own, for @ms milliseconds and prints
 *
 *	case CASE cpus N rate N events N ns N
 *
 * how many events there were, and in what time. A load with a rate has the right
 * of way, as interrupts have: a reader gets what time is left.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "bench.h"

/* rounds between two looks at the clock */
#define DRIVE_BATCH	64
/* a thread with a rate sleeps between bursts, for as long as a job of a GPU takes */
#define DRIVE_SLEEP_US	500

struct drive_thread {
	const struct grtrace_bench_case *test;
	struct grtrace_bench_load *load;
	struct task_struct *task;
	u32 rate;
	u64 begin;
	u64 end;
	u64 rounds;
};

static DEFINE_MUTEX(drive_lock);	/* grtrace_bench_load() of all threads */
/* Files may set them at any time, so each run reads them once. */
static u32 drive_cpus = 1;
static u32 drive_ms = 1000;
static u32 drive_rate;			/* events per second and CPU; 0: as many as possible */

static void drive_full(struct drive_thread *thread)
{
	while (ktime_get_ns() < thread->end) {
		thread->test->run(thread->load, DRIVE_BATCH);
		thread->rounds += DRIVE_BATCH;
		cond_resched();
	}
}

/* Returns how many events are due at a time; a thread that is late catches up. */
static u64 drive_due(const struct drive_thread *thread, u64 now)
{
	u64 us = div_u64(min(now, thread->end) - thread->begin, NSEC_PER_USEC);

	return div_u64(us * thread->rate, USEC_PER_SEC * thread->test->events);
}

static void drive_paced(struct drive_thread *thread)
{
	u64 now, due;

	do {
		usleep_range(DRIVE_SLEEP_US, 2 * DRIVE_SLEEP_US);
		now = ktime_get_ns();
		due = drive_due(thread, now);
		while (thread->rounds < due && ktime_get_ns() < thread->end) {
			u32 rounds = min_t(u64, due - thread->rounds, DRIVE_BATCH);

			thread->test->run(thread->load, rounds);
			thread->rounds += rounds;
			cond_resched();
		}
	} while (now < thread->end);
}

static int drive_thread(void *data)
{
	struct drive_thread *thread = data;

	while (ktime_get_ns() < thread->begin)
		usleep_range(50, 100);
	if (thread->rate)
		drive_paced(thread);
	else
		drive_full(thread);
	/* until it is asked to stop, because its struct belongs to the asking task */
	while (!kthread_should_stop())
		usleep_range(500, 1000);
	return 0;
}

/* Starts a thread on each of the first @cpus CPUs, as described by @model. */
static int drive_start(struct drive_thread *threads, unsigned int cpus,
		       const struct drive_thread *model)
{
	unsigned int cpu, i = 0;

	for_each_online_cpu(cpu) {
		struct drive_thread *thread = &threads[i];

		if (i == cpus)
			break;
		*thread = *model;
		thread->load = grtrace_bench_load(i);
		thread->task = kthread_create(drive_thread, thread,
					      "grtrace_bench/%u", cpu);
		if (IS_ERR(thread->task)) {
			int ret = PTR_ERR(thread->task);

			thread->task = NULL;
			return ret;
		}
		kthread_bind(thread->task, cpu);
		if (thread->rate)
			sched_set_fifo_low(thread->task);
		wake_up_process(thread->task);
		i++;
	}
	return i == cpus ? 0 : -ENODEV;
}

static int drive_show(struct seq_file *m, void *data)
{
	u32 cpus = READ_ONCE(drive_cpus), ms = READ_ONCE(drive_ms);
	struct drive_thread model = {
		.test = m->private,
		.rate = READ_ONCE(drive_rate),
	};
	struct drive_thread *threads __free(kfree) = NULL;
	u64 rounds = 0;
	unsigned int i;
	int ret;

	if (!cpus || cpus > num_possible_cpus() || !ms)
		return -ERANGE;
	guard(mutex)(&drive_lock);
	threads = kcalloc(cpus, sizeof(*threads), GFP_KERNEL);
	if (!threads)
		return -ENOMEM;
	/* time for all threads to start */
	model.begin = ktime_get_ns() + 20 * NSEC_PER_MSEC;
	model.end = model.begin + (u64)ms * NSEC_PER_MSEC;
	ret = drive_start(threads, cpus, &model);
	if (!ret)
		msleep_interruptible(20 + ms);
	for (i = 0; i < cpus; i++) {
		if (threads[i].task)
			kthread_stop(threads[i].task);
		rounds += threads[i].rounds;
	}
	if (ret)
		return ret;
	seq_printf(m, "case %s cpus %u rate %u events %llu ns %llu\n",
		   model.test->name, cpus, model.rate, rounds * model.test->events,
		   (u64)ms * NSEC_PER_MSEC);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(drive);

/**
 * grtrace_bench_drive_init - create the files
 * @parent: directory of the benchmark
 */
void grtrace_bench_drive_init(struct dentry *parent)
{
	struct dentry *dir = debugfs_create_dir("drive", parent);
	const struct grtrace_bench_case *test;

	debugfs_create_u32("cpus", 0600, dir, &drive_cpus);
	debugfs_create_u32("ms", 0600, dir, &drive_ms);
	debugfs_create_u32("rate", 0600, dir, &drive_rate);
	for (test = grtrace_bench_cases; test->name; test++)
		debugfs_create_file(test->name, 0400, dir, (void *)test, &drive_fops);
}
