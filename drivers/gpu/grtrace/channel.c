// SPDX-License-Identifier: GPL-2.0
/*
 * The channel: per-CPU memory, from a reserved record to a reader.
 *
 * It moves opaque bytes, except for PACKET, LOST and STOP, the records about the
 * channel itself. It knows no session, filter, ring or GPU. This file is the
 * writer's side, channel_read.c the reader's, channel_life.c creates and frees.
 *
 * Memory
 * ------
 *
 * Each CPU has a relay buffer of n_subbufs sub-buffers of equal size. They are
 * numbered from 0 on without end: number i is at place i % n_subbufs. relay
 * counts how many are finished (subbufs_produced) and how many were read
 * (subbufs_consumed). The sub-buffer that is being filled has the number
 * subbufs_produced. A finished one does not change until it is reused.
 *
 * One finished sub-buffer holds one packet or more: a PACKET record, then the
 * records whose time, context and sampling can be widened from what it says.
 * Readers are only ever given whole packets, never the sub-buffer in progress.
 *
 * Only the memory, its files and subbufs_produced are relay's. relay_write()
 * and relay_reserve() are not used, because they publish the room of a record
 * before the record is filled.
 *
 * Writing
 * -------
 *
 * struct grtrace_chan_cpu is one CPU's end of the channel, and only that CPU
 * writes to it, with interrupts off::
 *
 *	local_irq_save(flags);
 *	c = grtrace_channel_cpu(channel);
 *	if (grtrace_channel_reserve(c, size, kind, ts, ctx, sample)) {
 *		fill(grtrace_channel_at(c));
 *		grtrace_channel_publish(c, size, kind);
 *	}
 *	local_irq_restore(flags);
 *
 * Reserving claims nothing, so there is nothing to give back, and a record that
 * was reserved need not be written. @at moves in publish, when the record is
 * complete. So the bytes before @at are always whole records, and the packet may
 * be closed at any time between two records.
 *
 * The fast half of reserve is four comparisons. All that cannot be decided by
 * them is made to fail one of them:
 *
 *  - @at and @end are NULL while relay waits for room, so that nothing fits;
 *  - @ts_end is 0 from a switch until the new packet's PACKET record is
 *    written, and from a loss until it is reported, so that no time is below it;
 *  - @ctx_hi and @sample are those of the packet: another one needs a new packet.
 *
 * The slow half then begins a packet, reports the loss, switches to the next
 * sub-buffer, or counts the record as lost.
 *
 * NMIs
 * ----
 *
 * An NMI may come between reserve and publish. It must not write, because it
 * would fill the place that was just reserved. It may also come in the middle
 * of an update of @loss, so it does not touch that either. All it does is
 * increment @nmis, a counter that nothing else writes, by this_cpu_inc(), which
 * an NMI cannot tear on the architectures where it may be used there
 * (ARCH_HAS_NMI_SAFE_THIS_CPU_OPS). The writer never resets @nmis. It compares
 * it with @nmis_told, which only the writer changes, and takes over the
 * difference. An NMI that comes after the read is found by the next comparison:
 * none is lost and none counts twice.
 *
 * The CPU's own hands
 * -------------------
 *
 * A reader that finds no finished sub-buffer has the packet in progress closed,
 * by an IPI: its function runs on the writer's CPU with interrupts off, as a
 * record's writer does. The two cannot meet, and the writer needs neither a
 * lock nor an atomic operation against its readers.
 *
 * For a CPU that is offline a task acts. cpus_read_lock() keeps the CPU offline
 * meanwhile, and channel_offline_lock keeps other tasks away, which may be a
 * reader, one that takes a snapshot, or the end of the session.
 *
 * The end
 * -------
 *
 * A session's last record on each CPU is its STOP, which must not be lost whatever
 * the CPU wrote before and however slow the reader is. So ordinary records end
 * GRTRACE_END_ROOM before the end of a sub-buffer, and nothing else is needed: the
 * STOP, and a LOST if one is due, fit into the sub-buffer in progress. If relay waits
 * for room, there is none, and they are added to the last finished one. While relay
 * waits, the reader is at an earlier one, and cannot leave that without @stop_lock. If
 * it has left it, there is room in the next one.
 *
 * A sub-buffer's way in overwrite mode
 * ------------------------------------
 *
 * The writer does not wait for readers. It may take a finished sub-buffer back
 * at any time, also while it is being copied. The word subbufs[].unread says
 * which side has it: the writer sets it to the sub-buffer's number + 1 at the
 * end, and the side that takes it sets it to 0. Both do so by a single atomic
 * operation, so exactly one succeeds:
 *
 *  - the reader, after copying everything: then the events are read;
 *  - the writer, before its first byte: then the events count as overwritten,
 *    and the reader, who finds another word than it expects, drops its copy.
 *
 * The number in the word makes sure that a reader that slept for a whole turn of
 * the buffer does not take a newer sub-buffer for the one that it copied.
 *
 * Ordering
 * --------
 *
 * One CPU writes, another reads. Each access below has its letter beside it.
 *
 *  A  A finished sub-buffer is complete before it is counted.
 *
 *	writer: records, subbufs[].bytes	reader: load subbufs_produced
 *		smp_wmb()				(smp_load_acquire)
 *		subbufs_produced++			bytes, records
 *
 *     The writer's half is in channel_subbuf_switch(), the reader's in
 *     channel_unread() and grtrace_channel_copy(). relay increments the counter
 *     itself, so the writer needs a barrier instead of a store-release.
 *
 *  B  A sub-buffer is copied before it is handed back.
 *
 *	reader: copy of the records		writer: load subbufs_consumed
 *		subbufs_consumed++			branch: is there room?
 *			(smp_store_release)		store of new records
 *
 *     The reader's half is in grtrace_channel_consume(). On the writer's side
 *     relay_buf_full() reads the counter. No store may be moved before a branch
 *     that decides whether it happens, so this control dependency is enough.
 *
 *  C  In overwrite mode a sub-buffer is taken before it is overwritten.
 *
 *	writer: take it (xchg of unread)	reader: copy of the records
 *		smp_wmb()				smp_rmb()
 *		store of new records			check who has it
 *
 *     A reader whose copy has a single new byte also sees that the writer has
 *     taken the sub-buffer, and drops the copy. The writer's half is in
 *     grtrace_channel_subbuf_begin(); the reader's is in
 *     grtrace_channel_consume(), which checks the word, and in
 *     channel_copy_holds(), which takes nothing and uses the numbers.
 *
 *  D  A wait of relay comes after the count that it belongs to.
 *
 *	writer: subbufs_produced++		reader: load at
 *		smp_mb()				smp_rmb()
 *		at = NULL				load subbufs_produced
 *
 *     A snapshot may use the oldest sub-buffer although all places are full, if
 *     relay waits: then nothing is written there. It must not combine an old
 *     count with a newer wait. The writer's barrier is in relay_switch_subbuf(),
 *     and the reader's half in channel_copy_holds(). When the wait ends, the
 *     writer sets @at before it writes, which is ordered as in C.
 *
 *  E  relay's buffer is complete before it is used from outside.
 *
 *	writer: relay sets up the buffer	reader: load the pointer
 *		store the pointer to it			(smp_load_acquire)
 *			(smp_store_release)		use the buffer
 *
 *     When a CPU comes online, relay stores its own pointer to the new buffer
 *     without a barrier, so following that one may lead to a half-made buffer.
 *     The writer's half is in grtrace_channel_subbuf_begin(), which relay calls
 *     as its last step, the reader's in grtrace_channel_buf().
 *
 * Reads of another CPU's fields without a pair are marked by READ_ONCE() or
 * data_race(). They are hints (is there something to close?) or numbers for
 * people, and exact once that CPU is quiet.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include <uapi/drm/grtrace_drm.h>

#include "channel_write.h"

/* One task at a time acts for a CPU that is offline, see above. */
static DEFINE_RAW_SPINLOCK(channel_offline_lock);

