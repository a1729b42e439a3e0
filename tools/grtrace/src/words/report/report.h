// SPDX-License-Identifier: GPL-2.0
//
// Report: the jobs of one capture in, the sections the user chose out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "lib/files/output_file.h"
#include "read/capture/capture.h"
#include "read/jobs/job_tracker.h"
#include "words/activity/activity.h"
#include "words/data/spans.h"
#include "words/delays/delays.h"
#include "words/findings/findings.h"
#include "words/jobs/job_labeller.h"
#include "words/jobs/job_section.h"
#include "words/page/picture.h"
#include "words/report/group_table.h"
#include "words/report/report_options.h"
#include "words/report/ring_strips.h"
#include "words/terminal/terminal.h"

namespace grtrace {

// Memory is that of its sections.
class Report : public JobSink, public JobWatcher {
public:
	// All of them must outlive the report; csv may be null.
	Report(const ReportOptions &options, Capture &capture, OutputFile *csv);

	void job(const Job &job) override;
	JobWatcher *watcher_of_moves() override { return one_of(movers_); }
	JobWatcher *watcher_of_executions() override { return one_of(executed_); }
	void moved(const Job &job, JobPhase from, uint64_t ts) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void executed(const Job &job) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override;

	// Times of the capture's first and last event.
	void begin(uint64_t ts);
	void finish(uint64_t ts);
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

private:
	template <typename Section, typename... Args> Section &add(Args &&...args);
	void add_sections();
	// The one that watches, who tells all of them, or nobody.
	JobWatcher *one_of(const std::vector<JobWatcher *> &watchers)
	{
		if (watchers.empty())
			return nullptr;
		return watchers.size() == 1 ? watchers.front() : this;
	}
	void count(const Job &job);
	void print_labels(fmt::memory_buffer &out) const;
	std::string silence() const;
	void print_screen(fmt::memory_buffer &out, const std::string &given) const;
	void print_tables(fmt::memory_buffer &out);

	const ReportOptions &options_;
	Capture &capture_;
	OutputFile *csv_;
	Terminal terminal_; // how wide bars may be
	LossSpans losses_;
	std::vector<std::unique_ptr<ReportSection>> sections_;
	// Of them, who watches that.
	std::vector<JobWatcher *> movers_;
	std::vector<JobWatcher *> executed_;
	const Delays *delays_ = nullptr; // one of the sections
	const Activity *activity_ = nullptr; // others
	const Findings *findings_ = nullptr;
	const RingStrips *strips_ = nullptr;
	uint64_t begin_ = 0; // times of the first and the last event
	uint64_t end_ = 0;
	const Picture *picture_ = nullptr; // another one
	JobLabeller labeller_;
	std::array<uint64_t, nr_job_labels> labels_ = {};
	// What the jobs stand for.
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
