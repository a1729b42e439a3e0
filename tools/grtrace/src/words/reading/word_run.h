// SPDX-License-Identifier: GPL-2.0
//
// WordRun: a CaptureRun that shows progress on a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "read/capture/capture_run.h"
#include "words/reading/read_progress.h"

namespace grtrace {

// The word calls read_all() when everything was read.
class WordRun : public CaptureRun {
public:
	// writes: see ReadProgress
	WordRun(const char *word, bool writes) : CaptureRun(word), progress_(writes) {}

	Status open(const std::vector<OutputName> &outputs, const std::string &directory,
		    const std::vector<std::string> &inputs, const OpenPlan &plan = {})
	{
		const Status status = CaptureRun::open(outputs, directory, inputs, plan);

		captures().tell(progress_);
		return status;
	}
	// Rings that appear late are known only at that time; see
	// check_rings().
	std::optional<int> read_all(const Status &rings = {})
	{
		progress_.clear();
		return check_rings(rings);
	}

private:
	void clear_line() override { progress_.clear(); }

	ReadProgress progress_;
};

} // namespace grtrace
