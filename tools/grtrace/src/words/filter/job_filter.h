// SPDX-License-Identifier: GPL-2.0
//
// JobFilter: whose events the user wants to see.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture_set.h"
#include "read/jobs/job.h"
#include "read/stream/client_table.h"
#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/filter/followed_fences.h"
#include "words/filter/ring_filter.h"

namespace grtrace {

// --engine, --ring, --dev, --pid, --client and --ctx; an event must pass each that is
// given. A job belongs to the process that submitted it, whatever reports on it
// later; a fence or a wait belongs to its job. So the fences of jobs that pass
// are remembered, a bounded number, and events of them pass too. Notes always
// pass: a loss must be seen, and a name learned.
class JobFilter {
public:
	RingFilter rings;

	// Threads or processes.
	Status add_pids(std::string_view words);
	// Numbers, or names of amdgpu's own jobs.
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
	// A CLIENT note, also one outside of what is asked for.
	void learn(const Event &note) { kept_of(note).clients.learn(note); }
	// A job as a whole; one without a SUBMIT belongs to no process.
	bool wants(const Job &job, uint32_t capture, Session &session);

	// Sentences about threads and contexts without any event.
	std::vector<std::string> missing() const;

private:
	struct Choice {
		uint64_t number;
		bool met = false; // by an event
	};

	// Kept of what came before, for each capture.
	struct Kept {
		FollowedFences followed;
		ClientTable clients;
	};

	static Status add(std::string_view option, std::string_view words, uint64_t limit,
			  std::vector<Choice> &choices);
	Kept &kept_of(const Event &event);
	bool judge(const Event &event, Session &session);
	bool by_process(bool known, uint32_t pid, Session &session);
	bool by_client(uint64_t client);
	bool by_context(uint64_t ctx);
	static void follow(const Event &event, FollowedFences &fences);

	std::vector<Choice> pids_;
	std::vector<Choice> clients_;
	std::vector<Choice> contexts_;
	std::vector<Kept> kept_; // by capture
};

} // namespace grtrace
