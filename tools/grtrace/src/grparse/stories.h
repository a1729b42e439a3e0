// SPDX-License-Identifier: GPL-2.0
//
// Stories: grparse --explain, one job's story in each capture.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/capture/capture_set.h"
#include "words/explain/story_collector.h"

namespace grtrace {

class Stories {
public:
	// They must outlive it.
	void open(const JobName &name, CaptureSet &captures)
	{
		for (size_t i = 0; i < captures.size(); i++)
			captures_.push_back(
				std::make_unique<StoryCollector>(name, captures.capture(i)));
	}
	void feed(const Event &event) { captures_[event.capture]->feed(event); }

	// All has been read. If no capture has the job, returns a sentence for each
	// that says which jobs are near it.
	std::vector<std::string> print(fmt::memory_buffer &out)
	{
		std::vector<std::string> nearest;
		bool found = false;

		for (const std::unique_ptr<StoryCollector> &story : captures_) {
			story->finish();
			found |= story->tell(out);
			nearest.push_back(story->nearest());
		}
		return found ? std::vector<std::string>() : nearest;
	}

private:
	std::vector<std::unique_ptr<StoryCollector>> captures_;
};

} // namespace grtrace
