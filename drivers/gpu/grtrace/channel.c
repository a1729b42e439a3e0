// SPDX-License-Identifier: GPL-2.0
/*
 * The channel: per-CPU relay memory, from a reserved record to a reader.
 *
 * It moves opaque bytes, but for the two records that are about the channel
 * itself, PACKET and LOST. It knows no session, filter, ring or GPU.
 *
 * Writing. A CPU writes to its own buffer with interrupts off: reserve returns
 * the address of a record, publish moves the offset past it. Nothing on that
 * CPU can come between (hooks refuse NMIs), and nobody else looks behind the
 * offset, since readers see whole packets only.
 *
 * Reading. A sub-buffer is finished when relay counts it as produced; then it
 * does not change until it is reused. A reader that finds no finished one
 * has the packet in progress closed on its CPU, and takes that: so the stream
 * moves even when little happens, and every read is of whole packets.
 *
 * Ordering, writer on one CPU, reader on another:
 *
 *  A  bytes of records, subbufs[].bytes  ->  subbufs_produced
 *     smp_wmb() before relay_switch_subbuf(); smp_load_acquire() in peek
 *  B  reader's copy                      ->  subbufs_consumed
 *     smp_store_release() in consume; relay_buf_full() reads it, and the
 *     writer's stores depend on what it says
 *  C  subbufs_produced                   ->  overwriting the oldest sub-buffer
 *     smp_wmb() in channel_subbuf_start(); smp_rmb() in consume, which then
 *     finds that the copy may be torn, and the reader drops it
 *
 * relay's own read() is not used: it shows records that are not yet filled, on
 * weakly ordered machines, and torn sub-buffers in overwrite mode.
 */
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <uapi/drm/grtrace_drm.h>

#include "channel.h"
#include "compat.h"
#include "stats.h"

/* No ts is this: 2^30 ns or more from any, so that a packet must come first. */
#define GRTRACE_TS_NONE		BIT_ULL(63)

/* Two records nearer than this can be widened, see the uAPI's rules. */
#define GRTRACE_TS_NEAR		BIT_ULL(30)

/* --------------------------------------------------------------- life */

static int channel_subbuf_start(struct rchan_buf *buf, void *subbuf,
				void *prev_subbuf GRTRACE_RELAY_PADDING_ARG)
{
	struct grtrace_channel *channel = buf->chan->private_data;
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	struct grtrace_subbuf *next;

	if (!channel->overwrite && relay_buf_full(buf))
		return 0;

	next = &c->subbufs[buf->subbufs_produced % channel->n_subbufs];
	if (channel->overwrite && next->events &&
	    buf->subbufs_produced - READ_ONCE(buf->subbufs_consumed) >=
	    channel->n_subbufs)
		grtrace_stat_add(GRTRACE_STAT_OVERWRITTEN, next->events);
	next->events = 0;
	if (!prev_subbuf) {
		/* the last thing relay does to a new buffer: it may be opened */
		smp_store_release(&c->ready, buf);
	}
	/* what is overwritten took names with it: tell them again */
	if (channel->overwrite)
		memset(c->tasks_seen, 0, sizeof(c->tasks_seen));
	smp_wmb();	/* C */
	return 1;
}

static struct dentry *channel_create_file(const char *filename,
					  struct dentry *parent, umode_t mode,
					  struct rchan_buf *buf, int *is_global)
{
	struct grtrace_channel *channel = buf->chan->private_data;

	/* unsafe: relay's files keep their buffer, and we the channel, alive */
	return debugfs_create_file_unsafe(filename, mode, parent, buf,
					  channel->fops);
}

static int channel_remove_file(struct dentry *dentry)
{
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
	kfree(channel);
}

/**
 * grtrace_channel_create - allocate a channel and its trace files
 * @template: session, subbuf_size, n_subbufs, overwrite, order_clock, parent
 *	and fops are taken from it
 *
 * Context: Process.
 * Return: the channel, or NULL for want of memory.
 */
struct grtrace_channel *
grtrace_channel_create(const struct grtrace_channel *template)
{
	struct grtrace_channel *channel;
	int cpu;

	channel = kmemdup(template, sizeof(*template), GFP_KERNEL);
	if (!channel)
		return NULL;
	kref_init(&channel->kref);
	atomic64_set(&channel->gseq, 0);
	channel->cpu = alloc_percpu(struct grtrace_chan_cpu);
	if (!channel->cpu)
		goto err_free;
	for_each_possible_cpu(cpu) {
		struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, cpu);

		c->last_ts = GRTRACE_TS_NONE;
		mutex_init(&c->read_lock);
		c->subbufs = kvcalloc(channel->n_subbufs, sizeof(*c->subbufs),
				      GFP_KERNEL);
		if (!c->subbufs)
			goto err_free;
	}
	/* relay opens buffers for the CPUs that are online: none may come now */
	cpus_read_lock();
	channel->rchan = relay_open("trace", channel->parent,
				    channel->subbuf_size, channel->n_subbufs,
				    &channel_callbacks, channel);
	cpus_read_unlock();
	if (channel->rchan)
		return channel;
	/* somebody may have opened one of the files that were there already */
	grtrace_channel_put(channel);
	return NULL;

