// SPDX-License-Identifier: GPL-2.0
#include "channels.h"

#include <cstddef>
#include <cstring>

#include <drm/grtrace_drm.h>

#include "format/byte_order.h"

namespace grtrace {

// The uAPI wants a new packet for a record this long after the one before it.
constexpr uint64_t packet_gap = 1 << 30;
// The records that all CPUs together keep back in a stream at most, so that a
// reader who puts them in order need not hold more.
constexpr uint64_t stream_records = 32768;
constexpr unsigned int longest_burst = 32;

Channels::Channels(const Options &options, Dice &dice, Flush flush)
	: options_(options), dice_(dice), flush_(std::move(flush)), channels_(options.cpus)
{
	for (Channel &channel : channels_)
		channel.subbuf.resize(options_.subbuf_size);
}

// Records are lost in bursts: the reader was late.
bool Channels::drops(Channel &channel, uint64_t ts, bool is_event)
{
	if (!options_.drop_permille)
		return false;
	if (!channel.drops && dice_.below(1000 * longest_burst / 2) < options_.drop_permille)
		channel.drops = 1 + dice_.below(longest_burst);
	if (!channel.drops)
		return false;

	channel.drops--;
	if (!channel.lost_events && !channel.lost_notes)
		channel.lost_first = ts;
	channel.lost_last = ts;
	(is_event ? channel.lost_events : channel.lost_notes)++;
	totals_.lost++;
	return true;
}

void Channels::open_packet(uint32_t cpu, uint64_t ts, uint32_t ctx_hi)
{
	using Packet = grtrace_rec_packet;

	Channel &channel = channels_[cpu];
	uint8_t *record = &channel.subbuf[channel.used];

	if (!channel.used)
		channel.overwritten = dice_.chance(options_.overwrite_permille);
	memset(record, 0, sizeof(Packet));
	store16(record, GRTRACE_PACKET);
	store16(record + 2, sizeof(Packet));
	store32(record + offsetof(Packet, magic), GRTRACE_MAGIC);
	store16(record + offsetof(Packet, major), GRTRACE_VERSION_MAJOR);
	store16(record + offsetof(Packet, minor), GRTRACE_VERSION_MINOR);
	store32(record + offsetof(Packet, cpu), cpu);
	store64(record + offsetof(Packet, session), session);
	store64(record + offsetof(Packet, ts), ts);
	store64(record + offsetof(Packet, gseq), gseq_);
	store64(record + offsetof(Packet, cseq), channel.cseq);
	store64(record + offsetof(Packet, lost), channel.lost_before);
	store32(record + offsetof(Packet, ctx_hi), ctx_hi);
	channel.used += sizeof(Packet);
	channel.ctx_hi = ctx_hi;
	channel.ts = ts;
}

void Channels::put_lost(uint32_t cpu, uint64_t ts, uint32_t ctx_hi)
{
	using Lost = grtrace_rec_lost;

	Channel &channel = channels_[cpu];

	if (channel.used + sizeof(Lost) > channel.subbuf.size())
		flush(cpu);
	if (!channel.used)
		open_packet(cpu, ts, ctx_hi);

	uint8_t *record = &channel.subbuf[channel.used];
	memset(record, 0, sizeof(Lost));
	store16(record, GRTRACE_LOST);
	store16(record + 2, sizeof(Lost));
	store32(record + offsetof(Lost, notes), static_cast<uint32_t>(channel.lost_notes));
	store64(record + offsetof(Lost, events), channel.lost_events);
	store64(record + offsetof(Lost, first_ts), channel.lost_first);
	store64(record + offsetof(Lost, last_ts), channel.lost_last);
	channel.used += sizeof(Lost);
	channel.cseq += channel.lost_events + channel.lost_notes;
	channel.lost_here += channel.lost_events + channel.lost_notes;
	channel.lost_before += channel.lost_events + channel.lost_notes;
	channel.lost_events = channel.lost_notes = 0;
}

void Channels::flush(uint32_t cpu)
{
	Channel &channel = channels_[cpu];

	if (!channel.used)
		return;
	if (channel.overwritten) {
		totals_.overwritten += channel.records;
	} else {
		totals_.written += channel.records;
		totals_.bytes += channel.used;
		flush_(cpu, channel.subbuf.data(), channel.used);
	}
	channel.used = 0;
	channel.records = 0;
	channel.lost_here = 0;
	channel.named.clear();
}

uint8_t *Channels::reserve(uint32_t cpu, uint16_t type, size_t size, uint64_t ts, uint32_t pid,
			   uint32_t ctx_hi)
{
	Channel &channel = channels_[cpu];

	if (channel.lost_events || channel.lost_notes)
		put_lost(cpu, ts, ctx_hi);
	if (channel.used + sizeof(grtrace_rec_packet) + size > channel.subbuf.size())
		flush(cpu);
	if (!channel.used || channel.ctx_hi != ctx_hi ||
	    (ts > channel.ts && ts - channel.ts >= packet_gap))
		open_packet(cpu, ts, ctx_hi);

	uint8_t *record = &channel.subbuf[channel.used];
	store16(record, type);
	store16(record + 2, static_cast<uint16_t>(size));
	store32(record + offsetof(grtrace_rec_seq, ts), static_cast<uint32_t>(ts));
	store32(record + offsetof(grtrace_rec_seq, seq), static_cast<uint32_t>(gseq_));
	store32(record + offsetof(grtrace_rec_seq, pid), pid);
	channel.used += size;
	channel.ts = ts;
	channel.cseq++;
	channel.records++;
	gseq_++;
	if (options_.stream && ++unflushed_ >= stream_records) {
		unflushed_ = 0;
		for (uint32_t other = 0; other < channels_.size(); other++)
			if (other != cpu)
				flush(other);
	}
	return record;
}

static bool has_fence(const NewEvent &event)
{
	switch (event.type) {
	case GRTRACE_DEP:
	case GRTRACE_BLOCKED:
	case GRTRACE_COMMIT:
	case GRTRACE_CTX_SWITCH:
		return true;
	}
	return false;
}

static size_t size_of(const NewEvent &event)
{
	if (event.type == GRTRACE_SUBMIT)
		return event.fence_ctx ? sizeof(grtrace_rec_command) : sizeof(grtrace_rec_submit);
	if (event.type == GRTRACE_ERROR)
		return sizeof(grtrace_rec_error);
	return has_fence(event) ? sizeof(grtrace_rec_job_fence) : sizeof(grtrace_rec_job);
}

void Channels::name_again(uint32_t cpu, const NewEvent &event, size_t size)
{
	Channel &channel = channels_[cpu];
	const auto name = names_.find(event.pid);

	if (event.flags & (GRTRACE_IN_SOFTIRQ | GRTRACE_IN_HARDIRQ) || name == names_.end())
		return;
	if (channel.used + sizeof(grtrace_rec_packet) + sizeof(grtrace_rec_task) + size >
	    channel.subbuf.size())
		flush(cpu);
	if (!channel.named.count(event.pid))
		write_task(cpu, event.ts, event.pid, name->second.tgid, name->second.comm);
}

bool Channels::write(uint32_t cpu, const NewEvent &event)
{
	using Job = grtrace_rec_job;
	using Fence = grtrace_rec_job_fence;
	using Error = grtrace_rec_error;
	using Command = grtrace_rec_command;

	const size_t size = size_of(event);

	if (drops(channels_[cpu], event.ts, true))
		return false;
	if (options_.names)
		name_again(cpu, event, size);

	uint8_t *record = reserve(cpu, event.type, size, event.ts, event.pid,
				  static_cast<uint32_t>(event.ctx >> 32));
	store32(record + offsetof(Job, ctx), static_cast<uint32_t>(event.ctx));
	store32(record + offsetof(Job, seqno), event.seqno);
	store32(record + offsetof(Job, ring), event.ring);
	store16(record + offsetof(Job, flags), event.flags);
	store16(record + offsetof(Job, arg), event.arg);
	if (has_fence(event)) {
		store32(record + offsetof(Fence, fence_ctx),
			static_cast<uint32_t>(event.fence_ctx));
		store32(record + offsetof(Fence, fence_seqno), event.fence_seqno);
	} else if (event.type == GRTRACE_ERROR) {
		store32(record + offsetof(Error, kind), event.kind);
		store32(record + offsetof(Error, code), static_cast<uint32_t>(event.code));
		memset(record + offsetof(Error, pid), 0, sizeof(Error) - offsetof(Error, pid));
	} else if (event.type == GRTRACE_SUBMIT) {
		store64(record + offsetof(grtrace_rec_submit, client), event.client);
		if (size < sizeof(Command))
			return !channels_[cpu].overwritten;
		store32(record + offsetof(Command, fence_ctx),
			static_cast<uint32_t>(event.fence_ctx));
		store32(record + offsetof(Command, fence_seqno), event.fence_seqno);
		store64(record + offsetof(Command, command), 0); // and what is reserved
	}
	return !channels_[cpu].overwritten;
}

static void put_text(uint8_t *to, size_t room, std::string_view text)
{
	memset(to, 0, room);
	memcpy(to, text.data(), text.size() < room ? text.size() : room - 1);
}

bool Channels::write_task(uint32_t cpu, uint64_t ts, uint32_t pid, uint32_t tgid,
			  std::string_view comm)
{
	using Task = grtrace_rec_task;

	if (drops(channels_[cpu], ts, false))
		return false;

	uint8_t *record = reserve(cpu, GRTRACE_TASK, sizeof(Task), ts, pid, channels_[cpu].ctx_hi);
	store32(record + offsetof(Task, tgid), tgid);
	store32(record + offsetof(Task, reserved), 0);
	put_text(record + offsetof(Task, comm), GRTRACE_COMM_LEN, comm);
	store64(record + offsetof(Task, cgroup), 0);
	channels_[cpu].named.insert(pid);
	names_[pid] = {tgid, std::string(comm)};
	return !channels_[cpu].overwritten;
}

bool Channels::write_ring(uint32_t cpu, uint64_t ts, uint32_t id, uint32_t engine_class,
			  std::string_view device, std::string_view driver, std::string_view name)
{
	using Ring = grtrace_rec_ring;

	if (drops(channels_[cpu], ts, false))
		return false;

	uint8_t *record = reserve(cpu, GRTRACE_RING, sizeof(Ring), ts, 0, channels_[cpu].ctx_hi);
	store32(record + offsetof(Ring, ring), id);
	store32(record + offsetof(Ring, engine_class), engine_class);
	put_text(record + offsetof(Ring, device), GRTRACE_DEVICE_LEN, device);
	put_text(record + offsetof(Ring, driver), GRTRACE_DRIVER_LEN, driver);
	put_text(record + offsetof(Ring, name), GRTRACE_NAME_LEN, name);
	return !channels_[cpu].overwritten;
}

void Channels::finish()
{
	for (uint32_t cpu = 0; cpu < channels_.size(); cpu++) {
		Channel &channel = channels_[cpu];

		if (channel.lost_events || channel.lost_notes)
			put_lost(cpu, channel.ts, channel.ctx_hi);
		if (!channel.overwritten) {
			flush(cpu);
			continue;
		}
		totals_.cut += channel.records + channel.lost_here;
		totals_.lost -= channel.lost_here;
	}
}

} // namespace grtrace