/**
 * grtrace_channel_buf - a CPU's buffer
 * @channel: the channel
 * @cpu: the CPU
 *
 * Context: Any.
 * Return: the buffer, or NULL for a CPU that was never online.
 */
struct rchan_buf *grtrace_channel_buf(const struct grtrace_channel *channel,
				      int cpu)
{
	return smp_load_acquire(&per_cpu_ptr(channel->cpu, cpu)->buf); /* E */
}

/* ----------------------------------------------------------- sub-buffers */

/* Bytes in the sub-buffer in progress; 0 if relay waits for room. */
static size_t channel_used(const struct grtrace_chan_cpu *c)
{
	void *at = READ_ONCE(c->at);

	return at ? at - READ_ONCE(c->buf->data) : 0;
}

/**
 * grtrace_channel_subbuf_begin - may the next sub-buffer be filled?
 * @buf: relay's buffer
 * @first: it is new, and this is its first sub-buffer
 *
 * relay asks this when a sub-buffer is finished and again for each record that
 * finds no room, until the answer is yes. In overwrite mode it always is.
 *
 * Context: The buffer's CPU with interrupts off; process, if @first or if that
 * CPU is offline.
 * Return: false if the reader has to read first.
 */
bool grtrace_channel_subbuf_begin(struct rchan_buf *buf, bool first)
{
	struct grtrace_channel *channel = buf->chan->private_data;
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	struct grtrace_subbuf *next;

	if (!channel->overwrite && relay_buf_full(buf))	/* B */
		return false;

	next = &c->subbufs[buf->subbufs_produced % channel->n_subbufs];
	/* The word is still set: no reader was faster, so its events are overwritten. */
	if (channel->overwrite && xchg(&next->unread, 0))	/* C */
		grtrace_stat_add(GRTRACE_STAT_OVERWRITTEN, next->events);
	if (first) {
		c->at = buf->data;
		c->end = buf->data + channel->subbuf_size - GRTRACE_END_ROOM;
		smp_store_release(&c->buf, buf);	/* E */
	}
	/* It may be read without those before it, so names are recorded again. */
	memset(c->tasks_seen, 0, sizeof(c->tasks_seen));
	memset(c->fences_seen, 0, sizeof(c->fences_seen));
	smp_wmb();	/* C */
	return true;
}

