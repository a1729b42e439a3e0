// SPDX-License-Identifier: GPL-2.0
#include "words/merge/capture_source.h"

#include <algorithm>

namespace grtrace {

// The capture's description of itself is known before its first event.
Status CaptureSource::open()
{
	Status status = capture_.open(directory_, name_);
	Next got;

	if (!status.ok())
		return status;
	do {
		got = capture_.next(ahead_);
	} while (got == Next::again);
	if (got == Next::end)
		ahead_ = nullptr;
	else
		first_ts_ = ahead_->ts;

	const Session &session = capture_.session();
	clock_.id = clock_of_stream(session.clock);
	clock_.said = clock_name(clock_.id);
	std::copy_n(session.boot_id, 16, clock_.boot_id.begin());
	clock_.has_real = session.start_real != 0;
	clock_.ts = session.start_ts;
	clock_.real = session.start_real;
	return {};
}

uint64_t CaptureSource::start_ts() const
{
	const uint64_t told = capture_.session().start_ts;

	return told ? told : first_ts_;
}

// A new stream has no holes, so a LOST reports the missing records instead.
void CaptureSource::tell_gap(MergeRecord &record)
{
	using Lost = grtrace_rec_lost;

	const Gap gap = gaps_.front();

	gaps_.pop_front();
	record.event = {};
	uint8_t *raw = record.make(GRTRACE_LOST, sizeof(Lost));
	store64(raw + offsetof(Lost, events), gap.records);
	store64(raw + offsetof(Lost, first_ts), gap.from_ts);
	store64(raw + offsetof(Lost, last_ts), gap.to_ts);
	record.event.ts = gap.from_ts;
	// The record must be on some CPU, even if it is not known which.
	record.event.cpu = gap.cpu == GRTRACE_CPU_NONE ? 0 : gap.cpu;
	record.event.weight = 1;
}

void CaptureSource::take_gaps()
{
	if (capture_.has_gaps())
		for (const Gap &gap : capture_.take_gaps())
			gaps_.push_back(gap);
}

Next CaptureSource::next(MergeRecord &record)
{
	Next got = Next::event;

	take_gaps();
	if (gaps_.empty() && !ahead_) {
		got = capture_.next(ahead_);
		if (got != Next::event)
			ahead_ = nullptr;
		// The missing records come before this one, or at the end.
		take_gaps();
	}
	if (!gaps_.empty()) {
		tell_gap(record);
		return Next::event;
	}
	if (got != Next::event)
		return got;
	record.event = *ahead_;
	record.bytes.assign(ahead_->raw, ahead_->raw + ahead_->size);
	record.event.raw = record.bytes.data();
	ahead_ = nullptr;
	return Next::event;
}

} // namespace grtrace
