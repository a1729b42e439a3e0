// SPDX-License-Identifier: GPL-2.0
//
// VerifyRecords: checks each record by itself, and against the one before it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "read/capture/capture.h"
#include "words/data/id_map.h"
#include "words/verify/verify_findings.h"
#include "words/verify/verify_streams.h"

namespace grtrace {

// Checks sequence numbers, the clocks of CPUs, values without a meaning, rings, tasks and
// waits. Memory grows with CPUs and tasks.
class VerifyRecords {
public:
	// A CPU's clock may step back by this much, as the kernel's fast clocks do while
	// the time is being adjusted.
	static constexpr uint64_t clock_slack_ns = 10 * 1000;
	// At most this many tasks are remembered.
	static constexpr size_t most_tasks = 1 << 20;
	// At most this many unknown rings are remembered until the end, where they are
	// reported.
	static constexpr size_t most_rings = 1024;

	VerifyRecords(Capture &capture, VerifyFindings &findings, VerifyStreams &streams)
		: capture_(capture), findings_(findings), streams_(streams)
	{
	}

	void feed(const Event &event);
	void finish();

private:
	struct Cpu {
		uint64_t ts = 0;
		uint64_t gseq = 0;
		uint32_t weight = 0;
		bool seen = false;
	};
	struct Wait {
		uint64_t ctx = 0;
		uint32_t seqno = 0;
		bool used = false;
	};
	struct Task {
		uint64_t since = 0; // time of its first record
		Wait waits[4];
		bool seen = false;
		bool told = false; // it was reported that it has no TASK
		bool too_many = false; // it has too many waits
	};

	void notice_gaps();
	void notice_hole(const Event &event);
	void check_sequence(const Event &event, const Cpu &cpu);
	void check_clock(const Event &event, const Cpu &cpu);
	void check_sampling(const Event &event, Cpu &cpu);
	void check_queue(const RecordPlace &place, const QueueChange &change);
	void check_values(const Event &event);
	void check_ring(const Event &event);
	void check_task(const Event &event);
	void enter(Task &task, const Event &event);
	void leave(Task &task, const Event &event);

	Capture &capture_;
	VerifyFindings &findings_;
	VerifyStreams &streams_;
	std::vector<Cpu> cpus_;
	IdMap<Task> tasks_; // by pid
	std::map<uint32_t, RecordPlace> unknown_rings_; // first use
	RecordPlace last_; // in the order of the session
	RecordPlace hole_; // the record after the first hole
	uint64_t hole_from_ = 0;
	bool has_hole_ = false;
	bool began_ = false;
};

} // namespace grtrace