/*
 * Finishes the sub-buffer in progress and begins the next. Returns whether
 * there is one; @size is what the caller is going to write to it.
 *
 * It is also called while relay waits for room, to ask again. Then there is
 * nothing to finish: the last sub-buffer was counted by the call that found no
 * room. relay knows this by its offset, which it sets beyond the end.
 */
static bool channel_subbuf_switch(struct grtrace_chan_cpu *c, size_t size)
{
	struct rchan_buf *buf = c->buf;
	u64 events = c->cseq - c->others;
	struct grtrace_subbuf *subbuf;
	bool room;

	if (c->at) {
		buf->offset = channel_used(c);
		subbuf = &c->subbufs[buf->subbufs_produced %
				     c->channel->n_subbufs];
		subbuf->bytes = buf->offset;
		subbuf->events = events - c->begun;
		/* Once relay has counted it, a reader may take it. */
		WRITE_ONCE(subbuf->unread, buf->subbufs_produced + 1);
		c->begun = events;
	}
	c->ts_end = 0;
	smp_wmb();	/* A */
	relay_switch_subbuf(buf, size);	/* counts it, then D */
	/* Its return value would not do: it is also 0 for a size of 0. */
	room = buf->offset <= c->subbuf_size;
	WRITE_ONCE(c->at, room ? buf->data : NULL);
	smp_wmb();	/* C: relay stops waiting before anything is written */
	c->end = room ? buf->data + c->subbuf_size - GRTRACE_END_ROOM : NULL;
	return room;
}

