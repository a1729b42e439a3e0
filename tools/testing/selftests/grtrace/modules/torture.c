// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_torture: writers that never rest, for testing the channel. Each CPU
 * has three, which interrupt one another: a thread, a timer in softirq and a
 * timer in hardirq. A record names its writer and its number among the writer's
 * records, so that a reader can distinguish a lost record from a damaged one.
 *
 * A writer's job number n is ctx TORTURE_CTX | cpu << 8 | kind with seqno n, and
 * has four events: SUBMIT, COMMIT, END (an ERROR for each 64th job) and COMPLETE.
 * All else in them is torture_mix() of the writer and the event's number,
 * 4 * n + step. ../torture_test.c knows the same rules.
 *
 * Files, in /sys/kernel/debug/grtrace_torture/: run (1: all start from job 0;
 * 0: all end), period_us and burst of the timers, pause_us of the threads
 * between two bursts, writers (CSV: events each writer offered), and on x86 nmi
 * (1: an NMI on each CPU, one after the other, which offers an event in the midst of
 * whatever the CPU does; written when that is done).
 */
#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/grtrace.h>
#include <linux/hrtimer.h>
#include <linux/iopoll.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif
#ifdef GRTRACE_EXTERNAL
#include <linux/version.h>
#endif
#if defined(CONFIG_X86_LOCAL_APIC) && defined(CONFIG_HAVE_ACPI_APEI_NMI)
#include <asm/apic.h>
#endif

#define TORTURE_CTX		0x70000000u	/* higher than any fence context */
#define TORTURE_STEPS		4		/* events of a job */
#define TORTURE_ERROR_EVERY	64		/* jobs */
#define TORTURE_CTX_HI_EVERY	4096		/* jobs: then another ctx_hi */
#define TORTURE_BURST		64		/* events of a thread at a time */
#define TORTURE_TIMER_MAX	4096U		/* of a timer at a time */
#define TORTURE_PERIOD_MIN_US	50		/* with less, an emulated CPU does nothing else */

/* In the order of GRTRACE_IN_*. */
enum torture_kind {
	TORTURE_TASK,
	TORTURE_SOFTIRQ,
	TORTURE_HARDIRQ,
	TORTURE_KINDS,
};

static const char * const torture_names[] = {
	[TORTURE_TASK]		= "task",
	[TORTURE_SOFTIRQ]	= "softirq",
	[TORTURE_HARDIRQ]	= "hardirq",
};

/**
 * struct torture_cpu - the writers of a CPU
 *
 * @cpu: the CPU
 * @next: number of each writer's next event; only the writer counts
 * @thread: the one in process context
 * @soft: the one in softirq
 * @hard: the one in hardirq
 */
struct torture_cpu {
	unsigned int cpu;
	u64 next[TORTURE_KINDS];
	struct task_struct *thread;
	struct hrtimer soft;
	struct hrtimer hard;
};

static DEFINE_PER_CPU(struct torture_cpu, torture_cpus);
static char torture_keys[TORTURE_KINDS];	/* their addresses identify the rings */
static struct dentry *torture_dir;

/* Serializes starting and ending; guards torture_state. */
static DEFINE_MUTEX(torture_lock);
static int torture_state = -1;	/* state of CPU hotplug; below 0: no writers */

static u32 torture_period_us = 1000;
static u32 torture_burst = 8;
static u32 torture_pause_us;

#ifdef GRTRACE_EXTERNAL

/* Never attached, because its prototype is not that of the event. */
static void torture_probe(void *data)
{
}

/* The core refuses it, because it was not checked with any kernel. */
static struct grtrace_probe torture_probes[] = {
	{ "sched_switch", torture_probe,
	  KERNEL_VERSION(2, 6, 28), KERNEL_VERSION(2, 6, 29) },
};

#endif

static struct grtrace_source torture_source = {
	.name = "torture",
#ifdef GRTRACE_EXTERNAL
	.probes = torture_probes,
	.nr_probes = ARRAY_SIZE(torture_probes),
#endif
};

/* -------------------------------------------------------------- contents */

