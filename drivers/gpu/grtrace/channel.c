// SPDX-License-Identifier: GPL-2.0
/*
 * The channel: per-CPU relay memory, from a reserved record to a reader.
 *
 * It moves opaque bytes, except for PACKET and LOST, the two records about the
 * channel itself. It knows no session, filter, ring or GPU.
 *
 * Writing. A CPU writes to its own buffer with interrupts off: reserve makes
 * room for a record, publish moves the end past it. Nothing on that CPU can run
 * in between (hooks refuse NMIs), and nothing else reads beyond the end,
 * because readers see only whole packets.
 *
 * Reading is in channel_read.c.
 *
 * Ordering, writer on one CPU, reader on another:
 *
 *  A  bytes of records, subbufs[].bytes  ->  subbufs_produced
 *     smp_wmb() before relay_switch_subbuf(); smp_load_acquire() in peek
 *  B  reader's copy                      ->  subbufs_consumed
 *     smp_store_release() in consume; relay_buf_full() reads it, and the
 *     writer's stores depend on the result
 *  C  the oldest sub-buffer is taken     ->  it is overwritten
 *     subbufs[].unread decides who takes it: xchg() in channel_subbuf_start(), or
 *     the reader when it has copied all (smp_rmb() before its cmpxchg() in
 *     consume). If the writer was first, the copy may be torn: it is dropped, and
 *     the events count as overwritten.
 *  D  subbufs_produced  ->  at is NULL: relay waits for room
 *     smp_mb() in relay_switch_subbuf(); smp_rmb() in channel_copy_holds()
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/wait.h>

#include <uapi/drm/grtrace_drm.h>

#include "channel.h"
#include "clock.h"
#include "stats.h"

#ifdef GRTRACE_EXTERNAL
#include <linux/kstrtox.h>
#endif

#ifdef GRTRACE_COMPAT
#include "compat.h"
#endif

/* The name of a trace file is this prefix and the CPU's number. */
#define CHANNEL_FILES	"trace"

DEFINE_STATIC_KEY_FALSE(grtrace_channel_clock_key);

/*
 * Held by a task that closes an offline CPU's packet on its behalf, so that only
 * one task at a time acts for the CPU. A reader and a task that takes a snapshot
 * share no other lock.
 */
static DEFINE_RAW_SPINLOCK(channel_offline_lock);

static atomic_t channel_count = ATOMIC_INIT(0);

/* --------------------------------------------------------------- life */

static int channel_subbuf_start(struct rchan_buf *buf, void *subbuf,
#ifdef GRTRACE_COMPAT
				void *prev_subbuf GRTRACE_RELAY_PADDING_ARG)
#else
				void *prev_subbuf)
