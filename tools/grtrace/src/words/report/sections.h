// SPDX-License-Identifier: GPL-2.0
//
// Sections: the parts of a report, and the jobs that they receive.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "words/data/spans.h"
#include "words/filter/job_filter.h"
#include "words/jobs/job_section.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

// Passes jobs, and their steps, to its sections. A section receives only the kinds of steps
// that it wants.
class Sections : public JobSink, public JobWatcher {
public:
	// filter: for capture number `index`; it and the session must outlive this object.
	Sections(JobFilter &filter, uint32_t index, Session &session)
		: filter_(filter), index_(index), session_(session)
	{
	}

	template <typename Section, typename... Args> Section &add(Args &&...args)
	{
		auto section = std::make_unique<Section>(std::forward<Args>(args)...);
		Section &added = *section;

		if (JobWatcher *watcher = added.watcher_of_moves())
			movers_.push_back(watcher);
		if (JobWatcher *watcher = added.watcher_of_executions())
			executed_.push_back({watcher, added.wants_all()});
		all_.push_back(std::move(section));
		return added;
	}

	bool wants(const Job &job)
	{
		return !filter_.any() || filter_.wants(job, index_, session_);
	}
	void job(const Job &job) override { give(job, JobLabel::ok, wants(job)); }
	void give(const Job &job, JobLabel label, bool wanted);
	JobWatcher *watcher_of_moves() override { return one_of(movers_); }
	JobWatcher *watcher_of_executions() override
	{
		if (executed_.empty())
			return nullptr;
		return executed_.size() == 1 && !filter_.any() ? executed_.front().watcher : this;
	}
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void executed(const Job &job) override;
	void waited_for_fence(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			      uint64_t from, uint64_t to) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			 uint64_t since) override;
	void lost(uint64_t from, uint64_t to) override;
	void forget_before(uint64_t ts) override;

	// Receive the times of the first and the last event in the chosen interval.
	void begin(uint64_t ts);
	void finish(uint64_t ts);
	void print(fmt::memory_buffer &out);
	const LossSpans &losses() const { return losses_; }

private:
	struct Executed {
		JobWatcher *watcher;
		bool all; // whether it also wants jobs that the report is not about
	};

	// Returns nullptr if there is no watcher, the watcher if there is only one,
	// or else a watcher that passes calls to all of them.
	JobWatcher *one_of(const std::vector<JobWatcher *> &watchers)
	{
		if (watchers.empty())
			return nullptr;
		return watchers.size() == 1 && !filter_.any() ? watchers.front() : this;
	}

	JobFilter &filter_;
	uint32_t index_;
	Session &session_;
	LossSpans losses_;
	std::vector<std::unique_ptr<ReportSection>> all_;
	// The sections that want moves.
	std::vector<JobWatcher *> movers_;
	std::vector<Executed> executed_;
};

} // namespace grtrace
