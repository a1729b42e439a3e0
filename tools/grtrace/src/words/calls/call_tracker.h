// SPDX-License-Identifier: GPL-2.0
//
// CallTracker: finds the ioctl that submitted a job, and the tasks that waited for it.
//
// An IOCTL event comes when the task returns, after the SUBMITs of the jobs that were
// pushed during the call. A job belongs to the first later ioctl of its own thread whose interval
// contains the SUBMIT. If two ioctls are nested, that is the inner one. All other jobs were
// submitted outside of any ioctl, or the record of their ioctl was lost; the two cases cannot be
// distinguished.
//
// A job or its ioctl may end last: most jobs outlive their ioctl, but an ioctl that waits for its
// own job does not return before the job is over. So a job that is over is kept until its ioctl
// comes; at most undecided_max such jobs are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "read/stream/event.h"
#include "read/stream/session.h"
#include "words/calls/call_kinds.h"
#include "words/calls/call_watcher.h"
#include "words/data/id_map.h"
#include "words/reading/choice.h"
#include "words/tracker/fence_index.h"
#include "words/tracker/open_waits.h"

namespace grtrace {

// Handles one capture. It receives each event after the JobTracker, the jobs that the
// tracker then passes on, and their waits. It reports to the watcher all calls that
// overlap the chosen interval and belong to a chosen job or process. Memory grows with
// threads and jobs in flight.
class CallTracker {
public:
	static constexpr size_t undecided_max = 16384; // jobs, 5 MiB

	// All arguments must outlive the tracker.
	CallTracker(CallWatcher &watcher, TimelineChoice &choice, uint32_t index, Session &session)
		: watcher_(watcher), choice_(choice), index_(index), session_(session)
	{
	}

	void event(const Event &event);
	void job(const Job &job);
	void waited(const Job &job, uint64_t to);
	// Records were lost.
	void lost() { lossy_ = true; }
	// To be called after the JobTracker has passed on its last job.
	void finish();

	const CallKinds &kinds() const { return kinds_; }

private:
	static constexpr uint32_t nil = UINT32_MAX;

	// A job from SUBMIT until both the job and its ioctl are known.
	struct Submission {
		JobKey key = {};
		uint64_t ts = 0;
		uint64_t waiter_ts = Job::none;
		uint32_t pid = 0;
		uint32_t previous = nil; // the thread's previous submission without an ioctl
		uint32_t next = nil;
		uint32_t serial = 0; // from the user of the slot
		bool chosen = false;
		bool has_call = false;
		bool has_job = false;
		Call call;
		Job job;
	};
	struct Thread {
		uint32_t first = nil; // first of the submissions without an ioctl
		uint32_t last = nil;
		ThreadWaits waits;
	};
	struct Undecided {
		uint32_t slot;
		uint32_t serial;
	};

	void submit(const Event &event, bool chosen);
	void take_return(const Event &event, bool chosen);
	void wait_enter(const Event &event, bool chosen);
	void wait_exit(const Event &event, bool chosen);
	void lose_waits(uint32_t pid, uint64_t ts);
	void wait_lost(const OpenWait &open, uint32_t pid, bool end_lost);
	uint32_t find_key(const JobKey &key) const;
	uint32_t find(const Job &job) const;
	void append(uint32_t slot);
	void unlink(uint32_t slot);
	void release(uint32_t slot);
	void settle(uint32_t slot);
	void tell(const Job &job, const Call *call, uint64_t waiter_ts);
	bool in_interval(uint64_t from, uint64_t to) const
	{
		return to >= choice_.from(session_) && from <= choice_.to(session_);
	}

	CallWatcher &watcher_;
	TimelineChoice &choice_;
	uint32_t index_; // number of the capture
	Session &session_;
	CallKinds kinds_;
	std::vector<Submission> slots_;
	std::vector<uint32_t> free_;
	FenceIndex by_key_;
	IdMap<Thread> threads_; // by pid
	std::deque<Undecided> undecided_; // jobs that are over
	std::vector<uint32_t> taken_; // taken by the current ioctl
	std::vector<JobKey> keys_; // their keys
	JobKey waited_for_ = {}; // by the current event
	bool waited_ = false;
	bool lossy_ = false;
};

} // namespace grtrace