#endif
{
	struct grtrace_channel *channel = buf->chan->private_data;
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	struct grtrace_subbuf *next;

	if (!channel->overwrite && relay_buf_full(buf))
		return 0;

	next = &c->subbufs[buf->subbufs_produced % channel->n_subbufs];
	/* If the writer takes the sub-buffer before the reader does, its events are overwritten. */
	if (channel->overwrite && xchg(&next->unread, 0))
		grtrace_stat_add(GRTRACE_STAT_OVERWRITTEN, next->events);
	if (!prev_subbuf) {
		c->at = buf->data;
		c->end = buf->data + channel->subbuf_size;
		/* This is the last step for a new buffer: it may be opened from now on. */
		smp_store_release(&c->buf, buf);
	}
	/* Overwriting also removed names, so they are recorded again. */
	if (channel->overwrite) {
		memset(c->tasks_seen, 0, sizeof(c->tasks_seen));
		memset(c->clients, 0, sizeof(c->clients));
	}
	smp_wmb();	/* C */
	return 1;
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
	/* The unsafe variant is enough: open files hold their buffer, which holds the channel. */
	return debugfs_create_file_unsafe(filename, mode, parent, buf,
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

static void channel_free(struct grtrace_channel *channel)
{
	int cpu;

	if (channel->cpu)
		for_each_possible_cpu(cpu)
			kvfree(per_cpu_ptr(channel->cpu, cpu)->subbufs);
	free_percpu(channel->cpu);
	if (channel->order_clock)
		static_branch_dec(&grtrace_channel_clock_key);
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

/* If it fails, channel_free() frees what it allocated. */
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
		c->gseq = channel->order_clock ? NULL : &channel->gseq;
		mutex_init(&c->read_lock);
		c->subbufs = kvcalloc(channel->n_subbufs, sizeof(*c->subbufs),
				      GFP_KERNEL);
		if (!c->subbufs)
			return -ENOMEM;
	}
	return 0;
}

/**
 * grtrace_channel_create - allocate a channel and its trace files
 * @template: provides session, subbuf_size, n_subbufs, overwrite, order_clock,
 *	clock, parent and fops
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
	if (channel->order_clock)
		static_branch_inc(&grtrace_channel_clock_key);
	kref_init(&channel->kref);
	atomic64_set(&channel->gseq, 0);
	if (channel_create_cpus(channel)) {
		channel_free(channel);
		return ERR_PTR(-ENOMEM);
	}
	/* relay opens buffers for the online CPUs: no CPU may come online meanwhile. */
	cpus_read_lock();
	channel->rchan = relay_open(CHANNEL_FILES, channel->parent,
				    channel->subbuf_size, channel->n_subbufs,
				    &channel_callbacks, channel);
	cpus_read_unlock();
	if (channel->rchan)
		return channel;
	/* One of the files that already existed may have been opened. */
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

static void channel_release(struct kref *kref)
{
	channel_free(container_of(kref, struct grtrace_channel, kref));
}

/**
 * grtrace_channel_put - drop a reference
 * @channel: the channel
 */
void grtrace_channel_put(struct grtrace_channel *channel)
{
	kref_put(&channel->kref, channel_release);
}

/**
 * grtrace_channel_buf - a CPU's buffer
 * @channel: the channel
 * @cpu: the CPU
 *
 * relay stores its own pointer without a barrier when a CPU comes online:
 * following that pointer may lead to a buffer that is not complete.
 *
 * Context: Any.
 * Return: the buffer, or NULL for a CPU that was never online.
 */
struct rchan_buf *grtrace_channel_buf(const struct grtrace_channel *channel,
				      int cpu)
{
	/* pairs with the release in channel_subbuf_start() */
	return smp_load_acquire(&per_cpu_ptr(channel->cpu, cpu)->buf);
}

/* -------------------------------------------------------------- writing */

/* Bytes in the sub-buffer in progress; 0 if relay waits for room. */
static size_t channel_used(const struct grtrace_chan_cpu *c)
{
	void *at = READ_ONCE(c->at);

	return at ? at - READ_ONCE(c->buf->data) : 0;
}

static bool channel_subbuf_switch(struct grtrace_chan_cpu *c, size_t size)
{
	struct rchan_buf *buf = c->buf;
	u64 events = c->cseq - c->others;
	struct grtrace_subbuf *subbuf;
	bool room;

	/* The address is NULL while relay waits for room. */
	if (c->at) {
		buf->offset = channel_used(c);
		subbuf = &c->subbufs[buf->subbufs_produced %
				     c->channel->n_subbufs];
		subbuf->bytes = buf->offset;
		subbuf->events = events - c->begun;
		WRITE_ONCE(subbuf->unread, buf->subbufs_produced + 1);
		c->begun = events;
	}
	c->ts_end = 0;
	smp_wmb();	/* A */
	relay_switch_subbuf(buf, size);
	/* relay also returns 0 for a size of 0. */
	room = buf->offset <= c->subbuf_size;
	WRITE_ONCE(c->at, room ? buf->data : NULL);
	smp_wmb();	/* C: relay stops waiting before anything is written */
	c->end = room ? buf->data + c->subbuf_size : NULL;
	return room;
}

static void channel_packet_write(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_packet *packet = c->at;

	packet->hdr.type = cpu_to_le16(GRTRACE_PACKET);
	packet->hdr.size = cpu_to_le16(sizeof(*packet));
	packet->magic = cpu_to_le32(GRTRACE_MAGIC);
	packet->major = cpu_to_le16(GRTRACE_VERSION_MAJOR);
	packet->minor = cpu_to_le16(GRTRACE_VERSION_MINOR);
	packet->cpu = cpu_to_le32(c->buf->cpu);
	packet->session = cpu_to_le64(c->channel->session);
	packet->ts = cpu_to_le64(ts);
	packet->gseq = cpu_to_le64(atomic64_read(&c->channel->gseq));
	packet->cseq = cpu_to_le64(c->cseq);
	packet->lost = cpu_to_le64(c->lost);
	packet->ctx_hi = cpu_to_le32(c->ctx_hi);
	packet->sample = cpu_to_le32(c->sample);
	c->at += sizeof(*packet);
	c->ts_end = ts + GRTRACE_TS_NEAR;
}

static void channel_lost_write(struct grtrace_chan_cpu *c)
{
	struct grtrace_loss *loss = &c->loss;
	struct grtrace_rec_lost *lost = c->at;

	lost->hdr.type = cpu_to_le16(GRTRACE_LOST);
	lost->hdr.size = cpu_to_le16(sizeof(*lost));
	lost->notes = cpu_to_le32(loss->notes);
	lost->events = cpu_to_le64(loss->events);
	lost->first_ts = cpu_to_le64(loss->first);
	lost->last_ts = cpu_to_le64(loss->last);
	lost->limited = cpu_to_le64(loss->limited);
	lost->pressure = cpu_to_le64(loss->pressure);
	c->at += sizeof(*lost);
	c->cseq += loss->events + loss->notes;
	c->others += loss->events + loss->notes;
	*loss = (struct grtrace_loss) {};
}

static bool channel_has_loss(const struct grtrace_chan_cpu *c)
{
	return c->loss.events || c->loss.notes;
}

static void channel_loss_at(struct grtrace_chan_cpu *c, u64 ts)
{
	if (!channel_has_loss(c))
		c->loss.first = ts;
	c->loss.last = ts;
	/* keep the fast path out until the loss is recorded */
	c->ts_end = 0;
}

/* An NMI can only count events. For these events the present is the best known time. */
static void channel_nmis_collect(struct grtrace_chan_cpu *c, u64 ts)
{
	unsigned long fresh = READ_ONCE(c->nmis) - c->nmis_told;

	if (likely(!fresh))
		return;
	channel_loss_at(c, ts);
	c->nmis_told += fresh;
	c->loss.events += fresh;
	c->lost += fresh;
}

/* Begins a packet with room for its first records and for @size bytes. */
static bool channel_packet_start(struct grtrace_chan_cpu *c, size_t size,
				 u64 ts)
{
	channel_nmis_collect(c, ts);
	size += sizeof(struct grtrace_rec_packet);
	if (channel_has_loss(c))
		size += sizeof(struct grtrace_rec_lost);
	if (c->at + size > c->end && !channel_subbuf_switch(c, size))
		return false;
	channel_packet_write(c, ts);
	if (channel_has_loss(c))
		channel_lost_write(c);
	return true;
}

static void channel_lose(struct grtrace_chan_cpu *c, size_t size,
			 enum grtrace_rec_kind kind, enum grtrace_stat reason,
			 u64 ts)
{
	channel_loss_at(c, ts);
	grtrace_stat_add(GRTRACE_STAT_BYTES_DROPPED, size);
	if (kind == GRTRACE_KIND_EVENT) {
		c->loss.events++;
		c->lost++;
		grtrace_stat_inc(reason);
	} else {
		if (kind == GRTRACE_KIND_NOTE) {
			c->loss.notes++;
			c->lost++;
		}
		grtrace_stat_inc(GRTRACE_STAT_LOST_NOTES);
	}
}

/* The slow half of grtrace_channel_reserve(). */
bool __grtrace_channel_reserve(struct grtrace_chan_cpu *c, size_t size,
			       enum grtrace_rec_kind kind, u64 ts, u64 ctx,
			       u32 sample)
{
	enum grtrace_stat reason = GRTRACE_STAT_RESERVE_FAIL;

	if (size + sizeof(struct grtrace_rec_packet) +
	    sizeof(struct grtrace_rec_lost) > c->subbuf_size) {
		reason = GRTRACE_STAT_OVERSIZE;
		goto lose;
	}
	if (kind == GRTRACE_KIND_EVENT) {
		c->ctx_hi = upper_32_bits(ctx);
		c->sample = sample ?: c->sample;
	}
	if (!channel_packet_start(c, size, ts))
		goto lose;
	return true;

lose:
	channel_lose(c, size, kind, reason, ts);
	return false;
}

/**
 * grtrace_channel_refuse - count an event that a limit refused as lost
 * @c: this CPU's end of the channel
 * @pressure: refused by backpressure; false: by the rate limit
 * @ts: the event's time
 *
 * Context: Any but NMI, interrupts off.
 */
void grtrace_channel_refuse(struct grtrace_chan_cpu *c, bool pressure, u64 ts)
{
	channel_loss_at(c, ts);
	c->loss.events++;
	c->lost++;
	if (pressure) {
		c->loss.pressure++;
		grtrace_stat_inc(GRTRACE_STAT_BACKPRESSURE);
	} else {
		c->loss.limited++;
		grtrace_stat_inc(GRTRACE_STAT_RATE_LIMITED);
	}
}

/**
 * grtrace_channel_nmi - count an event in an NMI, where nothing can be written
 * @channel: the channel
 *
 * Context: NMI.
 */
void grtrace_channel_nmi(struct grtrace_channel *channel)
{
	grtrace_stat_inc(GRTRACE_STAT_NMI);
	this_cpu_inc(channel->cpu->nmis);
}

/**
 * grtrace_channel_fill - bytes of a CPU's buffer that were not yet read
 * @c: a CPU's end of the channel
 *
 * Context: Any; exact on the CPU itself with interrupts off.
 */
u64 grtrace_channel_fill(const struct grtrace_chan_cpu *c)
{
	const struct rchan_buf *buf = c->buf;
	size_t consumed, finished, used;

	if (!buf)
		return 0;
	/* Read consumed first, so that produced is never less. */
	consumed = smp_load_acquire(&buf->subbufs_consumed);
	finished = READ_ONCE(buf->subbufs_produced) - consumed;
	finished = min_t(size_t, finished, c->channel->n_subbufs);
	used = channel_used(c);
	/* While the CPU moves to the next sub-buffer, used may cover both. */
	if (used > c->subbuf_size)
		used = 0;
	return finished * c->subbuf_size + used;
}

/*
 * Finish the packet in progress: on the buffer's CPU with interrupts off, or
 * anywhere while that CPU is offline, with channel_offline_lock held.
 */
static void channel_packet_close(void *data)
{
	struct rchan_buf *buf = data;
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);

	/* No later record reported the loss: report it now, if there is room. */
	channel_nmis_collect(c, grtrace_clock(channel->clock));
	if (channel_has_loss(c))
		channel_packet_start(c, 0, c->loss.last);
	if (channel_used(c))
		channel_subbuf_switch(c, 0);
}

