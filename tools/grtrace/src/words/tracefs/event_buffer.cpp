// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/event_buffer.h"

#include "format/byte_order.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace grtrace {

namespace {

// The bytes of a CPU that are read and not yet used.
constexpr size_t most_bytes = 4 * 1024 * 1024;

// Events are sorted by time. An event that is being written during the read may be a little
// older than the time before the read.
constexpr uint64_t slack_ns = 2'000'000;

} // namespace

EventBuffer::EventBuffer(uint32_t cpu, Fd fd, size_t subbuf_bytes)
	: cpu_(cpu), subbuf_bytes_(subbuf_bytes), fd_(std::move(fd)),
	  kbuffer_(kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST))
{
	event_.cpu = cpu;
}

EventBuffer::~EventBuffer()
{
	kbuffer_free(kbuffer_);
}

void EventBuffer::push(std::vector<uint8_t> subbuf)
{
	newest_ts_ = kbuffer_subbuf_timestamp(kbuffer_, subbuf.data());
	subbufs_.push_back(std::move(subbuf));
}

Status EventBuffer::fill(uint64_t now)
{
	const size_t most = std::max<size_t>(2, most_bytes / subbuf_bytes_);

	drained_ = false;
	while (subbufs_.size() < most) {
		spare_.resize(subbuf_bytes_);
		const ssize_t got = read(fd_.get(), spare_.data(), spare_.size());
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno != EAGAIN)
			return Status::error("the trace of CPU {}: {}", cpu_, strerror(errno));
		if (got <= 0) {
			drained_ = true;
			break;
		}
		push(std::move(spare_));
	}
	// If there is more to read, later events are not older than the newest one here.
	const uint64_t until = drained_ ? now - std::min(now, slack_ns) : newest_ts_;
	complete_until_ = std::max(complete_until_, until);
	return Status();
}

// Loads the first sub-buffer, unless it is loaded.
bool EventBuffer::load()
{
	while (!loaded_) {
		if (subbufs_.empty())
			return false;
		if (kbuffer_load_subbuffer(kbuffer_, subbufs_.front().data())) {
			subbufs_.pop_front();
			continue;
		}
		loaded_ = true;
		const int missed = kbuffer_missed_events(kbuffer_);
		if (missed < 0 || lost_ == lost_unknown)
			lost_ = lost_unknown;
		else
			lost_ += missed;
	}
	return true;
}

const RawEvent *EventBuffer::front()
{
	while (!has_event_ && load()) {
		unsigned long long ts;
		const void *data = kbuffer_read_event(kbuffer_, &ts);

		if (!data) {
			spare_ = std::move(subbufs_.front());
			subbufs_.pop_front();
			loaded_ = false;
			continue;
		}
		event_.ts = ts;
		event_.data = {static_cast<const uint8_t *>(data),
			       static_cast<size_t>(kbuffer_event_size(kbuffer_))};
		has_event_ = true;
	}
	return has_event_ ? &event_ : nullptr;
}

void EventBuffer::pop()
{
	unsigned long long ts;

	kbuffer_next_event(kbuffer_, &ts);
	has_event_ = false;
	lost_ = 0;
	last_ts_ = event_.ts;
}

} // namespace grtrace
