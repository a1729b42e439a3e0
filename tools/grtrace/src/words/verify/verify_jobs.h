// SPDX-License-Identifier: GPL-2.0
//
// VerifyJobs: checks that the recorded life of each job is possible.
#pragma once

#include <cstdint>
#include <vector>

#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/tracker/fence_index.h"
#include "words/verify/verify_contexts.h"
#include "words/verify/verify_findings.h"

namespace grtrace {

// A job is submitted, then picked, committed, started, ended and complete. These steps
// cannot change places:
//
//	SUBMIT comes before all others, seqno after seqno in a context
//	COMPLETE comes once, and in the order of the seqnos in a context
//	END comes once, after COMMIT; START does not come after it
//	PICK comes after the COMPLETE of a dependency on another ring; on its
//	        own ring, after the dependency's PICK
//
// Two records of different CPUs are out of order only if their times are as well, because a
// CPU reads the clock before it takes its sequence number. Some drivers differ:
//
//	virtio-gpu	the host may be done before it was notified: END before
//			COMMIT
//	i915		two of its tracepoints can report the end, and one that
//			reports the start is not ordered with them
//	all             after an ERROR on the ring, jobs may end once more; a
//	                scheduler that is removed cancels its jobs last to first
//
// A hardware fence (FENCE) can be signalled before COMMIT is written, because the CPU
// writes COMMIT after it has handed the job over.
//
// A SUBMIT is certainly missing only if the capture has an earlier one of the same context:
// then the capture had begun.
//
// The newest `most_jobs` jobs are remembered, finished or not.
class VerifyJobs {
public:
	static constexpr size_t most_jobs = 65536;
	// A fence is signalled shortly before its record is written.
	static constexpr uint64_t signal_slack_ns = 1000 * 1000;
	static constexpr size_t most_dependencies = 8; // per job
	static constexpr size_t most_hasty = 1024;

	VerifyJobs(const Capture &capture, VerifyFindings &findings)
		: capture_(capture), findings_(findings), contexts_(capture, findings)
	{
	}

	void feed(const Event &event);
	void finish();

private:
	struct Dependency {
		uint64_t ctx;
		uint32_t seqno;
	};
	struct Job {
		RecordPlace submit;
		RecordPlace first; // the first record, if that is not SUBMIT
		RecordPlace pick;
		RecordPlace commit;
		RecordPlace end;
		RecordPlace complete;
		Dependency dependencies[most_dependencies];
		uint64_t since = 0; // the time after which a missing SUBMIT would be
		uint64_t serial = 0;
		uint64_t ctx = 0;
		uint32_t seqno = 0;
		uint32_t ring = 0;
		uint32_t nr_dependencies = 0;
		uint32_t errors = 0; // errors on its ring at its END
		bool proven = false; // it has no SUBMIT but must have had one
		bool over = false;
	};
	// A job that was picked before its dependency was complete.
	struct Hasty {
		RecordPlace pick;
		uint64_t on; // serial of the dependency
		uint64_t ctx;
		uint32_t seqno;
	};

	Job *find(const Event &event);
	Job *find_any(uint64_t ctx, uint32_t seqno);
	Job &create(const Event &event);
	Job &get(const Event &event);
	bool is_driver(const Event &event, const char *driver) const;
	void check_time(const RecordPlace &a, const Event &b, const char *what);

	void submit(const Event &event);
	void depend(const Event &event);
	void pick(const Event &event);
	void find_hasty(const Event &event, const Job &job);
	void commit(const Event &event);
	void start(const Event &event);
	void end(const Event &event);
	void complete(const Event &event);
	void release_hasty(const Event &event, const Job &job);
	void fence(const Event &event);
	void forget(Job &job);
	void judge_submit(const Job &job);

	const Capture &capture_;
	VerifyFindings &findings_;
	std::vector<Job> jobs_; // used in turn
	uint64_t serial_ = 0;
	FenceIndex index_;
	VerifyContexts contexts_;
	RingMap<uint32_t> errors_;
	std::vector<Hasty> hasty_;
};

} // namespace grtrace