/* If nothing is in progress and nothing was lost, the CPU, which may be idle, is not woken. */
static bool channel_is_quiet(struct rchan_buf *buf)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	const struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);

	/* This reads another CPU's state: a packet that it misses is closed the next time. */
	return !data_race(channel_used(c)) && !READ_ONCE(c->loss.events) &&
	       !READ_ONCE(c->loss.notes) &&
	       READ_ONCE(c->nmis) == READ_ONCE(c->nmis_told);
}

/**
 * grtrace_channel_close_packet - finish the packet in progress, on its CPU
 * @buf: a CPU's buffer
 *
 * Context: Process.
 */
void grtrace_channel_close_packet(struct rchan_buf *buf)
{
	unsigned long flags;

	if (channel_is_quiet(buf))
		return;
	cpus_read_lock();
	if (smp_call_function_single(buf->cpu, channel_packet_close, buf, 1)) {
		raw_spin_lock_irqsave(&channel_offline_lock, flags);
		channel_packet_close(buf);
		raw_spin_unlock_irqrestore(&channel_offline_lock, flags);
	}
	cpus_read_unlock();
}

/**
 * grtrace_channel_flush - finish the packet in progress on every CPU
 * @channel: the channel
 *
 * Context: Process.
 */
void grtrace_channel_flush(struct grtrace_channel *channel)
{
	struct rchan_buf *buf;
	int cpu;

	for_each_possible_cpu(cpu) {
		buf = grtrace_channel_buf(channel, cpu);
		if (buf)
			grtrace_channel_close_packet(buf);
	}
}
