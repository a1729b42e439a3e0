// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a channel: its memory, relay's channel under it, and its trace
 * files. channel.c has the writer's side, channel_read.c the reader's.
 *
 * A channel has a reference for the session and one for each open trace file,
 * so that a reader can finish what it began after the next session has started.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "channel_write.h"

#ifdef GRTRACE_EXTERNAL
#include <linux/kstrtox.h>
#endif

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

/* The name of a trace file is this prefix and the CPU's number. */
#define CHANNEL_FILES	"trace"

static atomic_t channel_count = ATOMIC_INIT(0);

static int channel_subbuf_start(struct rchan_buf *buf, void *subbuf,
#ifdef GRTRACE_COMPAT
				void *prev_subbuf GRTRACE_RELAY_PADDING_ARG)
#else
				void *prev_subbuf)
#endif
{
	return grtrace_channel_subbuf_begin(buf, !prev_subbuf);
}

static struct dentry *channel_create_file(const char *filename,
					  struct dentry *parent, umode_t mode,
					  struct rchan_buf *buf, int *is_global)
{
	struct grtrace_channel *channel = buf->chan->private_data;

#ifdef GRTRACE_EXTERNAL
	/* This comes first: if it fails, CPU 0's buffer must not be given up instead. */
	if (kstrtouint(filename + strlen(CHANNEL_FILES), 10, &buf->cpu))
		return NULL;
#endif
	/*
	 * Not relay's mode, 0400, which a kernel that is locked down lets be read. The
	 * unsafe variant is enough: open files hold their buffer, which holds the channel.
	 */
	return debugfs_create_file_unsafe(filename, 0600, parent, buf,
					  channel->fops);
}

/* relay has marked the buffer as finalized, but has not woken its readers. */
static int channel_remove_file(struct dentry *dentry)
{
	struct rchan_buf *buf = d_inode(dentry)->i_private;

	wake_up_interruptible_all(&buf->read_wait);
	debugfs_remove(dentry);
	return 0;
}

static const struct rchan_callbacks channel_callbacks = {
	.subbuf_start		= channel_subbuf_start,
	.create_buf_file	= channel_create_file,
	.remove_buf_file	= channel_remove_file,
};

static void channel_release(struct kref *kref)
{
	struct grtrace_channel *channel =
		container_of(kref, struct grtrace_channel, kref);
	int cpu;

	if (channel->cpu)
		for_each_possible_cpu(cpu)
			kvfree(per_cpu_ptr(channel->cpu, cpu)->subbufs);
	free_percpu(channel->cpu);
	kfree(channel);
	atomic_dec(&channel_count);
}

/**
 * grtrace_channel_affords - is there enough memory?
 * @bytes: how many bytes are needed
 *
 * To be called before memory is allocated for a channel or a copy of it,
 * because relay would trigger the OOM killer instead of failing.
 *
 * Context: Process.
 */
bool grtrace_channel_affords(u64 bytes)
{
	return bytes >> PAGE_SHIFT <= max(si_mem_available(), 0L);
}

/**
 * grtrace_channel_allowed - may another channel be created?
 * @instead: the channel that is closed first, or NULL
 *
 * Context: Process. Opening or closing a file changes the answer.
 */
bool grtrace_channel_allowed(const struct grtrace_channel *instead)
{
	int freed = instead && kref_read(&instead->kref) == 1;

	return atomic_read(&channel_count) - freed < GRTRACE_CHANNELS_MAX;
}

/* If it fails, channel_release() frees what it allocated. */
static int channel_create_cpus(struct grtrace_channel *channel)
{
	struct grtrace_chan_cpu *c;
	int cpu;

	channel->cpu = alloc_percpu(struct grtrace_chan_cpu);
	if (!channel->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(channel->cpu, cpu);
		c->sample = 1;
		c->subbuf_size = channel->subbuf_size;
		c->channel = channel;
		c->gseq = &channel->gseq;
		mutex_init(&c->read_lock);
		raw_spin_lock_init(&c->stop_lock);
		c->subbufs = kvcalloc(channel->n_subbufs, sizeof(*c->subbufs),
				      GFP_KERNEL);
		if (!c->subbufs)
			return -ENOMEM;
	}
	return 0;
}

/**
 * grtrace_channel_create - allocate a channel and its trace files
 * @template: provides session, subbuf_size, n_subbufs, overwrite, clock,
 *	parent and fops
 *
 * Context: Process.
 * Return: the channel; ERR_PTR(-ENFILE) if there are GRTRACE_CHANNELS_MAX
 * already, or ERR_PTR(-ENOMEM).
 */
struct grtrace_channel *
grtrace_channel_create(const struct grtrace_channel *template)
{
	struct grtrace_channel *channel;

	if (!grtrace_channel_affords((u64)template->subbuf_size *
				     template->n_subbufs * num_online_cpus()))
		return ERR_PTR(-ENOMEM);
	if (grtrace_stats_prepare())
		return ERR_PTR(-ENOMEM);
	/* Without this limit, a task that keeps old files open could use unlimited memory. */
	if (!atomic_add_unless(&channel_count, 1, GRTRACE_CHANNELS_MAX))
		return ERR_PTR(-ENFILE);
	channel = kmemdup(template, sizeof(*template), GFP_KERNEL);
	if (!channel) {
		atomic_dec(&channel_count);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&channel->kref);
	atomic64_set(&channel->gseq, 0);
	if (!channel_create_cpus(channel)) {
		/* relay opens buffers for the online CPUs: no CPU may come online meanwhile. */
		guard(cpus_read_lock)();
		channel->rchan = relay_open(CHANNEL_FILES, channel->parent,
					    channel->subbuf_size,
					    channel->n_subbufs,
					    &channel_callbacks, channel);
	}
	if (channel->rchan)
		return channel;
	/* If relay failed, one of the files that already existed may have been opened. */
	grtrace_channel_put(channel);
	return ERR_PTR(-ENOMEM);
}

/**
 * grtrace_channel_close - remove the trace files, give up the channel
 * @channel: the channel; no CPU may write to it
 *
 * Open files stay readable until they are closed.
 *
 * Context: Process.
 */
void grtrace_channel_close(struct grtrace_channel *channel)
{
	relay_close(channel->rchan);
	grtrace_channel_put(channel);
}

void grtrace_channel_put(struct grtrace_channel *channel)
{
	kref_put(&channel->kref, channel_release);
}