/* splitmix64: a change of one bit changes half of the result. */
static u64 torture_mix(unsigned int cpu, enum torture_kind kind, u64 event)
{
	u64 x = (u64)cpu << 48 ^ (u64)kind << 44 ^ event;

	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

static struct grtrace_ring *torture_ring(enum torture_kind kind)
{
	const struct grtrace_ring_desc desc = {
		.driver = "grtrace_torture",
		.name = torture_names[kind],
		.engine_class = GRTRACE_CLASS_OTHER,
	};

	/* it is always the same ring, so any context will do */
	return grtrace_ring_submit(&torture_keys[kind], 1, &desc);
}

/* Called with interrupts or preemption off, so the ring stays valid. */
static void torture_write(unsigned int cpu, enum torture_kind kind, u64 event)
{
	u64 mix = torture_mix(cpu, kind, event);
	u64 seqno = event / TORTURE_STEPS;
	struct grtrace_job job = {
		.ctx = (seqno / TORTURE_CTX_HI_EVERY % 2) << 32 |
		       TORTURE_CTX | cpu << 8 | kind,
		.seqno = seqno,
		.arg = mix >> 48,
	};
	struct grtrace_ring *ring;

	if (!grtrace_running())
		return;
	ring = torture_ring(kind);
	switch (event % TORTURE_STEPS) {
	case 0:
		grtrace_submit(ring, &job, mix);
		break;
	case 1:
		/* a record has only the lower half of a fence's context */
		job.fence_ctx = (job.ctx & ~(u64)U32_MAX) | (u32)mix;
		job.fence_seqno = mix >> 32;
		grtrace_job_fence(GRTRACE_COMMIT, ring, &job);
		break;
	case 2:
		if (seqno % TORTURE_ERROR_EVERY)
			grtrace_job(GRTRACE_END, ring, &job);
		else
			grtrace_error(ring, &job, GRTRACE_ERROR_OTHER, mix);
		break;
	default:
		grtrace_job(GRTRACE_COMPLETE, ring, &job);
		break;
	}
}

static void torture_write_next(struct torture_cpu *t, enum torture_kind kind)
{
	torture_write(t->cpu, kind, t->next[kind]);
	WRITE_ONCE(t->next[kind], t->next[kind] + 1);
}

/* --------------------------------------------------------------- writers */

/* Writes some events. Return: false if the CPU goes offline and the thread was moved. */
static bool torture_thread_write(struct torture_cpu *t)
{
	unsigned int i;
	bool here = true;

	for (i = 0; here && i < TORTURE_BURST; i++) {
		preempt_disable();
		here = smp_processor_id() == t->cpu;
		if (here)
			torture_write_next(t, TORTURE_TASK);
		preempt_enable();
	}
	return here;
}

static int torture_thread(void *data)
{
	struct torture_cpu *t = data;

	while (!kthread_should_stop()) {
		u32 pause = min_t(u32, READ_ONCE(torture_pause_us), USEC_PER_SEC);

		if (!torture_thread_write(t))
			schedule_timeout_interruptible(1);
		else if (pause)
			usleep_range(pause, pause + pause / 4 + 1);
		else
			cond_resched();
	}
	return 0;
}

static void torture_timer_write(struct torture_cpu *t, enum torture_kind kind)
{
	/* more would lock up the processor */
	u32 events = min(READ_ONCE(torture_burst), TORTURE_TIMER_MAX);

	while (events--)
		torture_write_next(t, kind);
}

static void torture_timer_again(struct hrtimer *timer)
{
	u32 period = max(READ_ONCE(torture_period_us), TORTURE_PERIOD_MIN_US);

	hrtimer_forward_now(timer, ns_to_ktime((u64)period * NSEC_PER_USEC));
}

static enum hrtimer_restart torture_soft(struct hrtimer *timer)
{
	struct torture_cpu *t = container_of(timer, struct torture_cpu, soft);

	torture_timer_write(t, TORTURE_SOFTIRQ);
	torture_timer_again(timer);
	return HRTIMER_RESTART;
}

static enum hrtimer_restart torture_hard(struct hrtimer *timer)
{
	struct torture_cpu *t = container_of(timer, struct torture_cpu, hard);

	torture_timer_write(t, TORTURE_HARDIRQ);
	torture_timer_again(timer);
	return HRTIMER_RESTART;
}

static void torture_timer_start(struct hrtimer *timer,
				enum hrtimer_restart (*fn)(struct hrtimer *),
				enum hrtimer_mode mode)
{
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, mode);
	hrtimer_start(timer, 0, mode);
}

