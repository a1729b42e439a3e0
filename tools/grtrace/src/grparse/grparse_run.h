// SPDX-License-Identifier: GPL-2.0
//
// Grparse: a run of grparse, which reads captures and writes text, a binary and
// a summary.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grparse/counting.h"
#include "grparse/event_output.h"
#include "grparse/grparse_options.h"
#include "grparse/summary.h"
#include "lib/options/word_main.h"
#include "read/capture/capture_run.h"

namespace grtrace {

class Grparse {
public:
	explicit Grparse(GrparseOptions &options) : options_(options) {}

	int run();

private:
	Status open();
	void start_counting();
	bool wants(const Event &event, Session &session);
	void event(const Event &event);
	void read();
	bool enough() const;
	void summarise();
	int close();

	GrparseOptions &options_;
	Additions *const choice_ = options_.choice();
	CaptureRun reading_{"grparse"};
	CaptureSet &captures_ = reading_.captures();
	EventOutput output_{options_, captures_};
	std::unique_ptr<Counting> counting_; // of jobs, where it is possible and wanted
	std::vector<Summary> summaries_; // none if they are not wanted
	uint64_t shown_ = 0; // events that passed
};

// main() of grparse, and of the program that handles its other options.
template <typename Options> int grparse_main(int argc, char **argv)
{
	const std::string version = fmt::format("grparse {} (stream format {}.{})", tools_version,
						GRTRACE_VERSION_MAJOR, GRTRACE_VERSION_MINOR);

	return stdout_taken("grparse",
			    program_main<Options, Grparse>("grparse", version, argc, argv));
}

} // namespace grtrace
