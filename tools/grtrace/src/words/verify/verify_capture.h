// SPDX-License-Identifier: GPL-2.0
//
// VerifyCapture: one capture, read to its end and judged.
#pragma once

#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/verify/verify_findings.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"
#include "words/verify/verify_streams.h"

namespace grtrace {

// Opens the capture itself, because a fault in its files is also a finding.
class VerifyCapture {
public:
	// At most limit lines of each kind.
	explicit VerifyCapture(uint64_t limit);

	// Names a capture, or gives the bytes of one (for tests).
	Status open(const std::string &directory, const std::string &name);
	void open_memory(std::vector<std::vector<uint8_t>> streams, bool per_cpu);

	void tell(ReadProgress &progress) { capture_.tell(progress); }

	// One event; text() of the findings grows with them.
	Next next();

	VerifyFindings &findings() { return findings_; }
	const Capture &capture() const { return capture_; }

private:
	void tell_file(const std::string &sentence);
	void finish();

	Diagnostics diagnostics_;
	Capture capture_;
	VerifyFindings findings_;
	VerifyStreams streams_;
	VerifyRecords records_;
	VerifyJobs jobs_;
	bool reading_ = false;
	bool finished_ = false;
};

} // namespace grtrace
