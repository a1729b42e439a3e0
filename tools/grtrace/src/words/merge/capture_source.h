// SPDX-License-Identifier: GPL-2.0
//
// CaptureSource: a capture of grtrace as the input of a merge.
#pragma once

#include <deque>

#include "read/capture/capture.h"
#include "read/capture/losses.h"
#include "words/merge/merge_source.h"

namespace grtrace {

class CaptureSource : public MergeSource {
public:
	// diagnostics must outlive it.
	CaptureSource(std::string directory, std::string name, Diagnostics &diagnostics)
		: directory_(std::move(directory)), name_(std::move(name)), capture_(diagnostics)
	{
	}

	Status open() override;
	const ClockFacts &clock() const override { return clock_; }
	uint64_t start_ts() const override;
	void tell(ReadProgress &progress) override { capture_.tell(progress); }
	Next next(MergeRecord &record) override;
	Status close() override { return {}; }

	const char *kind() const override { return "capture"; }
	uint64_t lost() const override { return lost_records(capture_); }
	Session *session() override { return &capture_.session(); }

private:
	void take_gaps();
	void tell_gap(MergeRecord &record);

	std::string directory_;
	std::string name_;
	Capture capture_;
	ClockFacts clock_;
	std::deque<Gap> gaps_; // still to be reported
	const Event *ahead_ = nullptr; // read, but not yet returned
	uint64_t first_ts_ = 0;
};

} // namespace grtrace