/* --------------------------------------------------------------- packets */

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
	/* Other CPUs count on meanwhile. Near is enough for widening the records' numbers. */
	packet->gseq = cpu_to_le64(atomic64_read(&c->channel->gseq));
	packet->cseq = cpu_to_le64(c->cseq);
	packet->lost = cpu_to_le64(c->lost);
	packet->ctx_hi = cpu_to_le32(c->ctx_hi);
	packet->sample = cpu_to_le32(c->sample);
	c->at += sizeof(*packet);
	c->ts_end = ts + GRTRACE_TS_NEAR;
}

/* Returns the record's end. */
static void *channel_stop_at(const struct grtrace_chan_cpu *c, void *at, u64 ts)
{
	struct grtrace_rec_stop *stop = at;

	stop->hdr.type = cpu_to_le16(GRTRACE_STOP);
	stop->hdr.size = cpu_to_le16(sizeof(*stop));
	stop->reserved = 0;
	stop->ts = cpu_to_le64(ts);
	stop->gseq = cpu_to_le64(atomic64_read(&c->channel->gseq));
	stop->cseq = cpu_to_le64(c->cseq);
	stop->lost = cpu_to_le64(c->lost);
	return stop + 1;
}

/*
 * A LOST record uses up the sequence numbers of what was lost. So the numbers of
 * a CPU have no hole, and a hole in what a reader has is a loss on its own side.
 */
static void *channel_lost_at(struct grtrace_chan_cpu *c, void *at)
{
	struct grtrace_loss *loss = &c->loss;
	struct grtrace_rec_lost *lost = at;

	lost->hdr.type = cpu_to_le16(GRTRACE_LOST);
	lost->hdr.size = cpu_to_le16(sizeof(*lost));
	lost->notes = cpu_to_le32(loss->notes);
	lost->events = cpu_to_le64(loss->events);
	lost->first_ts = cpu_to_le64(loss->first);
	lost->last_ts = cpu_to_le64(loss->last);
	lost->limited = cpu_to_le64(loss->limited);
	lost->pressure = cpu_to_le64(loss->pressure);
	c->cseq += loss->events + loss->notes;
	c->others += loss->events + loss->notes;
	*loss = (struct grtrace_loss) {};
	return lost + 1;
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

/* Takes over what NMIs have counted. Their times are not known; the present is the best guess. */
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

/*
 * Begins a packet with room for its first records and for @size bytes. If there
 * is no room, what was lost stays in @loss for the next packet.
 */
static bool channel_packet_start(struct grtrace_chan_cpu *c, size_t size,
				 u64 ts)
{
	channel_nmis_collect(c, ts);
	size += sizeof(struct grtrace_rec_packet);
	if (channel_has_loss(c))
		size += sizeof(struct grtrace_rec_lost);
	/* also true if both are NULL */
	if (c->at + size > c->end && !channel_subbuf_switch(c, size))
		return false;
	channel_packet_write(c, ts);
	if (channel_has_loss(c))
		c->at = channel_lost_at(c, c->at);
	return true;
}

/* ------------------------------------------------------ reserve and lose */

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
		return;
	}
	if (kind == GRTRACE_KIND_NOTE) {
		c->loss.notes++;
		c->lost++;
	}
	grtrace_stat_inc(GRTRACE_STAT_LOST_NOTES);
}

