// SPDX-License-Identifier: GPL-2.0
//
// NamedFences: whose fences a context has, as events say, and which CPUs' records say it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace grtrace {

// Memory grows with the contexts of fences that are no jobs of the scheduler.
class NamedFences {
public:
	struct Context {
		std::string driver; // empty: not known yet
		std::string timeline;
		bool is_asked = false; // a record has named one of its fences
		bool is_of_jobs = false; // a ring says whose they are
		std::vector<bool> told; // by CPU
	};

	// An event of a fence has these names.
	void learn(uint64_t ctx, std::string_view driver, std::string_view timeline);
	// A job was handed over with a fence of the context.
	void take_for_jobs(uint64_t ctx);

	// A record of the CPU names a fence of the context. Returns the names if they have to
	// be written first, else nullptr.
	const Context *ask(uint64_t ctx, uint32_t cpu);
	// Its fence is signalled. Returns the names if a record needed them and they came
	// too late for it, else nullptr.
	const Context *owed(uint64_t ctx, uint32_t cpu);

private:
	static const Context *tell(Context &context, uint32_t cpu);

	std::unordered_map<uint64_t, Context> contexts_;
	uint64_t last_ = UINT64_MAX; // learned: most often the next event's, too
};

} // namespace grtrace
