// SPDX-License-Identifier: GPL-2.0
//
// Picture: the data of a capture, ready to be drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "read/capture/capture.h"
#include "words/activity/activity.h"
#include "words/data/spans.h"
#include "words/jobs/job_section.h"
#include "words/jobs/stages.h"
#include "words/page/picture_rows.h"
#include "words/page/picture_series.h"
#include "words/page/picture_tasks.h"

namespace grtrace {

// A relation of a job to another one or to a task. Fences represent jobs
// by their ctx and the low 32 bits of their seqno.
struct PictureLink {
	enum class Kind : uint8_t {
		depends, // on the fence
		blocked, // by the fence, from..to
		waited, // the task, for the job, from..to
	};
	static constexpr uint32_t no_row = UINT32_MAX;

	Kind kind;
	uint32_t row = no_row; // the job's, after finish()
	uint32_t other = no_row; // of the job behind the fence, if it has one
	uint32_t task = 0; // waited
	uint64_t ctx; // the job's key until then
	uint64_t seqno;
	uint64_t at; // a time at which both were there
	uint64_t fence_ctx = 0;
	uint64_t fence_seqno = 0;
	uint64_t from = 0;
	uint64_t to = 0;
};

// One ring over the time of the capture.
struct PictureRing {
	// Columns of the series: ns of execution by slot of the process, ns
	// between SUBMIT and START, jobs that begin, jobs that failed.
	enum Column : size_t {
		busy,
		queued = PictureTasks::slots + 1,
		jobs,
		failed,
		nr_columns,
	};

	PictureRing() : series(nr_columns) {}

	PictureSeries series;
	Stages stages;
	uint64_t nr_jobs = 0; // they stand for
	std::optional<uint64_t> busy_ns; // as the table of a report has it
};

// The one place of a report that grows with jobs, up to the limits of rows and
// links (some 220 MiB), because a picture shows single ones; beyond them the
// series still have all jobs. A ring costs at most 1.4 MiB, and there are at
// most rings_max.
class Picture : public ReportSection {
public:
	static constexpr size_t rings_max = 256;
	static constexpr size_t links_max = 1 << 20;

	// Both must outlive it.
	// Activity is finished before it.
	Picture(Capture &capture, const LossSpans &losses, const Activity &activity)
		: capture_(capture), losses_(losses), activity_(activity)
	{
	}

	void job(const Job &job, JobLabel label) override;
	void depends(const Job &job, uint64_t ctx, uint32_t seqno, const Job *on) override;
	void blocked(const Job &job, uint64_t from, uint64_t to) override;
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void begin(uint64_t ts) override;
	void finish(uint64_t ts) override;
	// A picture is not a text.
	void print(fmt::memory_buffer &) override {}

	const Capture &capture() const { return capture_; }
	const LossSpans &losses() const { return losses_; }
	const PictureRows &rows() const { return rows_; }
	const PictureTasks &tasks() const { return tasks_; }
	// By id. After finish() all series have buckets of one width.
	const std::map<uint32_t, PictureRing> &rings() const { return rings_; }
	// After finish(): by row, all of them have one.
	const std::vector<PictureLink> &links() const { return links_; }
	// All that is drawn lies between these times.
	uint64_t from() const { return from_; }
	uint64_t to() const { return to_; }
	// Jobs of which no time is known, or on rings beyond rings_max.
	uint64_t jobs_left_out() const { return jobs_left_out_; }
	// Links there was no room for.
	uint64_t links_dropped() const { return links_dropped_; }

private:
	PictureRing *ring_of(const Job &job);
	void draw(PictureRing &ring, const Job &job, const PictureRow &row);
	void occupy(PictureRing &ring, const PictureRow &row);
	void add_link(const Job &job, PictureLink link);
	void resolve_links();
	void stretch(uint64_t ts);

	Capture &capture_;
	const LossSpans &losses_;
	const Activity &activity_;
	PictureRows rows_;
	PictureTasks tasks_;
	std::map<uint32_t, PictureRing> rings_;
	std::vector<PictureLink> links_;
	uint64_t from_ = UINT64_MAX;
	uint64_t to_ = 0;
	uint64_t jobs_left_out_ = 0;
	uint64_t links_dropped_ = 0;
};

} // namespace grtrace