/* The slow half of grtrace_channel_reserve(): the record needs a packet of its own. */
bool __grtrace_channel_reserve(struct grtrace_chan_cpu *c, size_t size,
			       enum grtrace_rec_kind kind, u64 ts, u64 ctx,
			       u32 sample)
{
	enum grtrace_stat reason = GRTRACE_STAT_RESERVE_FAIL;

	/* An empty sub-buffer must have room for it, or it would be tried for ever. */
	if (size + sizeof(struct grtrace_rec_packet) +
	    sizeof(struct grtrace_rec_lost) + GRTRACE_END_ROOM > c->subbuf_size) {
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
	/* In overwrite mode the reader may be more than a turn behind. */
	finished = min_t(size_t, finished, c->channel->n_subbufs);
	used = channel_used(c);
	/* While the CPU moves to the next sub-buffer, used may cover both. */
	if (used > c->subbuf_size)
		used = 0;
	return finished * c->subbuf_size + used;
}

/* ------------------------------------------------ closing a packet for readers */

/*
 * Finishes the packet in progress: on the buffer's CPU with interrupts off, or
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

/*
 * Relay waits for room: adds the end to the last finished sub-buffer. Returns false if a
 * reader has just made room.
 */
static bool channel_stop_behind(struct grtrace_chan_cpu *c, u64 ts)
{
	const struct grtrace_channel *channel = c->channel;
	struct rchan_buf *buf = c->buf;
	size_t index = (buf->subbufs_produced - 1) % channel->n_subbufs;
	struct grtrace_subbuf *subbuf = &c->subbufs[index];
	void *start = buf->start + index * c->subbuf_size, *at;
	bool full;

	raw_spin_lock(&c->stop_lock);
	full = relay_buf_full(buf);
	if (full) {
		at = start + subbuf->bytes;
		if (channel_has_loss(c))
			at = channel_lost_at(c, at);
		at = channel_stop_at(c, at, ts);
		subbuf->bytes = at - start;
	}
	raw_spin_unlock(&c->stop_lock);
	return full;
}

/* Writes the end of a CPU's stream; it is called as channel_packet_close(). */
static void channel_stop(void *data)
{
	struct rchan_buf *buf = data;
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);
	u64 ts = grtrace_clock(channel->clock);

	channel_nmis_collect(c, ts);
	while (!c->at && !channel_subbuf_switch(c, 0))
		if (channel_stop_behind(c, ts))
			return;
	/* The sub-buffer may be new. */
	if (!channel_used(c))
		channel_packet_write(c, ts);
	if (channel_has_loss(c))
		c->at = channel_lost_at(c, c->at);
	c->at = channel_stop_at(c, c->at, ts);
	channel_subbuf_switch(c, 0);
}

/*
 * If nothing is in progress and nothing was lost, the CPU, which may be idle, is
 * not woken. This reads another CPU's state without order: what it misses is
 * closed the next time. The end of a session does not ask it.
 */
static bool channel_is_quiet(struct rchan_buf *buf)
{
	struct grtrace_channel *channel = grtrace_channel_of(buf);
	const struct grtrace_chan_cpu *c = per_cpu_ptr(channel->cpu, buf->cpu);

	/* see above */
	return !data_race(channel_used(c)) && !READ_ONCE(c->loss.events) &&
	       !READ_ONCE(c->loss.notes) &&
	       READ_ONCE(c->nmis) == READ_ONCE(c->nmis_told);
}

/* Calls a function on a buffer's CPU, or in its place while it is offline. */
static void channel_call(struct rchan_buf *buf, smp_call_func_t call)
{
	unsigned long flags;

	cpus_read_lock();
	/* It fails only if the CPU is offline, which it then stays. */
	if (smp_call_function_single(buf->cpu, call, buf, 1)) {
		raw_spin_lock_irqsave(&channel_offline_lock, flags);
		call(buf);
		raw_spin_unlock_irqrestore(&channel_offline_lock, flags);
	}
	cpus_read_unlock();
}

/**
 * grtrace_channel_close_packet - finish the packet in progress, on its CPU
 * @buf: a CPU's buffer
 *
 * Context: Process.
 */
void grtrace_channel_close_packet(struct rchan_buf *buf)
{
	if (!channel_is_quiet(buf))
		channel_call(buf, channel_packet_close);
}

/**
 * grtrace_channel_stop - write the end of every CPU's stream
 * @channel: the channel, to which no hook writes now
 *
 * A CPU that has written nothing gets a STOP as well: then a stream without one is
 * known to be cut, and what a session's CPUs have written in all is in each stream.
 *
 * Context: Process.
 */
void grtrace_channel_stop(struct grtrace_channel *channel)
{
	struct rchan_buf *buf;
	int cpu;

	for_each_possible_cpu(cpu) {
		buf = grtrace_channel_buf(channel, cpu);
		if (buf)
			channel_call(buf, channel_stop);
	}
}
