// SPDX-License-Identifier: GPL-2.0
//
// StoryCollector: collects the facts about one job while a capture is read.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/explain/job_story.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

// A job as the user names it. A seqno below 2^32 matches every seqno whose lower 32 bits
// are the same.
struct NamedJob {
	uint64_t ctx = 0;
	uint64_t seqno = 0;

	bool operator==(const NamedJob &) const = default;
	// CTX:SEQ
	Status parse(std::string_view text);
	bool is(const Job &job) const
	{
		return job.ctx == ctx && (job.seqno == seqno || job.seqno_low() == seqno);
	}
};

// Handles one capture. A key may be reused, so one key may have several stories. It also
// keeps the last jobs of each ring, and some fences.
class StoryCollector : public JobSink, public JobWatcher, CauseSink {
public:
	static constexpr size_t most_stories = 64;

	// The capture must outlive it.
	StoryCollector(const NamedJob &name, Capture &capture)
		: name_(name), capture_(capture), tracker_(*this, this),
		  causes_(capture, losses_, *this)
	{
	}

	void feed(const Event &event);
	void finish();

	// Returns false if there is no story.
	bool tell(fmt::memory_buffer &out, size_t columns);
	// Explains why there is no story, with the nearest jobs of the context.
	std::string nearest() const;

	void job(const Job &job) override;
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *other) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	JobWatcher *watcher_of_steps() override { return this; }
	void stepped(const Job &job, JobPhase what, uint64_t ts) override;
	void executed(const Job &job) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void still_waits(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t pid,
			 uint64_t since) override
	{
		causes_.still_waits(job, ctx, seqno, pid, since);
	}
	void lost(uint64_t from, uint64_t to) override { losses_.add(from, to); }
	// Returns the root of the last story: from its TimeList, or what it waited for when the
	// capture ended.
	JobName root() const;

private:
	struct RingEnd {
		uint64_t ts = Job::none;
		StorySource source;
		std::string job;
	};
	// A hang that lasted until the job was handed over again.
	struct ResetHang {
		uint32_t number; // as in RingExecution
		bool since_commit; // since COMMIT; false: since the previous job left
	};
	struct RecentFence {
		StoryFence fence;
		StorySource source;
	};

	StorySource source() const;
	JobStory *open_story(uint64_t seqno_low, uint32_t ring);
	JobStory *story_of(const Job &job);
	StoryDependency &dependency(JobStory &story, const StoryFence &fence);
	bool is_of_name() const;
	bool note(bool before);
	void complete(JobStory &story);
	void complete_again(JobStory &story);
	void note_commit(JobStory &story);
	void undo_steps(JobStory &story);
	void note_step(JobStory &story);
	void note_blocked(JobStory &story, const StoryFence &fence);
	void note_incident(JobStory &story);
	void add_incident(JobStory &story, StorySource source, std::string text);
	void note_late_error();
	void note_fence();
	void charge(const Cause &cause, const std::vector<JobName> &via) override;
	std::string bounds_of(const Cause &cause) const;
	void note_reset_hangs(const Job &job, size_t before);
	StoryWait new_wait() const;
	void note_wait(JobStory &story);
	void note_early_wait();
	void note_loss(const StoryLoss &loss);
	RecentFence &recent(const StoryFence &fence);

	NamedJob name_;
	Capture &capture_;
	JobTracker tracker_;
	LossSpans losses_;
	WaitCauses causes_;
	JobStory *waiting_ = nullptr; // the story whose causes are being computed
	std::vector<ResetHang> resets_;
	const Event *event_ = nullptr;
	std::vector<JobStory> stories_;
	std::vector<StoryWait> early_waits_; // for a job without a record so far
	std::deque<StoryLoss> recent_losses_; // a job's first record may be in the time of one
	RingMap<RingEnd> ends_;
	std::vector<StorySource> left_; // by slot: the record of when it left its ring
	std::array<RecentFence, 1024> recent_; // by hash; a newer fence replaces an older one
	uint64_t more_stories_ = 0;
	uint64_t below_ = Job::none; // the nearest seqnos of the context
	uint64_t above_ = Job::none;
};

} // namespace grtrace
