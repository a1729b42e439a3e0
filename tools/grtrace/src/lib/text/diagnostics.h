// SPDX-License-Identifier: GPL-2.0
//
// Diagnostics: sentences about errors in the input.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

namespace grtrace {

// The stages of the pipeline report sentences to it and continue. It passes them to a
// function that shows them: a main prints to stderr, a test keeps them. Each sentence
// contains the file, the offset and the reason.
//
// A badly damaged capture would fill the screen, so at most `limit` sentences of each kind
// are shown; the others are counted, and finish() reports their number.
class Diagnostics {
public:
	using Show = std::function<void(const std::string &sentence)>;

	static constexpr unsigned int limit = 20;

	explicit Diagnostics(Show show) : show_(std::move(show)) {}

	// Reports that something is broken or missing: the exit code will be 1.
	void error(const std::string &sentence) { say(errors_, sentence); }
	// Reports something that is not broken, but that the user should know.
	void warn(const std::string &sentence) { say(warnings_, sentence); }
	// Reports how many sentences were not shown.
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
