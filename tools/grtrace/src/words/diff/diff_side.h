// SPDX-License-Identifier: GPL-2.0
//
// DiffSide: the jobs of one of the two captures, by ring and stage.
#pragma once

#include <array>
#include <map>
#include <string>

#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/data/spans.h"
#include "words/diff/diff_options.h"
#include "words/diff/diff_series.h"
#include "words/jobs/stages.h"
#include "words/tracker/job.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

struct DiffRing {
	std::array<DiffSeries, Stages::nr_stages> stages;
	uint64_t jobs = 0;
	// The times of the first and the last record of its jobs.
	uint64_t first_ts = UINT64_MAX;
	uint64_t last_ts = 0;
};

// Memory grows with rings and not with jobs: some 100 KiB for each stage of a ring. If two
// rings of a capture have the same name, because a driver was loaded twice, they are
// treated as one.
class DiffSide : public JobSink, public JobWatcher {
public:
	// Both must outlive it. number: of the capture in its set.
	DiffSide(DiffOptions &options, Capture &capture, uint32_t number)
		: options_(options), capture_(capture), number_(number)
	{
	}

	void job(const Job &job) override;
	void moved(const Job &, JobPhase, uint64_t) override {}
	void waited(const Job &job, uint32_t pid, uint64_t from, uint64_t to) override;
	void lost(uint64_t from, uint64_t to) override { losses_.add(from, to); }

	// By name.
	const std::map<std::string, DiffRing> &rings() const { return rings_; }
	const Capture &capture() const { return capture_; }
	// Returns whether records were lost while jobs of the ring were recorded.
	bool touched(const DiffRing &ring) const
	{
		return losses_.touch(ring.first_ts, ring.last_ts);
	}
	bool lossy() const { return !losses_.empty(); }

private:
	bool wants(const Job &job);
	DiffRing *ring_of(const Job &job);

	DiffOptions &options_;
	Capture &capture_;
	uint32_t number_;
	LossSpans losses_;
	std::map<std::string, DiffRing> rings_;
	RingMap<DiffRing *> by_id_; // nullptr: not looked up yet
};

} // namespace grtrace
