// SPDX-License-Identifier: GPL-2.0
//
// JobFilter: chooses events by ring, device, process, client and context.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture_set.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/filter/followed_fences.h"
#include "words/filter/ring_filter.h"
#include "words/tracker/job.h"

namespace grtrace {

// An event must pass all given options among --engine, --ring, --dev, --pid, --client and
// --ctx. A job belongs to the process that submitted it, no matter which task reports on
// it later; a fence or a wait belongs to its job. So a bounded number of fences of
// passing jobs is remembered, and their events pass as well. Notes always pass: losses
// must be seen, and names must be learned.
class JobFilter {
public:
	RingFilter rings;

	// Takes ids or names of threads or processes.
	Status add_pids(std::string_view words);
	// Takes numbers, or names of amdgpu's own jobs.
	Status add_clients(std::string_view words);
	Status add_contexts(std::string_view words);

	bool any() const
	{
		return rings.any() || !pids_.empty() || !clients_.empty() || !contexts_.empty();
	}
	bool wants(const Event &event, Session &session)
	{
		return !event.is_event() || !any() || judge(event, session);
	}
	// Decides about a whole job; a job without a SUBMIT belongs to no process.
	bool wants(const Job &job, uint32_t capture, Session &session);

	// To be called when everything was read: checks the rings, and the names of
	// processes. An error lists the names that exist.
	Status check(const CaptureSet &captures) const;
	// Returns sentences about chosen threads and contexts without any event.
	std::vector<std::string> missing() const;

private:
	struct Choice {
		uint64_t number = 0;
		std::string name = {}; // of a task; empty: it is chosen by its number
		bool met = false; // an event matched it
	};

	static Status add(std::string_view option, std::string_view words, uint64_t limit,
			  std::vector<Choice> &choices);
	FollowedFences &followed_by(const Event &event);
	bool judge(const Event &event, Session &session);
	bool by_process(bool known, uint32_t pid, Session &session);
	bool by_client(uint64_t client);
	bool by_context(uint64_t ctx);
	static void follow(const Event &event, FollowedFences &fences);

	std::vector<Choice> pids_;
	std::vector<Choice> clients_;
	std::vector<Choice> contexts_;
	std::vector<FollowedFences> followed_; // by capture
};

} // namespace grtrace
