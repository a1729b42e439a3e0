// SPDX-License-Identifier: GPL-2.0
//
// Diagnostics: what was wrong with the input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

namespace grtrace {

// Takes sentences from the stages of the pipeline while they go on working,
// and hands them to the function that shows them (a main prints to stderr, a test keeps
// them). Each says file, offset and reason.
//
// A wrecked capture would fill the screen, so each kind of sentence passes at
// most `limit` times; the rest is counted and said at the end.
class Diagnostics {
public:
	using Show = std::function<void(const std::string &sentence)>;

	static constexpr unsigned int limit = 20;

	explicit Diagnostics(Show show) : show_(std::move(show)) {}

	// Something is broken or missing: the exit code will be 1.
	void error(const std::string &sentence) { say(errors_, sentence); }
	// Nothing is broken, but the user should know.
	void warn(const std::string &sentence) { say(warnings_, sentence); }
	// Says how many sentences did not pass.
	void finish();

	uint64_t errors() const { return errors_; }
	uint64_t warnings() const { return warnings_; }

private:
	void say(uint64_t &count, const std::string &sentence)
	{
		if (count++ < limit && show_)
			show_(sentence);
	}

	Show show_;
	uint64_t errors_ = 0;
	uint64_t warnings_ = 0;
};

} // namespace grtrace
