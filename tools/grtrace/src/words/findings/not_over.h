// SPDX-License-Identifier: GPL-2.0
//
// NotOver: finds what still ran or waited when the capture ended, which is what a hang is.
//
// At the end of a healthy recording some jobs are in flight as well. A job that was not over is
// only called a standstill if that had lasted for longer than is usual on its ring: see limit_of().
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "read/stream/ring_map.h"
#include "words/findings/cause.h"
#include "words/tracker/job.h"

namespace grtrace {

// Something that had not happened by the end of the capture, and what waited for it.
struct Standstill {
	enum class Kind : uint8_t {
		on_ring, // a job had the ring
		no_response, // the host of a virtual machine had commands of the ring
		blocked, // a fence blocked a job, and belongs to no job in flight
		queued, // jobs were queued, and no job had the ring
		wait, // a task waited for a fence that belongs to no job in flight
	};

	Kind kind = Kind::wait;
	JobName job; // 0:0 for a wait; else the first one
	uint32_t process = 0; // of the job or of the task
	bool counts = false; // one of its jobs counts
	bool one_process = true; // all jobs that are meant are of that process
	bool out_of_order = false; // its ring works on several jobs at once
	bool none_ended = false; // no job ended on its ring in all of the capture
	uint64_t since = 0;
	uint64_t fence_ctx = 0; // that is waited for
	uint64_t fence_seqno = 0;
	uint64_t jobs = 0; // how many are meant, the first one included; weighted
	uint64_t behind = 0; // jobs that wait for these; weighted
	std::vector<uint32_t> rings; // of these
	// The tasks that wait for one of these, and the one that does so for longest.
	uint64_t tasks = 0;
	uint32_t waiter = 0; // its process
	uint64_t waits_since = UINT64_MAX;
};

class NotOver {
public:
	// Nothing is called a standstill after less than this, as people do not see it.
	static constexpr uint64_t least_ns = 100 * 1000 * 1000;
	// Returns how long a job may be unfinished before it counts as one that stands still, where
	// `longest` is the time of the longest job that left its ring; 0 if none did.
	//
	// Ten times the longest is beyond the usual; but a ring that is known to take seconds for
	// a job may do so again, so it must be twice the longest at least. Where no job says what
	// is usual, and where all were short, it is a second: drivers have timeouts of 2 to 10.
	static uint64_t limit_of(uint64_t longest)
	{
		constexpr uint64_t usual_ns = 1000 * 1000 * 1000;

		if (!longest)
			return usual_ns;
		if (longest >= usual_ns / 2)
			return longest < UINT64_MAX / 2 ? 2 * longest : UINT64_MAX;
		return std::clamp(10 * longest, least_ns, usual_ns);
	}

	// Facts about a ring, from the jobs that left it.
	struct RingFacts {
		bool is_virtual = false; // a host has its jobs
		bool ended = false; // a job left it
		uint64_t longest = 0; // time of one there
		bool is_mixed = false; // it may be rings of several GPUs
	};

	// A job that was in flight when the capture ended. counts: the report is about it.
	void add(const Job &job, uint32_t process, bool counts);
	// A task that waited for a fence then; nullptr: of no job in flight.
	void add_wait(const Job *job, uint64_t ctx, uint32_t seqno, uint32_t process,
		      uint64_t since);
	// All of them were added, and the capture ended then. facts_of(ring) returns RingFacts.
	template <class F> void finish(uint64_t end, F facts_of)
	{
		end_ = end;
		prepare();
		for (Ring &ring : rings_)
			ring.facts = facts_of(ring.id);
		judge();
	}

	// The standstills, with those first for which most jobs waited.
	const std::vector<Standstill> &all() const { return all_; }
	uint64_t end() const { return end_; }
	// Returns the one that the job is part of, or waits for; nullptr: none.
	const Standstill *of(const JobName &job) const;
	// Returns how many jobs that never began are in one of them; weighted.
	uint64_t never_began() const { return never_began_; }

private:
	static constexpr uint32_t nil = UINT32_MAX;
	static constexpr size_t deepest = 4096; // longer chains of fences are not followed
	static constexpr size_t most = 64; // of all_

	struct Open {
		JobName name;
		uint64_t has_ring_since = Job::none;
		uint64_t since = 0; // SUBMIT, or its first record
		uint64_t blocker_since = 0;
		uint64_t blocker_ctx = 0;
		uint32_t blocker_seqno = 0;
		uint32_t process = 0;
		uint32_t weight = 1;
		bool blocked = false;
		bool in_queue = false; // neither picked nor handed over
		bool is_sure = true; // no record of it was lost
		bool counts = true;
		bool never_began = false;
		uint32_t root = nil; // what it waits for, or itself
		uint32_t standstill = nil; // in all_
	};
	struct Wait {
		uint64_t ctx;
		uint32_t seqno;
		uint32_t process;
		uint64_t since;
		JobName job; // 0:0: none
	};
	struct Ring {
		uint32_t id;
		uint32_t begin; // in open_
		uint32_t end;
		RingFacts facts = {};
		bool is_sure = true; // no record of its jobs was lost
		uint32_t holder = nil;
	};

	void prepare();
	void judge();
	uint32_t find(uint64_t ctx, uint64_t seqno) const;
	const Ring &ring_of(uint32_t open) const;
	uint32_t step_of(uint32_t open) const;
	uint32_t root_of(uint32_t open);
	Standstill::Kind kind_of(uint32_t root) const;
	uint64_t since_of(uint32_t root) const;
	void add_standstill(uint32_t root);
	void join(uint32_t open);
	void count_waits();
	void keep_long();

	std::vector<Open> open_; // by ring, context and seqno
	std::vector<Wait> waits_;
	std::vector<Ring> rings_;
	std::map<std::pair<uint64_t, uint32_t>, uint32_t> by_key_; // ctx and seqno
	std::vector<Standstill> all_;
	uint64_t end_ = 0;
	uint64_t never_began_ = 0;
};

} // namespace grtrace
