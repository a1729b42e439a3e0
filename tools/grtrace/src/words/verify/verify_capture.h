// SPDX-License-Identifier: GPL-2.0
//
// VerifyCapture: reads one capture to its end and checks it.
#pragma once

#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "words/verify/verify_findings.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"
#include "words/verify/verify_streams.h"

namespace grtrace {

// It opens the capture itself, because an error in its files is also a finding.
class VerifyCapture {
public:
	// Prints at most limit lines of each kind.
	explicit VerifyCapture(uint64_t limit);

	// Opens a capture by name, or from bytes (for tests).
	Status open(const std::string &directory, const std::string &name);
	void open_memory(std::vector<std::vector<uint8_t>> streams, bool per_cpu);

	void tell(ReadListener &listener) { capture_.tell(listener); }

	// Reads one event; new findings are appended to their text().
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
