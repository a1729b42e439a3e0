// SPDX-License-Identifier: GPL-2.0
//
// VerifyFindings: prints and counts what `grtrace verify` finds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/capture/capture.h"
#include "read/stream/event.h"
#include "words/data/spans.h"

namespace grtrace {

enum class FaultKind : uint8_t {
	// These concern the file.
	damage,
	hole,
	lost_sum,
	no_stream_info,
	// These concern the sequence numbers.
	gseq,
	clock,
	// These concern the content of a record.
	unknown_ring,
	no_task,
	bad_value,
	// These concern the life of a job.
	no_submit,
	early_step,
	submit_twice,
	seqno_order,
	job_clock,
	end_early,
	end_twice,
	start_late,
	complete_twice,
	complete_order,
	dependency,
	// These concern waits.
	no_wait,
};
constexpr size_t nr_fault_kinds = 22;

enum class Severity : uint8_t {
	damage, // the bytes are not the ones that were written
	fault, // the records contradict each other
	note, // something unusual, or something that a loss may explain
};
constexpr size_t nr_severities = 3;

// The place and the kind of a record.
struct RecordPlace {
	RecordPlace() = default;
	explicit RecordPlace(const Event &event);
	RecordPlace(uint16_t in_stream, uint64_t at) : offset(at), stream(in_stream) {}

	uint64_t offset = 0;
	uint64_t gseq = 0;
	uint64_t ctx = 0;
	uint64_t ts = 0;
	uint32_t seqno = 0;
	uint32_t ring = 0;
	uint32_t cpu = 0;
	uint16_t stream = 0;
	uint16_t type = 0; // 0: not an event
};

// The clocks of two CPUs may differ by this much.
constexpr uint64_t clock_slack_ns = 100 * 1000;

// Returns whether a is certainly earlier than b; b's record comes later in the stream.
// Records of one CPU are in order; those of two CPUs certainly only if their times agree.
bool is_before(const RecordPlace &a, const Event &b);

// Prints the first findings of each kind immediately and counts all. A finding that a loss
// may explain is a *suspect*. It is decided at the end, when all losses are known, and
// becomes a note if there was a loss at its time. At most this many suspects are kept;
// further ones are decided by the losses known so far.
class VerifyFindings {
public:
	static constexpr size_t most_suspects = 4096;

	// limit: lines of each kind. The capture must outlive it.
	VerifyFindings(const Capture &capture, uint64_t limit) : capture_(capture), limit_(limit) {}

	void add(FaultKind kind, const RecordPlace &place, const std::string &what);
	void add(FaultKind kind, Severity severity, const RecordPlace &place,
		 const std::string &what);
	// Adds a finding about the capture as a whole.
	void add(FaultKind kind, const std::string &what);
	// Adds a suspect. The suspect becomes a note if records were lost between these
	// times, or if it is excused; otherwise it is a finding of its kind.
	void suspect(FaultKind kind, const RecordPlace &place, const std::string &what,
		     uint64_t from, uint64_t to);
	void suspect(FaultKind kind, const RecordPlace &place, const std::string &what,
		     uint64_t from, uint64_t to, bool excused)
	{
		if (excused)
			add(kind, Severity::note, place, what);
		else
			suspect(kind, place, what, from, to);
	}
	// Records were lost, or left out for another reason.
	void lost(uint64_t from, uint64_t to) { losses_.add(from, to); }
	void judge_suspects();

	uint64_t number(Severity severity) const;
	uint64_t number(FaultKind kind) const;

	// Returns the lines so far; the caller empties the buffer.
	fmt::memory_buffer &text() { return text_; }
	void print_summary(fmt::memory_buffer &out) const;

private:
	struct Suspect {
		FaultKind kind;
		RecordPlace place;
		std::string what;
		uint64_t from;
		uint64_t to;
	};

	bool counts(FaultKind kind, Severity severity);
	void judge(const Suspect &suspect);

	const Capture &capture_;
	const uint64_t limit_;
	LossSpans losses_;
	std::vector<Suspect> suspects_;
	std::array<std::array<uint64_t, nr_severities>, nr_fault_kinds> numbers_ = {};
	fmt::memory_buffer text_;
};

// Returns "1:2", the form in which all sentences name a job.
std::string key_text(uint64_t ctx, uint32_t seqno);

} // namespace grtrace
