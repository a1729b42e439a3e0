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

// A relation of a job to another job or to a task. A fence is identified by its ctx and the
// low 32 bits of its seqno.
struct PictureLink {
	enum class Kind : uint8_t {
		depends, // the job depends on the fence
		blocked, // the fence blocked the job, from..to
		waited, // the task waited for the job, from..to
	};
	static constexpr uint32_t no_row = UINT32_MAX;

	Kind kind;
	uint32_t row = no_row; // row of the job, after finish()
	uint32_t other = no_row; // row of the job that owns the fence, if there is one
	uint32_t task = 0; // only for waited
	uint64_t ctx; // the job's key until finish()
	uint64_t seqno;
	uint64_t at; // a time at which both jobs existed
	uint64_t fence_ctx = 0;
	uint64_t fence_seqno = 0;
	uint64_t from = 0;
	uint64_t to = 0;
};

// One ring over the time of the capture.
struct PictureRing {
	// Columns of the series: ns of execution by slot of the process, ns between SUBMIT
	// and START, jobs that begin, and failed jobs.
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
	uint64_t nr_jobs = 0; // that they represent
	std::optional<uint64_t> busy_ns; // as in the table of a report
};

// This is the one part of a report that grows with the number of jobs, because a picture
// shows single jobs. Rows and links are limited (some 220 MiB in all); beyond the limits
// the series still include all jobs. A ring needs at most 1.4 MiB, and there are at most
// rings_max.
class Picture : public ReportSection {
public:
	static constexpr size_t rings_max = 256;
	static constexpr size_t links_max = 1 << 20;

	// All arguments must outlive it. finish() of the activity is called first.
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
	// A picture has no text form.
	void print(fmt::memory_buffer &) override {}

	const Capture &capture() const { return capture_; }
	const LossSpans &losses() const { return losses_; }
	const PictureRows &rows() const { return rows_; }
	const PictureTasks &tasks() const { return tasks_; }
	// Returns the rings by id. After finish() all series have buckets of the same
	// width.
	const std::map<uint32_t, PictureRing> &rings() const { return rings_; }
	// After finish(): the links in the order of their rows; each link has a row.
	const std::vector<PictureLink> &links() const { return links_; }
	// Everything drawn is between these two times.
	uint64_t from() const { return from_; }
	uint64_t to() const { return to_; }
	// Returns the number of jobs without a known time, or on rings beyond rings_max.
	uint64_t jobs_left_out() const { return jobs_left_out_; }
	// Returns how many links were dropped for lack of room.
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
