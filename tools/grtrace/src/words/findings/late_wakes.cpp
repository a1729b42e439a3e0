// SPDX-License-Identifier: GPL-2.0
#include "words/findings/late_wakes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace grtrace {

void LateWakes::close(Waits &waits)
{
	const bool late = waits.open && waits.known && !waits.last.ignored &&
			  waits.to - waits.last.complete >= least_ns;

	// The fence of another wait, or its end, may be among records that were lost.
	if (late && !losses_.touch(waits.from, waits.to))
		sink_.charge_wake({CauseKind::late_wake, waits.last.complete, waits.to,
				   waits.last.name.ring, waits.process, waits.last.name},
				  waits.last.weight);
	waits.open = false;
}

void LateWakes::waited(const WaitingJob *job, uint32_t pid, uint32_t process, uint64_t from,
		       uint64_t to)
{
	Waits &waits = threads_.get(pid);

	if (!waits.open || from >= waits.to) {
		close(waits);
		waits = {};
		waits.open = true;
		waits.process = process;
	}
	waits.from = std::min(waits.from, from);
	waits.to = std::max(waits.to, to);
	// No task was woken if it was complete before.
	if (!job || job->complete == Job::none || job->complete > to || job->complete < from ||
	    job->touched) {
		waits.known = false;
		return;
	}
	if (waits.last.complete == Job::none || waits.last.complete <= job->complete)
		waits.last = *job;
}

void LateWakes::count(const JobName &job, uint32_t pid)
{
	Waits *waits = threads_.find(pid);

	if (waits && waits->last.name == job)
		waits->last.ignored = false;
}

// The map has an order of its own in each run.
void LateWakes::finish()
{
	std::vector<Waits *> late;

	threads_.for_each([&](uint64_t, Waits &waits) { late.push_back(&waits); });
	std::ranges::sort(late, {}, [](const Waits *waits) {
		return std::pair(waits->last.complete, waits->last.name.seqno);
	});
	for (Waits *waits : late)
		close(*waits);
}

} // namespace grtrace
