// SPDX-License-Identifier: GPL-2.0
//
// PerfettoJobs: writes a job as slices, moments and arrows.
#pragma once

#include <cstdint>
#include <string>

#include "read/stream/session.h"
#include "words/export/perfetto_flows.h"
#include "words/export/perfetto_tracks.h"
#include "words/export/perfetto_writer.h"
#include "words/jobs/job_label.h"

namespace grtrace {

// Writes a job when all of it is known, and keeps nothing.
class PerfettoJobs {
public:
	// All arguments must outlive it.
	PerfettoJobs(PerfettoWriter &out, PerfettoTracks &tracks, uint32_t index, Session &session)
		: out_(out), tracks_(tracks), index_(index), session_(session)
	{
	}

	void tell(const Job &job, JobLabel label, const PerfettoFlows::Arrows &arrows);

private:
	std::string name_of(const Job &job);
	void tell_submit(const Job &job);
	void tell_queue(const Job &job, const std::string &name);
	void tell_hardware(const Job &job, const std::string &name);
	void tell_running(const Job &job, const std::string &name,
			  const PerfettoFlows::Arrows &arrows);
	void tell_stage(const Job &job, const std::string &name);
	void tell_complete(const Job &job, JobLabel label, const PerfettoFlows::Arrows &arrows);

	PerfettoWriter &out_;
	PerfettoTracks &tracks_;
	uint32_t index_; // number of the capture
	Session &session_;
	uint64_t stages_ = 0; // number written so far
};

} // namespace grtrace
