// SPDX-License-Identifier: GPL-2.0
//
// JobStory: all that a capture has to say about one job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/jobs/job.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/explain/time_list.h"

namespace grtrace {

// The record that a sentence is taken from.
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
	StorySource told; // DEP, or BLOCKED where there is none
	StorySource signalled;
	std::string job; // whose fence it is, empty if that is not known
};

// A BLOCKED that names another fence than the one before it.
struct StoryBlocked {
	StorySource source;
	StoryFence fence;
};

struct StoryWait {
	std::string who;
	uint32_t pid = 0;
	StorySource entered;
	StorySource left; // unknown: the wait had not ended
};

// ERROR, IRQ or CTX_SWITCH, and steps that a reset undid.
struct StoryIncident {
	StorySource source;
	std::string text;
};

struct StoryLoss {
	uint32_t cpu = 0;
	StorySource source; // not known: a jump of cseq shows
	uint64_t records = 0;
	uint64_t from = 0;
	uint64_t to = 0;
};

// A COMMIT after the first one.
struct StoryHandOver {
	StorySource source;
	StoryFence hardware;
};

// Passive data, filled by StoryCollector. Each list is bounded;
// what did not fit is counted.
struct JobStory {
	static constexpr size_t most = 256;

	Job job; // as the tracker had it last
	bool over = false; // nothing more comes
	StorySource first; // the job's first record
	StorySource submit;
	StorySource pick;
	StorySource commit; // the first one
	StorySource start; // since the last COMMIT; END as well
	StorySource end;
	StorySource complete;
	int complete_error = 0;
	StorySource previous_end; // of the job before it on the ring
	std::string previous_job;
	StoryFence hardware; // of the first COMMIT
	StoryFence out;
	std::vector<StoryHandOver> again; // as it was reset
	std::vector<StoryDependency> dependencies;
	std::vector<StoryBlocked> blocked;
	std::vector<StoryWait> waits;
	std::vector<StoryIncident> incidents;
	std::vector<StoryLoss> losses;
	TimeList time;
	uint64_t left_out = 0;

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

// The story in words, each number with its source.
void tell_story(fmt::memory_buffer &out, const JobStory &story, Capture &capture,
		const WaitCauses &causes, size_t columns);

// "-125 (Operation canceled)"
std::string error_text(int error);

// "glxgears (thread 697 of process 690)"
std::string task_text(Session &session, uint32_t pid);

} // namespace grtrace
