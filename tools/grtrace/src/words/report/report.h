// SPDX-License-Identifier: GPL-2.0
//
// Report: turns the jobs of one capture into the sections that the user chose.
#pragma once

#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "lib/files/output_file.h"
#include "read/capture/capture.h"
#include "words/activity/activity.h"
#include "words/delays/delays.h"
#include "words/findings/findings.h"
#include "words/jobs/job_labeller.h"
#include "words/page/picture.h"
#include "words/report/group_table.h"
#include "words/report/report_options.h"
#include "words/report/ring_strips.h"
#include "words/report/screen.h"
#include "words/report/sections.h"
#include "words/terminal/terminal.h"
#include "words/tracker/job_tracker.h"

namespace grtrace {

// Only its sections need memory.
class Report : public JobSink {
public:
	// All arguments must outlive the report; csv may be null. index: number of the
	// capture.
	Report(ReportOptions &options, uint32_t index, Capture &capture, OutputFile *csv);

	// Receives jobs with their times cut to the interval.
	void job(const Job &job) override;
	Sections &sections() { return sections_; }
	// Returns the sections that need all facts about a job even if an interval was
	// chosen, because they cut waits to the interval themselves. Without an interval
	// these are sections().
	Sections &whole() { return options_.filter.has_interval() ? whole_ : sections_; }

	void note_damaged_time() { damaged_times_++; }
	// Notes that --limit was reached.
	void note_stop() { stopped_ = true; }
	// Receive the times of the first and the last event, in the capture and in the
	// interval.
	void begin(uint64_t ts);
	void begin_whole(uint64_t ts);
	void finish(uint64_t ts);
	void finish_whole(uint64_t ts);
	// input: the capture as the user named it.
	void print(fmt::memory_buffer &out, const ScreenInput &input);
	// Prints lines without a header; nothing if they were not requested.
	void print_delays(fmt::memory_buffer &out) const;
	void print_groups_csv(fmt::memory_buffer &out) const;
	void print_depth_csv(fmt::memory_buffer &out) const;
	// Prints the end of every report: how much was read, lost and inferred, and
	// what the sources covered.
	void print_end(fmt::memory_buffer &out) const;
	// Returns nullptr unless a picture is wanted.
	const Picture *picture() const { return picture_; }
	const Delays *delays() const { return delays_; }
	const Findings *findings() const { return findings_; }
	const Terminal &terminal() const { return terminal_; }

private:
	void add_sections();
	void add_groups(GroupBy by);
	void add_strips();
	void count(const Job &job);
	void print_labels(fmt::memory_buffer &out) const;
	void print_stop(fmt::memory_buffer &out) const;
	std::string silence() const;
	void print_screen(fmt::memory_buffer &out, const ScreenInput &input) const;
	void print_tables(fmt::memory_buffer &out);

	const ReportOptions &options_;
	Capture &capture_;
	OutputFile *csv_;
	Terminal terminal_; // for the width of bars
	Sections sections_;
	Sections whole_;
	std::vector<GroupTable *> groups_; // some of the sections
	const Delays *delays_ = nullptr; // one of the sections
	Activity *activity_ = nullptr; // others
	Findings *findings_ = nullptr;
	RingStrips *strips_ = nullptr;
	uint64_t begin_ = 0; // start of the screen's time
	uint64_t end_ = 0;
	const Picture *picture_ = nullptr; // another one
	JobLabeller labeller_;
	std::array<uint64_t, nr_job_labels> labels_ = {};
	FailedJobs failed_;
	LongestJob longest_;
	bool stopped_ = false;
	// Sum of the jobs' weights.
	uint64_t damaged_times_ = 0; // number of records
	uint64_t jobs_ = 0;
	uint64_t incomplete_ = 0;
	uint64_t begun_before_ = 0;
	uint64_t inferred_ = 0;
	uint64_t inferred_starts_ = 0;
	bool out_of_order_ = false; // a ring on which START is inferred was
	uint64_t cut_ = 0;
	uint64_t touched_ = 0;
	uint64_t slow_queue_ = 0;
	uint64_t slow_exec_ = 0;
};

} // namespace grtrace
