// SPDX-License-Identifier: GPL-2.0
//
// JobStory: all facts that a capture has about one job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/explain/time_list.h"
#include "words/tracker/job.h"

namespace grtrace {

// The record that supports a sentence.
struct StorySource {
	uint64_t ts = 0;
	uint64_t gseq = 0;
	uint64_t cseq = 0;
	uint32_t cpu = 0;
	uint16_t type = 0; // 0: no record
	uint16_t flags = 0;
	std::string who; // the task that was running, empty in an interrupt

	bool known() const { return type != 0; }
};

struct StoryFence {
	uint64_t ctx = 0;
	uint32_t seqno = 0;

	bool operator==(const StoryFence &) const = default;
};

struct StoryDependency {
	StoryFence fence;
	StorySource told; // DEP, or BLOCKED if there is none
	StorySource signalled;
	std::string job; // the job that owns the fence, empty if it is not known
};

// A BLOCKED whose fence differs from that of the previous one.
struct StoryBlocked {
	StorySource source;
	StoryFence fence;
};

struct StoryWait {
	std::string who;
	uint32_t pid = 0;
	StorySource entered;
	StorySource left; // unknown: the wait had not ended
	int result; // of the wait: 0, or why it ended without the job
};

// An ERROR, an IRQ, a CTX_SWITCH, or a step that was undone by a reset.
struct StoryIncident {
	StorySource source;
	std::string text;
};

struct StoryLoss {
	uint32_t cpu = 0;
	StorySource source; // unknown: a jump of cseq shows the loss
	uint64_t records = 0;
	uint64_t from = 0;
	uint64_t to = 0;
};

// A COMMIT after the first one.
struct StoryHandOver {
	StorySource source;
	StoryFence hardware;
};

// Passive data, filled by StoryCollector. Each list is bounded, and entries beyond the
// limit are counted.
struct JobStory {
	static constexpr size_t most = 256;

	Job job; // the job in the tracker's last state
	bool over = false; // no more records will come
	StorySource first; // the job's first record
	StorySource submit;
	StorySource pick;
	StorySource commit; // the first COMMIT
	StorySource start; // since the last COMMIT; so is END
	StorySource end;
	StorySource complete;
	int complete_error = 0;
	StorySource previous_end; // of the previous job on the ring
	std::string previous_job;
	StoryFence hardware; // fence of the first COMMIT
	StoryFence out;
	std::vector<StoryHandOver> again; // after resets
	std::vector<StoryDependency> dependencies;
	std::vector<StoryBlocked> blocked;
	std::vector<StoryWait> waits;
	std::vector<StoryIncident> incidents;
	std::vector<StoryLoss> losses;
	TimeList time;
	uint64_t left_out = 0;

	// Returns the time of its last record, without waits; Job::none if it is not complete.
	uint64_t last_ts() const;
	// Returns whether nothing later than ts is part of the story.
	bool ends_by(uint64_t ts) const;
	// Returns in how many places records were lost before its last one.
	size_t losses_in_flight() const;
	bool was_handed_over_with(const StoryFence &fence) const;
	// The fence of the last COMMIT.
	const StoryFence &last_hardware() const
	{
		return again.empty() ? hardware : again.back().hardware;
	}
	const StorySource &last_commit() const
	{
		return again.empty() ? commit : again.back().source;
	}
};

// Prints the story in words, each number with its source.
void tell_story(fmt::memory_buffer &out, const JobStory &story, Capture &capture,
		const WaitCauses &causes, size_t columns);

// Returns "-125 (Operation canceled)".
std::string error_text(int error);

// Returns "glxgears (thread 697 of process 690)".
std::string task_text(Session &session, uint32_t pid);

} // namespace grtrace