err_free:
	channel_free(channel);
	return NULL;
}

/**
 * grtrace_channel_close - remove the trace files, give up the channel
 * @channel: the channel; nobody writes to it any more
 *
 * Files still open stay readable until they are closed.
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
 * grtrace_channel_of - the channel a trace file's buffer belongs to
 * @buf: relay's buffer, held by the caller
 */
struct grtrace_channel *grtrace_channel_of(struct rchan_buf *buf)
{
	return buf->chan->private_data;
}

/**
 * grtrace_channel_is_ready - may a trace file be opened yet?
 * @buf: relay's buffer
 *
 * relay makes the file first and then the buffer's CPU, counts and lists.
 */
bool grtrace_channel_is_ready(struct rchan_buf *buf)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	unsigned int cpu = READ_ONCE(buf->cpu);

	/* pairs with the release in channel_subbuf_start() */
	return smp_load_acquire(&per_cpu_ptr(channel->cpu, cpu)->ready) == buf;
}

/**
 * grtrace_channel_read_lock - the lock a reader of a trace file holds
 * @buf: relay's buffer, held by the caller
 */
struct mutex *grtrace_channel_read_lock(struct rchan_buf *buf)
{
	return &per_cpu_ptr(grtrace_channel_of(buf)->cpu, buf->cpu)->read_lock;
}

/* -------------------------------------------------------------- writing */

static bool channel_subbuf_switch(struct grtrace_channel *channel,
				  struct grtrace_chan_cpu *c,
				  struct rchan_buf *buf, size_t size)
{
	/* relay sets the offset past the end while it waits for room */
	if (buf->offset <= channel->subbuf_size)
		c->subbufs[buf->subbufs_produced % channel->n_subbufs].bytes =
			buf->offset;
	c->last_ts = GRTRACE_TS_NONE;
	smp_wmb();	/* A */
	return relay_switch_subbuf(buf, size);
}

static void channel_packet_write(struct grtrace_channel *channel,
				 struct grtrace_chan_cpu *c,
				 struct rchan_buf *buf, u64 ts)
{
	struct grtrace_rec_packet *packet = buf->data + buf->offset;

	packet->hdr.type = cpu_to_le16(GRTRACE_PACKET);
	packet->hdr.size = cpu_to_le16(sizeof(*packet));
	packet->magic = cpu_to_le32(GRTRACE_MAGIC);
	packet->major = cpu_to_le16(GRTRACE_VERSION_MAJOR);
	packet->minor = cpu_to_le16(GRTRACE_VERSION_MINOR);
	packet->cpu = cpu_to_le32(buf->cpu);
	packet->session = cpu_to_le64(channel->session);
	packet->ts = cpu_to_le64(ts);
	packet->gseq = cpu_to_le64(atomic64_read(&channel->gseq));
	packet->cseq = cpu_to_le64(c->cseq);
	packet->lost = cpu_to_le64(c->lost);
	packet->ctx_hi = cpu_to_le32(c->ctx_hi);
	packet->sample = 0;
	buf->offset += sizeof(*packet);
	c->last_ts = ts;
}

static void channel_lost_write(struct grtrace_chan_cpu *c,
			       struct rchan_buf *buf)
{
	struct grtrace_rec_lost *lost = buf->data + buf->offset;

	lost->hdr.type = cpu_to_le16(GRTRACE_LOST);
	lost->hdr.size = cpu_to_le16(sizeof(*lost));
	lost->notes = cpu_to_le32(c->pending_notes);
	lost->events = cpu_to_le64(c->pending_events);
	lost->first_ts = cpu_to_le64(c->pending_first);
	lost->last_ts = cpu_to_le64(c->pending_last);
	lost->limited = 0;
	lost->pressure = 0;
	buf->offset += sizeof(*lost);
	c->cseq += c->pending_events + c->pending_notes;
	c->pending_events = 0;
	c->pending_notes = 0;
}

static bool channel_has_pending(const struct grtrace_chan_cpu *c)
{
	return c->pending_events || c->pending_notes;
}

