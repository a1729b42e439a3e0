// SPDX-License-Identifier: GPL-2.0
//
// TimeList: shows where the time of one job went, and which jobs or processes caused
// that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "read/stream/session.h"
#include "words/findings/wait_causes.h"

namespace grtrace {

// Prints a line, broken between words at the given number of columns; continuation lines
// are indented. Text in brackets counts as one word.
void put_line(fmt::memory_buffer &out, std::string_view text, size_t columns, size_t indent);

// Receives the causes of the job's waiting, interval by interval; time due to one process,
// or to one hang, is one part. The parts add up to the time from SUBMIT to COMPLETE.
class TimeList {
public:
	// bounds: the records of the beginning and the end of a hang, if a hang is the
	// root.
	void add(const Cause &cause, const std::vector<JobName> &via, const std::string &bounds);
	// The job is over: adds the time after its wait. hang: nullptr if its last run did
	// not hang.
	void finish(const Job &job, const Hang *hang);

	// Prints a first sentence, then the list, with the longest part first. Prints
	// nothing if the job's beginning is not known. causes: has the names of processes.
	void print(fmt::memory_buffer &out, const Job &job, const Session &session,
		   const WaitCauses &causes, size_t columns) const;
	// Returns the job that caused most of the waiting, or that a fence of no job blocked
	// most; 0:0 if there is none, if this job hung, or if its own work took longest.
	JobName root() const;

private:
	struct ByName {
		bool operator()(const JobName &a, const JobName &b) const
		{
			return std::tie(a.ctx, a.seqno, a.ring) < std::tie(b.ctx, b.seqno, b.ring);
		}
	};
	struct Part {
		Cause cause; // the first one, with the job that caused most
		bool waits = true; // it waits for others
		uint64_t ns = 0;
		std::map<JobName, uint64_t, ByName> jobs = {}; // that caused it, with times
		uint64_t root_ns = 0;
		std::vector<JobName> via = {}; // the jobs on the way to the root
		std::string bounds = {};
	};

	Part &part_of(const Cause &cause);
	std::vector<Part> sorted() const;
	static uint64_t waited_of(const std::vector<Part> &parts);
	std::string text_of(const Part &part, const Session &session,
			    const WaitCauses &causes) const;
	std::string clause_of(const Part &part, const Session &session,
			      const WaitCauses &causes) const;
	std::string first_sentences(const std::vector<Part> &parts, uint64_t total,
				    const Session &session, const WaitCauses &causes) const;

	std::vector<Part> parts_;
	JobName own_; // this job, once it is over
	uint32_t pid_ = 0; // its thread
	std::optional<Hang> hang_;
	uint64_t executed_ = 0;
	uint64_t completing_ = 0;
	uint64_t unknown_ = 0;
};

} // namespace grtrace
