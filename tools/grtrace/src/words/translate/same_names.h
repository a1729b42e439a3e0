// SPDX-License-Identifier: GPL-2.0
//
// SameNames: distinguishes rings of several GPUs that have one name, where no event names the
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace grtrace {

// The scheduler of each ring counts its jobs, and an entity's jobs are mostly of one ring. So
// numbers that go back, or come twice, are of another ring of this name. Memory: a number for each
// of these entities, and a few of each ring.
class SameNames {
public:
	struct Job {
		std::string ring;
		uint64_t entity;
		uint64_t number;
	};

	// The first jobs of the recording, before any of them is submitted. Then even the first
	// jobs are distinguished.
	void foresee(const std::vector<Job> &jobs);
	// Returns which of the rings the job is of, from 0 on. mixed: an earlier job was perhaps
	// taken for one of that ring, or this one is.
	size_t submit(std::string_view ring, uint64_t entity, uint64_t number, bool *mixed);
	// Returns the same for a job that was submitted.
	size_t find(std::string_view ring, uint64_t entity) const;
	size_t count(std::string_view ring) const;

private:
	static constexpr uint64_t queued_late = 64; // a few jobs are queued in another order
	static constexpr size_t gpus_max = 16;
	static constexpr size_t entities_max = 65536;

	struct One {
		uint64_t last = 0; // greatest number
		std::deque<uint64_t> recent;
	};

	struct Name {
		std::vector<One> rings;
		std::unordered_map<uint64_t, size_t> entities;
		bool is_unclear = false; // an entity could have been one of several rings
	};

	static bool fits(const One &ring, uint64_t number);
	static size_t choose(Name &name, uint64_t number);

	std::unordered_map<std::string, Name> names_;
};

} // namespace grtrace
