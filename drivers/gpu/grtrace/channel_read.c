// SPDX-License-Identifier: GPL-2.0
/*
 * The reader's side of the channel. channel.c has the writer's side, and
 * explains the ordering between the two sides; the letters here are its pairs.
 *
 * Reading a trace file
 * --------------------
 *
 * A reader takes the oldest sub-buffer that is finished and not yet consumed::
 *
 *	size = grtrace_channel_peek(buf, &data, close);
 *	copy(data, size);
 *	if (grtrace_channel_consume(buf, size))
 *		the copy is valid;
 *
 * If there is none, peek can have the packet in progress closed, and returns
 * that one. So readers get data even when few events occur, and every read
 * returns whole packets, which can be decoded by themselves.
 *
 * The position is relay's: subbufs_consumed, and bytes_consumed within that
 * sub-buffer. Only readers change it, one at a time: they hold @read_lock. The
 * writer reads subbufs_consumed alone, to see whether there is room.
 *
 * With mode=stop a sub-buffer stays as it is until it is consumed: consume
 * always succeeds. With mode=overwrite the writer may take it back between peek
 * and consume, and the copy may then consist of old and new bytes. That is not
 * prevented but detected. The copy must not be trusted, nor anything that was
 * read from it, until consume has said so. Where the code looks into a record
 * before that, it checks each value that it uses.
 *
 * Taking a snapshot
 * -----------------
 *
 * grtrace_channel_copy() copies all finished sub-buffers, and takes none: what
 * it copies can still be read. So it needs no lock against readers of the file,
 * and it decides by the numbers alone which copies are valid.
 *
 * relay's own read() is not used: on weakly ordered machines it shows records
 * that are not yet filled, and in overwrite mode torn sub-buffers.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "channel.h"

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
 * relay creates the file before it sets the buffer's CPU, counts and lists.
 */
bool grtrace_channel_is_ready(struct rchan_buf *buf)
{
	unsigned int cpu = READ_ONCE(buf->cpu);

	return grtrace_channel_buf(grtrace_channel_of(buf), cpu) == buf;
}

/**
 * grtrace_channel_read_lock - the lock for reading a trace file
 * @buf: relay's buffer, held by the caller
 */
struct mutex *grtrace_channel_read_lock(struct rchan_buf *buf)
{
	return &per_cpu_ptr(grtrace_channel_of(buf)->cpu, buf->cpu)->read_lock;
}

/**
 * grtrace_channel_cseq - sequence numbers that a CPU has used up
 * @channel: the channel
 * @cpu: the CPU
 *
 * Numbers of lost records that are not yet reported are included.
 *
 * Context: Any; exact while the CPU writes nothing.
 */
u64 grtrace_channel_cseq(struct grtrace_channel *channel, int cpu)
{
	const struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, cpu);

	return READ_ONCE(c->cseq) + READ_ONCE(c->loss.events) +
	       READ_ONCE(c->loss.notes) + READ_ONCE(c->nmis) -
	       READ_ONCE(c->nmis_told);
}

/* The number of finished sub-buffers that were not consumed; their bytes may be read. */
static size_t channel_unread(struct rchan_buf *buf)
{
	return smp_load_acquire(&buf->subbufs_produced) - buf->subbufs_consumed; /* A */
}

/*
 * The flight recorder may have gone round: continue with the oldest sub-buffer
 * that is not being overwritten. There are n_subbufs places, and one of them is
 * the writer's, so it is the oldest of the last n_subbufs - 1. The writer may take
 * it next, which consume finds out. It has counted those before as overwritten.
 */
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
 * grtrace_channel_peek - find the oldest unread bytes
 * @buf: a CPU's buffer
 * @data: set to these bytes
 * @close: close the packet in progress if nothing else is left
 *
 * Never crosses from one sub-buffer to the next.
 *
 * Context: Process, with grtrace_channel_read_lock() held.
 * Return: the number of bytes, 0 if there are none.
 */
size_t grtrace_channel_peek(struct rchan_buf *buf, const void **data,
			    bool close)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	size_t unread = channel_unread(buf);
	size_t index, bytes;

	if (!unread && close && !buf->finalized) {
		grtrace_channel_close_packet(buf);
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
		/*
		 * The length is not that of the sub-buffer that was meant: it was
		 * overwritten since the check, by one of another length. Begin
		 * again, with the position that is safe now.
		 */
		buf->bytes_consumed = 0;
		unread = channel_unread(buf);
	}
	return 0;
}