/* Begin a packet with room for @size bytes after what it must start with. */
static bool channel_packet_start(struct grtrace_channel *channel,
				 struct grtrace_chan_cpu *c,
				 struct rchan_buf *buf, size_t size, u64 ts)
{
	size += sizeof(struct grtrace_rec_packet);
	if (channel_has_pending(c))
		size += sizeof(struct grtrace_rec_lost);
	if (buf->offset + size > channel->subbuf_size &&
	    !channel_subbuf_switch(channel, c, buf, size))
		return false;
	channel_packet_write(channel, c, buf, ts);
	if (channel_has_pending(c))
		channel_lost_write(c, buf);
	return true;
}

static void channel_lose(struct grtrace_chan_cpu *c, size_t size,
			 enum grtrace_rec_kind kind, u64 ts)
{
	if (!channel_has_pending(c))
		c->pending_first = ts;
	c->pending_last = ts;
	/* keep the fast path out until the loss is told */
	c->last_ts = GRTRACE_TS_NONE;
	grtrace_stat_add(GRTRACE_STAT_BYTES_DROPPED, size);
	if (kind == GRTRACE_KIND_EVENT) {
		c->pending_events++;
		c->lost++;
		grtrace_stat_inc(GRTRACE_STAT_RESERVE_FAIL);
	} else {
		if (kind == GRTRACE_KIND_NOTE) {
			c->pending_notes++;
			c->lost++;
		}
		grtrace_stat_inc(GRTRACE_STAT_LOST_NOTES);
	}
}

/**
 * grtrace_channel_reserve - get room for a record on this CPU
 * @channel: the channel
 * @size: bytes of the record, a multiple of 8
 * @kind: what it is
 * @ts: its time stamp
 * @ctx: its context; any for a record that has none
 *
 * What does not fit is counted, and told by a LOST record when there is room.
 *
 * Context: Any but NMI, interrupts off until grtrace_channel_publish().
 * Return: where to write the record, or NULL.
 */
void *grtrace_channel_reserve(struct grtrace_channel *channel, size_t size,
			      enum grtrace_rec_kind kind, u64 ts, u64 ctx)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(channel->cpu);
	struct rchan_buf *buf = *this_cpu_ptr(channel->rchan->buf);

	if (likely(buf->offset + size <= channel->subbuf_size &&
		   ts - c->last_ts < GRTRACE_TS_NEAR &&
		   (kind != GRTRACE_KIND_EVENT || ctx >> 32 == c->ctx_hi)))
		return buf->data + buf->offset;

	if (kind == GRTRACE_KIND_EVENT)
		c->ctx_hi = ctx >> 32;
	if (!channel_packet_start(channel, c, buf, size, ts)) {
		channel_lose(c, size, kind, ts);
		return NULL;
	}
	return buf->data + buf->offset;
}

/**
 * grtrace_channel_publish - the reserved record is filled
 * @channel: the channel
 * @size: as reserved
 * @kind: as reserved
 * @ts: as reserved
 *
 * Context: As grtrace_channel_reserve(), on the same CPU.
 */
void grtrace_channel_publish(struct grtrace_channel *channel, size_t size,
			     enum grtrace_rec_kind kind, u64 ts)
{
	struct grtrace_chan_cpu *c = this_cpu_ptr(channel->cpu);
	struct rchan_buf *buf = *this_cpu_ptr(channel->rchan->buf);

	buf->offset += size;
	c->last_ts = ts;
	if (kind != GRTRACE_KIND_INFO)
		c->cseq++;
	if (kind == GRTRACE_KIND_EVENT) {
		c->subbufs[buf->subbufs_produced % channel->n_subbufs].events++;
		grtrace_stat_inc(GRTRACE_STAT_WRITTEN);
	} else {
		grtrace_stat_inc(GRTRACE_STAT_NOTES);
	}
	grtrace_stat_add(GRTRACE_STAT_BYTES_WRITTEN, size);
}

/* -------------------------------------------------------------- reading */

/* Finish the packet in progress. On the buffer's CPU with interrupts off, or
 * anywhere while that CPU is offline.
 */
static void channel_packet_close(void *data)
{
	struct rchan_buf *buf = data;
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);

	/* loss that no later record told: tell it now, if there is room */
	if (channel_has_pending(c))
		channel_packet_start(channel, c, buf, 0,
				     ktime_get_mono_fast_ns());
	if (buf->offset && buf->offset <= channel->subbuf_size)
		channel_subbuf_switch(channel, c, buf, 0);
}

/* Nothing in progress and nothing lost: leave the CPU, perhaps idle, alone. */
static bool channel_is_quiet(struct rchan_buf *buf)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	const struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);

	return !READ_ONCE(buf->offset) && !READ_ONCE(c->pending_events) &&
	       !READ_ONCE(c->pending_notes);
}

