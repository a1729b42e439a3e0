// SPDX-License-Identifier: GPL-2.0
//
// JobWatchers: combines several watchers of the same jobs.
#pragma once

#include <vector>

#include "words/tracker/job_watcher.h"

namespace grtrace {

// Passes every call to its watchers, in the order in which they were added. If only one of
// them wants the frequent calls, it gets them directly.
class JobWatchers : public JobWatcher {
public:
	// The watcher must outlive this object.
	void add(JobWatcher &watcher)
	{
		all_.push_back(&watcher);
		if (JobWatcher *mover = watcher.watcher_of_moves())
			movers_.push_back(mover);
		if (JobWatcher *executed = watcher.watcher_of_executions())
			executed_.push_back(executed);
	}

	JobWatcher *watcher_of_moves() override { return one_of(movers_); }
	JobWatcher *watcher_of_executions() override { return one_of(executed_); }

	void moved(const Job &job, JobPhase from, uint64_t ts) override
	{
		for (JobWatcher *watcher : movers_)
			watcher->moved(job, from, ts);
	}
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override
	{
		for (JobWatcher *watcher : all_)
			watcher->depends(job, ctx, seqno, on);
	}
	void blocked(const Job &job, uint64_t from, uint64_t to) override
	{
		for (JobWatcher *watcher : all_)
			watcher->blocked(job, from, to);
	}
	void executed(const Job &job) override
	{
		for (JobWatcher *watcher : executed_)
			watcher->executed(job);
	}
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override
	{
		for (JobWatcher *watcher : all_)
			watcher->waited_for_fence(job, ctx, seqno, pid, from, to);
	}
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override
	{
		for (JobWatcher *watcher : all_)
			watcher->waited(job, pid, from, to);
	}
	void still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			 uint64_t since) override
	{
		for (JobWatcher *watcher : all_)
			watcher->still_waits(job, ctx, seqno, pid, since);
	}
	void lost(uint64_t from, uint64_t to) override
	{
		for (JobWatcher *watcher : all_)
			watcher->lost(from, to);
	}
	void forget_before(uint64_t ts) override
	{
		for (JobWatcher *watcher : all_)
			watcher->forget_before(ts);
	}

private:
	JobWatcher *one_of(const std::vector<JobWatcher *> &watchers)
	{
		if (watchers.empty())
			return nullptr;
		return watchers.size() == 1 ? watchers.front() : this;
	}

	std::vector<JobWatcher *> all_;
	std::vector<JobWatcher *> movers_;
	std::vector<JobWatcher *> executed_;
};

} // namespace grtrace
