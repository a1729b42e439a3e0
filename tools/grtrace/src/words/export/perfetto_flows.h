// SPDX-License-Identifier: GPL-2.0
//
// PerfettoFlows: numbers the arrows from job to job.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "words/data/id_map.h"
#include "words/tracker/job.h"

namespace grtrace {

// Each arrow has a number, which the job at its start and the job at its end both need;
// either may be written first. Memory grows with jobs in flight.
class PerfettoFlows {
public:
	// A job may have at most this many arrows of each kind.
	static constexpr size_t arrows_max = 64;

	struct Arrows {
		std::vector<uint64_t> in;
		std::vector<uint64_t> out;
	};

	// Return the job's own numbers: for its steps, and for the tasks that waited for
	// it.
	static uint64_t steps(const Job &job, uint32_t capture) { return hash(job, capture, 1); }
	static uint64_t wake(const Job &job, uint32_t capture) { return hash(job, capture, 2); }

	void depends(const Job &job, const Job &on, uint32_t capture)
	{
		Arrows &to = arrows_[key(job)];
		Arrows &from = arrows_[key(on)];

		if (to.in.size() == arrows_max || from.out.size() == arrows_max)
			return;
		const uint64_t number = hash(job, capture, 3) ^ hash(on, capture, 4);
		to.in.push_back(number);
		from.out.push_back(number);
	}
	// Called once, when the job is written.
	Arrows take(const Job &job)
	{
		const auto found = arrows_.find(key(job));

		if (found == arrows_.end())
			return {};
		Arrows taken = std::move(found->second);
		arrows_.erase(found);
		return taken;
	}

private:
	static uint64_t hash(const Job &job, uint32_t capture, uint64_t what)
	{
		uint64_t mixed = hash_id(what << 32 | capture);

		for (const uint64_t part : {job.ctx, uint64_t(job.ring), job.seqno})
			mixed = hash_id(mixed * 0xff51afd7ed558ccdull + part);
		return mixed ? mixed : 1;
	}
	static uint64_t key(const Job &job) { return hash(job, 0, 0); }

	std::unordered_map<uint64_t, Arrows> arrows_; // by job
};

} // namespace grtrace