static void channel_close_on_cpu(struct rchan_buf *buf)
{
	unsigned long flags;

	if (channel_is_quiet(buf))
		return;
	cpus_read_lock();
	if (smp_call_function_single(buf->cpu, channel_packet_close, buf, 1)) {
		local_irq_save(flags);
		channel_packet_close(buf);
		local_irq_restore(flags);
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
		buf = *per_cpu_ptr(channel->rchan->buf, cpu);
		if (buf)
			channel_close_on_cpu(buf);
	}
}

static size_t channel_unread(struct rchan_buf *buf)
{
	/* A */
	return smp_load_acquire(&buf->subbufs_produced) - buf->subbufs_consumed;
}

/* The flight recorder may have come round: go on with the oldest that is safe. */
static void channel_skip_overwritten(struct grtrace_channel *channel,
				     struct rchan_buf *buf, size_t unread)
{
	if (!channel->overwrite || unread < channel->n_subbufs)
		return;
	WRITE_ONCE(buf->subbufs_consumed,
		   buf->subbufs_consumed + unread - channel->n_subbufs + 1);
	buf->bytes_consumed = 0;
}

/**
 * grtrace_channel_peek - the oldest bytes not yet read
 * @buf: a CPU's buffer
 * @data: set to them
 * @close: close the packet in progress when nothing else is left
 *
 * Never crosses from one sub-buffer to the next.
 *
 * Context: Process, with grtrace_channel_read_lock() held.
 * Return: their number, 0 when there are none.
 */
size_t grtrace_channel_peek(struct rchan_buf *buf, const void **data,
			    bool close)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	size_t unread = channel_unread(buf);
	size_t index, bytes;

	if (!unread && close && !buf->finalized) {
		channel_close_on_cpu(buf);
		unread = channel_unread(buf);
	}
	while (unread) {
		channel_skip_overwritten(channel, buf, unread);
		index = buf->subbufs_consumed % channel->n_subbufs;
		bytes = READ_ONCE(c->subbufs[index].bytes);
		if (bytes > buf->bytes_consumed &&
		    bytes <= channel->subbuf_size) {
			*data = buf->start + index * channel->subbuf_size +
				buf->bytes_consumed;
			return bytes - buf->bytes_consumed;
		}
		/* overwritten by a shorter one since we looked */
		buf->bytes_consumed = 0;
		unread = channel_unread(buf);
	}
	return 0;
}

/**
 * grtrace_channel_whole - how much a reader may take who has little room
 * @buf: a CPU's buffer
 * @data: from grtrace_channel_peek()
 * @size: what that returned
 * @room: bytes the reader has room for
 *
 * In the flight recorder the rest of a record that was cut may be overwritten
 * before it is read: so a cut is made between records only.
 *
 * Context: As grtrace_channel_peek().
 * Return: bytes to take, 0 when not even one record fits.
 */
size_t grtrace_channel_whole(struct rchan_buf *buf, const void *data,
			     size_t size, size_t room)
{
	const struct grtrace_rec_hdr *hdr;
	size_t used = 0, next;

	if (size <= room)
		return size;
	if (!grtrace_channel_of(buf)->overwrite)
		return room;
	while (size - used >= sizeof(*hdr)) {
		/* may be overwritten at this moment: believe no number */
		hdr = data + used;
		next = le16_to_cpu(READ_ONCE(hdr->size));
		if (next < sizeof(*hdr) || next > room - used)
			break;
		used += next;
	}
	return used;
}

/**
 * grtrace_channel_consume - bytes that were peeked at have been copied
 * @buf: a CPU's buffer
 * @size: their number, at most what grtrace_channel_peek() returned
 *
 * Context: As grtrace_channel_peek().
 * Return: false if the flight recorder may have overwritten them meanwhile:
 * the copy is worthless, and reading goes on with what is there now.
 */
bool grtrace_channel_consume(struct rchan_buf *buf, size_t size)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	size_t index = buf->subbufs_consumed % channel->n_subbufs;

	if (channel->overwrite) {
		smp_rmb();	/* C */
		if (READ_ONCE(buf->subbufs_produced) - buf->subbufs_consumed >=
		    channel->n_subbufs)
			return false;
	}
	buf->bytes_consumed += size;
	if (buf->bytes_consumed >= READ_ONCE(c->subbufs[index].bytes)) {
		buf->bytes_consumed = 0;
		/* B */
		smp_store_release(&buf->subbufs_consumed,
				  buf->subbufs_consumed + 1);
	}
	return true;
}