/* Runs on a CPU that comes online, and on all online CPUs when the writers start. */
static int torture_cpu_online(unsigned int cpu)
{
	struct torture_cpu *t = per_cpu_ptr(&torture_cpus, cpu);

	t->cpu = cpu;
	t->thread = kthread_create_on_cpu(torture_thread, t, cpu,
					  "grtrace_torture/%u");
	if (IS_ERR(t->thread))
		return PTR_ERR(t->thread);
	wake_up_process(t->thread);
	torture_timer_start(&t->soft, torture_soft, HRTIMER_MODE_REL_PINNED_SOFT);
	torture_timer_start(&t->hard, torture_hard, HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

/* Runs on a CPU that goes offline, before its timers would move to another. */
static int torture_cpu_offline(unsigned int cpu)
{
	struct torture_cpu *t = per_cpu_ptr(&torture_cpus, cpu);

	hrtimer_cancel(&t->hard);
	hrtimer_cancel(&t->soft);
	kthread_stop(t->thread);
	return 0;
}

static void torture_stop(void)
{
	lockdep_assert_held(&torture_lock);

	if (torture_state >= 0)
		cpuhp_remove_state(torture_state);
	torture_state = -1;
}

static int torture_start(void)
{
	int cpu;

	lockdep_assert_held(&torture_lock);

	if (torture_state >= 0)
		return -EBUSY;
	for_each_possible_cpu(cpu)
		memset(per_cpu(torture_cpus, cpu).next, 0,
		       sizeof(per_cpu(torture_cpus, cpu).next));
	torture_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN,
					  "gpu/grtrace_torture:online",
					  torture_cpu_online,
					  torture_cpu_offline);
	return torture_state < 0 ? torture_state : 0;
}

/* ------------------------------------------------------------------ NMIs */

#if defined(CONFIG_X86_LOCAL_APIC) && defined(CONFIG_HAVE_ACPI_APEI_NMI)

#define TORTURE_NMI_US	(10 * USEC_PER_SEC)

static DEFINE_PER_CPU(atomic_t, torture_nmis_due);

static int torture_nmi(unsigned int type, struct pt_regs *regs)
{
	struct grtrace_job job = { .ctx = TORTURE_CTX | TORTURE_KINDS };

	if (!atomic_cmpxchg(this_cpu_ptr(&torture_nmis_due), 1, 0))
		return NMI_DONE;
	if (grtrace_running())
		grtrace_submit(grtrace_ring_find(&torture_keys[TORTURE_TASK]), &job, 0);
	return NMI_HANDLED;
}

static int nmi_set(void *data, u64 unused)
{
	int cpu, left, ret = 0;
	atomic_t *due;

	guard(mutex)(&torture_lock);
	guard(cpus_read_lock)();
	for_each_online_cpu(cpu) {
		due = per_cpu_ptr(&torture_nmis_due, cpu);
		atomic_set(due, 1);
		__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
		ret = ret ?: read_poll_timeout(atomic_read, left, !left, 10, TORTURE_NMI_US,
					       false, due);
	}
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(nmi_fops, NULL, nmi_set, "%llu\n");

static int torture_nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, torture_nmi, 0, "grtrace_torture");
}

static void torture_nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "grtrace_torture");
}

#else

static int torture_nmi_init(void)
{
	return 0;
}

static void torture_nmi_exit(void)
{
}

#endif

/* ----------------------------------------------------------------- files */

static int run_get(void *data, u64 *run)
{
	guard(mutex)(&torture_lock);
	*run = torture_state >= 0;
	return 0;
}

static int run_set(void *data, u64 run)
{
	guard(mutex)(&torture_lock);
	if (run > 1)
		return -EINVAL;
	if (run)
		return torture_start();
	torture_stop();
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(run_fops, run_get, run_set, "%llu\n");

static int writers_show(struct seq_file *m, void *unused)
{
	int cpu, kind;

	seq_puts(m, "cpu,context,events\n");
	for_each_possible_cpu(cpu)
		for (kind = 0; kind < TORTURE_KINDS; kind++)
			seq_printf(m, "%d,%s,%llu\n", cpu, torture_names[kind],
				   READ_ONCE(per_cpu(torture_cpus, cpu).next[kind]));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(writers);

static int __init torture_init(void)
{
	int ret = torture_nmi_init();

	if (ret)
		return ret;
	ret = grtrace_source_register(&torture_source);
	if (ret) {
		torture_nmi_exit();
		return ret;
	}
	torture_dir = debugfs_create_dir("grtrace_torture", NULL);
	debugfs_create_file_unsafe("run", 0600, torture_dir, NULL, &run_fops);
	debugfs_create_file("writers", 0400, torture_dir, NULL, &writers_fops);
	debugfs_create_u32("period_us", 0600, torture_dir, &torture_period_us);
	debugfs_create_u32("burst", 0600, torture_dir, &torture_burst);
	debugfs_create_u32("pause_us", 0600, torture_dir, &torture_pause_us);
#if defined(CONFIG_X86_LOCAL_APIC) && defined(CONFIG_HAVE_ACPI_APEI_NMI)
	debugfs_create_file_unsafe("nmi", 0200, torture_dir, NULL, &nmi_fops);
#endif
	return 0;
}

static void __exit torture_exit(void)
{
	/* writers can no longer be started */
	debugfs_remove(torture_dir);
	mutex_lock(&torture_lock);
	torture_stop();
	mutex_unlock(&torture_lock);
	torture_nmi_exit();
	grtrace_source_unregister(&torture_source);
}

module_init(torture_init);
module_exit(torture_exit);

MODULE_DESCRIPTION("grtrace: stress writers for tests");
MODULE_LICENSE("GPL");
