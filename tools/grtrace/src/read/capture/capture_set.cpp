// SPDX-License-Identifier: GPL-2.0
#include "read/capture/capture_set.h"

namespace grtrace {

Status CaptureSet::open(const std::string &directory,
			const std::vector<std::string> &names, size_t batch)
{
	for (const std::string &name : names) {
		captures_.push_back(std::make_unique<Capture>(diagnostics_));
		Status status = captures_.back()->open(directory, name, batch);
		if (!status.ok())
			return status;
	}
	heads_.resize(captures_.size());
	return {};
}

void CaptureSet::tell(ReadProgress &progress)
{
	for (const std::unique_ptr<Capture> &capture : captures_)
		capture->tell(progress);
}

uint64_t CaptureSet::wall_clock(size_t index) const
{
	const Session &session = captures_[index]->session();

	return heads_[index].event.ts - session.start_ts + session.start_real;
}

Next CaptureSet::refill(size_t index)
{
	Head &head = heads_[index];
	const Event *event = nullptr;
	Next got = captures_[index]->next(event);

	if (got == Next::again)
		return got;
	head.wanted = false;
	head.ended = got == Next::end;
	if (!head.ended) {
		head.event = *event;
		head.event.capture = static_cast<uint16_t>(index);
	}
	return got;
}

Next CaptureSet::next_of_several(const Event *&event)
{
	size_t best = captures_.size();
	for (size_t i = 0; i < captures_.size(); i++) {
		if (heads_[i].wanted && refill(i) == Next::again)
			return Next::again;
		if (heads_[i].ended)
			continue;
		if (best == captures_.size() ||
		    wall_clock(i) < wall_clock(best))
			best = i;
	}
	if (best == captures_.size())
		return Next::end;
	heads_[best].wanted = true;
	event = &heads_[best].event;
	return Next::event;
}

} // namespace grtrace
