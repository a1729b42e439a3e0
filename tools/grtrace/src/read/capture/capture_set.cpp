// SPDX-License-Identifier: GPL-2.0
//
// There may be thousands of captures. A tournament asks only captures that have an event,
// and each capture has small buffers if there are many.
#include "read/capture/capture_set.h"

#include "lib/files/file_limit.h"

namespace grtrace {

// Up to this number, captures are read in large blocks, which is a little faster.
static constexpr size_t few = 16;
// Size of the buffers if there are many captures: with everything else, each capture
// needs at most 64 KiB.
static constexpr size_t memory_of_many = 8 * 1024;
// A capture may have this many files before their number is known.
static constexpr size_t most_files = 4096;

Status CaptureSet::open(const std::string &directory, const std::vector<std::string> &names,
			OpenPlan plan)
{
	size_t files = 0;

	if (names.size() > few)
		plan.memory = memory_of_many;
	for (const std::string &name : names) {
		captures_.push_back(std::make_unique<Capture>(diagnostics_));
		allow_files(files + most_files);
		plan.number = static_cast<uint16_t>(captures_.size() - 1);
		Status status = captures_.back()->open(directory, name, plan);
		if (!status.ok())
			return status;
		files += captures_.back()->files();
	}
	heads_.resize(captures_.size());
	return {};
}

void CaptureSet::tell(ReadListener &listener)
{
	for (const std::unique_ptr<Capture> &capture : captures_)
		capture->tell(listener);
}

// Returns the place of the run's first event among those of other captures.
Tournament::Player CaptureSet::player(size_t index) const
{
	const std::span<const Event> run = heads_[index];
	const Session &session = captures_[index]->session();

	// The next event is needed when all other captures have had their turn.
	if (run.size() > 1) {
		__builtin_prefetch(run.data() + 1);
		__builtin_prefetch(&run.data()[1].stream);
	}
	return {run.front().ts - session.start_ts + session.start_real,
		static_cast<uint32_t>(index), 0};
}

// Returns the next event of a capture as a player, or one that left at the end of the
// capture.
Next CaptureSet::refill(size_t index, Tournament::Player &next)
{
	std::span<const Event> &run = heads_[index];

	if (!run.empty())
		run = run.subspan(1);
	if (run.empty()) {
		const Next got = captures_[index]->next(run);

		if (got != Next::event) {
			run = {};
			next = Tournament::left;
			return got;
		}
	}
	next = player(index);
	return Next::event;
}

// The tournament begins when each capture has its first event.
Next CaptureSet::start()
{
	while (first_.size() < captures_.size()) {
		Tournament::Player first;

		if (refill(first_.size(), first) == Next::again)
			return Next::again;
		first_.push_back(first);
	}
	tournament_.begin(first_);
	started_ = true;
	return Next::event;
}

Next CaptureSet::next_of_several(const Event *&event)
{
	if (!started_ && start() == Next::again)
		return Next::again;
	if (front_used_) {
		Tournament::Player next;

		if (refill(tournament_.front().number, next) == Next::again)
			return Next::again;
		tournament_.replace_front(next);
		front_used_ = false;
	}
	if (tournament_.empty())
		return Next::end;
	front_used_ = true;
	event = heads_[tournament_.front().number].data();
	return Next::event;
}

} // namespace grtrace
