// SPDX-License-Identifier: GPL-2.0
//
// Report: turns the jobs of one capture into the sections that the user chose.
#pragma once

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "lib/files/output_file.h"
#include "read/capture/capture.h"
#include "read/jobs/job_tracker.h"
#include "words/activity/activity.h"
#include "words/delays/delays.h"
#include "words/findings/findings.h"
#include "words/jobs/job_labeller.h"
#include "words/page/picture.h"
#include "words/report/group_table.h"
#include "words/report/report_options.h"
#include "words/report/ring_strips.h"
#include "words/report/sections.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// Memory is that of its sections.
class Report : public JobSink {
public:
	// All of them must outlive the report; csv may be null. index: of the capture.
	Report(ReportOptions &options, uint32_t index, Capture &capture, OutputFile *csv);

	// Jobs as the interval shows them.
	void job(const Job &job) override;
	Sections &sections() { return sections_; }
	// All facts about a job, if an interval was chosen: waits are cut to it,
	// but their records are kept. The same as sections() without an interval.
	Sections &whole() { return options_.filter.has_interval() ? whole_ : sections_; }

	void note_damaged_time() { damaged_times_++; }
	// At --limit.
	void note_stop() { stopped_ = true; }
	// Times of the capture's first and last event, and of those of the interval.
	void begin(uint64_t ts);
	void begin_whole(uint64_t ts);
	void finish(uint64_t ts);
	void finish_whole(uint64_t ts);
	// given: the capture as the user names it.
	void print(fmt::memory_buffer &out, const std::string &given);
	// Lines without a header; nothing if that was not asked for.
	void print_delays(fmt::memory_buffer &out) const;
	// How every report ends: what was read and lost, inferred and covered.
	void print_end(fmt::memory_buffer &out) const;
	// nullptr unless they are wanted.
	const Picture *picture() const { return picture_; }
	const Delays *delays() const { return delays_; }
	const Findings *findings() const { return findings_; }
	const Terminal &terminal() const { return terminal_; }

private:
	void add_sections();
	void add_strips();
	void count(const Job &job);
	void print_labels(fmt::memory_buffer &out) const;
	void print_stop(fmt::memory_buffer &out) const;
	std::string silence() const;
	void print_screen(fmt::memory_buffer &out, const std::string &given) const;
	void print_tables(fmt::memory_buffer &out);

	const ReportOptions &options_;
	Capture &capture_;
	OutputFile *csv_;
	Terminal terminal_; // how wide bars may be
	Sections sections_;
	Sections whole_;
	const Delays *delays_ = nullptr; // one of the sections
	Activity *activity_ = nullptr; // others
	Findings *findings_ = nullptr;
	RingStrips *strips_ = nullptr;
	uint64_t begin_ = 0; // of what the screen shows
	uint64_t end_ = 0;
	const Picture *picture_ = nullptr; // another one
	JobLabeller labeller_;
	std::array<uint64_t, nr_job_labels> labels_ = {};
	bool stopped_ = false;
	// The sum of the jobs' weights.
	uint64_t damaged_times_ = 0; // records
	uint64_t jobs_ = 0;
	uint64_t incomplete_ = 0;
	uint64_t begun_before_ = 0;
	uint64_t inferred_ = 0;
	uint64_t cut_ = 0;
	uint64_t touched_ = 0;
	uint64_t slow_queue_ = 0;
	uint64_t slow_exec_ = 0;
};

} // namespace grtrace