/*
 * Returns whether a copy that was made of sub-buffer number @i is valid. The
 * writer overwrites its place with number i + n_subbufs, so it did not begin to
 * if that number is not even the next. If it is the next, the writer has begun,
 * unless relay waits for room. A wait that has ended by now does not count: @at
 * was set before the first new byte.
 */
static bool channel_copy_holds(const struct grtrace_chan_cpu *c, size_t i)
{
	const struct grtrace_channel *channel = c->channel;
	size_t newer;
	bool waits;

	smp_rmb();	/* C: the copy comes before both checks */
	waits = !READ_ONCE(c->at);
	smp_rmb();	/* D: otherwise the count may be older than relay's wait */
	newer = READ_ONCE(c->buf->subbufs_produced) - i;
	return newer < channel->n_subbufs ||
	       (newer == channel->n_subbufs && waits);
}

/**
 * grtrace_channel_copy - copy everything that a CPU's buffer holds
 * @buf: the buffer
 * @to: destination
 * @room: its size in bytes; the size of the whole buffer is always enough
 *
 * Copies whole packets, the oldest first, whether they were read or not.
 * Writing continues meanwhile.
 *
 * Context: Process, sleeps.
 * Return: bytes copied.
 */
size_t grtrace_channel_copy(struct rchan_buf *buf, void *to, size_t room)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	size_t produced, i, index, bytes, used = 0;

	grtrace_channel_close_packet(buf);
	produced = smp_load_acquire(&buf->subbufs_produced);	/* A */
	i = produced > channel->n_subbufs ? produced - channel->n_subbufs : 0;
	for (; i < produced; i++) {
		index = i % channel->n_subbufs;
		/* It may be the length of a newer one: then the copy does not hold. */
		bytes = READ_ONCE(c->subbufs[index].bytes);
		if (bytes > channel->subbuf_size || bytes > room - used)
			continue;
		/* A torn copy is left out below. */
		data_race(memcpy(to + used,
				 buf->start + index * channel->subbuf_size,
				 bytes));
		if (channel_copy_holds(c, i))
			used += bytes;
		cond_resched();
	}
	return used;
}

/**
 * grtrace_channel_whole - how many bytes a reader with little room may take
 * @buf: a CPU's buffer
 * @data: from grtrace_channel_peek()
 * @size: return value of that call
 * @room: bytes the reader has room for
 *
 * The flight recorder may overwrite the rest of a record before it is read, so
 * bytes are cut only between records.
 *
 * Context: As grtrace_channel_peek().
 * Return: number of bytes to take, 0 if not even one record fits.
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
		/* The record may be overwritten at this moment, so its fields are checked. */
		hdr = data + used;
		next = le16_to_cpu(READ_ONCE(hdr->size));
		if (next < sizeof(*hdr) || next > room - used)
			break;
		used += next;
	}
	return used;
}

static bool channel_consume(struct grtrace_chan_cpu *c, struct rchan_buf *buf,
			    size_t size)
{
	const struct grtrace_channel *channel = c->channel;
	size_t index = buf->subbufs_consumed % channel->n_subbufs;
	struct grtrace_subbuf *subbuf = &c->subbufs[index];
	unsigned long unread = buf->subbufs_consumed + 1;
	bool last = buf->bytes_consumed + size >= READ_ONCE(subbuf->bytes);

	if (channel->overwrite) {
		smp_rmb();	/* C: the copy comes before the check */
		if (last ? cmpxchg(&subbuf->unread, unread, 0) != unread :
			   READ_ONCE(subbuf->unread) != unread)
			return false;
	}
	buf->bytes_consumed += size;
	if (last) {
		buf->bytes_consumed = 0;
		smp_store_release(&buf->subbufs_consumed,	/* B */
				  buf->subbufs_consumed + 1);
	}
	return true;
}

/**
 * grtrace_channel_consume - report that peeked bytes have been copied
 * @buf: a CPU's buffer
 * @size: number of these bytes, at most what grtrace_channel_peek() returned
 *
 * Context: As grtrace_channel_peek().
 * Return: false if the flight recorder may have overwritten the bytes
 * meanwhile: then the copy is invalid, and reading continues with the current
 * content.
 *
 * A part of a sub-buffer is not taken, but only looked at: another part follows.
 * The last part takes it, which fails if the writer was faster.
 */
bool grtrace_channel_consume(struct rchan_buf *buf, size_t size)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	unsigned long flags;
	bool consumed;

	/* A STOP may be written to the last sub-buffer: only before a reader gets to it. */
	raw_spin_lock_irqsave(&c->stop_lock, flags);
	consumed = channel_consume(c, buf, size);
	raw_spin_unlock_irqrestore(&c->stop_lock, flags);
	return consumed;
}
