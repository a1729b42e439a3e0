// SPDX-License-Identifier: GPL-2.0
//
// VerifyFindings: what `grtrace verify` found, line by line and in numbers.
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
	// The file.
	damage,
	hole,
	lost_sum,
	no_stream_info,
	// The sequence.
	gseq,
	clock,
	// The statement of a record.
	unknown_ring,
	no_task,
	bad_value,
	// A job's life.
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
	// Waits.
	no_wait,
};
constexpr size_t nr_fault_kinds = 22;

enum class Severity : uint8_t {
	damage, // the bytes are not what was written
	fault, // what they say cannot have been
	note, // it is unusual, or cannot be distinguished from a loss
};
constexpr size_t nr_severities = 3;

// A record: its place and its kind.
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
	uint16_t type = 0; // 0: it is not an event
};

// Clocks of two CPUs may differ that much.
constexpr uint64_t clock_slack_ns = 100 * 1000;

// Is a certainly before b, whose record comes later? Records of one CPU are in
// order; those of two CPUs only as far as their clocks agree.
bool is_before(const RecordPlace &a, const Event &b, const Session &session);

// Prints the first of each kind as they come and counts all. A finding that a
// loss may explain is a *suspect*: it is judged at the end, when all losses
// are known, and is a note if there was one in its time. This many suspects are
// kept; further ones are judged by the losses known then.
class VerifyFindings {
public:
	static constexpr size_t most_suspects = 4096;

	// limit: lines of a kind. The capture must outlive it.
	VerifyFindings(const Capture &capture, uint64_t limit) : capture_(capture), limit_(limit) {}

	void add(FaultKind kind, const RecordPlace &place, const std::string &what);
	void add(FaultKind kind, Severity severity, const RecordPlace &place,
		 const std::string &what);
	// About the capture as a whole.
	void add(FaultKind kind, const std::string &what);
	// It is one unless records were lost between these times; then, or if
	// it is excused, it is a note.
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

	// Lines so far; the caller empties it.
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

// "1:2", as all sentences name a job.
std::string key_text(uint64_t ctx, uint32_t seqno);

} // namespace grtrace
