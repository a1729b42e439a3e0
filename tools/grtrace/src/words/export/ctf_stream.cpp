// SPDX-License-Identifier: GPL-2.0
#include "words/export/ctf_stream.h"

#include <algorithm>
#include <utility>

#include "lib/text/utf8_text.h"
#include "words/export/ctf_layout.h"

namespace grtrace {

namespace {

// Little endian, as the metadata says.
void append(std::string &bytes, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes.push_back(static_cast<char>(value >> (8 * i)));
}

size_t size_of(CtfType type)
{
	switch (type) {
	case CtfType::u16:
	case CtfType::hex16:
		return 2;
	case CtfType::u64:
	case CtfType::s64:
		return 8;
	default:
		return 4;
	}
}

void append(std::string &bytes, const CtfField &field, const Event &event)
{
	if (field.number) {
		append(bytes, field.number(event), size_of(field.type));
		return;
	}
	bytes += utf8_text(field.text(event));
	bytes.push_back('\0');
}

// Header and context of a packet: magic, uuid, stream, two times, two sizes,
// number, discarded, cpu.
constexpr size_t head_size = 4 + 16 + 4 + 6 * 8 + 4;

} // namespace

CtfStream::CtfStream(OutputDirectory &out, std::string file, uint32_t cpu, const Session &session)
	: out_(out), file_(std::move(file)), uuid_(ctf_uuid(session)), cpu_(cpu),
	  last_time_(ctf_last_time(session)), now_(std::min(session.start_ts, last_time_)),
	  last_ts_(now_)
{
	// Without one before it, a reader does not know how many a first packet
	// has discarded.
	begin(now_);
	end(now_);
}

uint64_t CtfStream::later(uint64_t ts)
{
	if (ts <= last_time_)
		now_ = std::max(now_, ts);
	return now_;
}

void CtfStream::begin(uint64_t ts)
{
	begun_ = later(ts);
	bytes_.assign(head_size, '\0');
}

void CtfStream::end(uint64_t ts)
{
	std::string head;

	append(head, ctf_magic, 4);
	head.append(reinterpret_cast<const char *>(uuid_.data()), uuid_.size());
	append(head, 0, 4);
	append(head, begun_, 8);
	append(head, later(ts), 8);
	append(head, bytes_.size() * 8, 8);
	append(head, bytes_.size() * 8, 8);
	append(head, packets_++, 8);
	append(head, discarded_, 8);
	append(head, cpu_, 4);
	bytes_.replace(0, head_size, head);
	out_.append(file_, bytes_);
	bytes_.clear();
}

void CtfStream::put(const Event &event, uint64_t ts)
{
	const CtfKind kind = ctf_kind(event);

	append(bytes_, kind.id, 2);
	append(bytes_, later(ts), 8);
	for (const CtfField &field : ctf_context())
		append(bytes_, field, event);
	for (const CtfField &field : kind.fields)
		append(bytes_, field, event);
}

// Where cseq jumps, records are missing that no LOST reports.
void CtfStream::account(const Event &event, bool in_time)
{
	if (event.cseq > next_cseq_ && in_time) {
		write_loss(event.ts);
		loss_.records = event.cseq - next_cseq_;
		loss_.first_ts = last_ts_;
		loss_.last_ts = event.ts;
	}
	write_loss(event.ts);
	next_cseq_ = std::max(next_cseq_, event.cseq) + event.sequenced;
	last_ts_ = event.ts;
	if (event.type != GRTRACE_LOST)
		return;

	const Lost lost = lost_of(event);
	next_cseq_ += lost.records();
	last_ts_ = lost.last_ts;
	if (!in_time)
		return;
	loss_.raw.assign(event.raw, event.raw + event.size);
	loss_.event = event;
	loss_.records = lost.records();
	loss_.first_ts = lost.first_ts;
	loss_.last_ts = lost.last_ts;
}

// The next event is not older than what was lost, whatever its time says.
void CtfStream::write_loss(uint64_t until)
{
	if (!loss_.records && loss_.raw.empty())
		return;

	const uint64_t first = std::min(loss_.first_ts, until);
	if (!bytes_.empty())
		end(first);
	begin(first);
	discarded_ += loss_.records;
	if (!loss_.raw.empty()) {
		loss_.event.raw = loss_.raw.data();
		put(loss_.event, first);
	}
	end(std::min(loss_.last_ts, until));
	loss_ = {};
}

void CtfStream::event(const Event &event)
{
	account(event, true);
	if (event.type == GRTRACE_LOST)
		return;
	if (bytes_.size() > packet_limit)
		end(now_);
	if (bytes_.empty())
		begin(event.ts);
	put(event, event.ts);
}

void CtfStream::skip(const Event &event, bool in_time)
{
	account(event, in_time);
}

void CtfStream::finish(uint64_t last_ts)
{
	write_loss(std::max(last_ts, now_));
	if (!bytes_.empty())
		end(now_);
}

} // namespace grtrace
